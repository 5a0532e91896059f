/// A line in a group's log that is not a message: who came or went, or what was changed. It has no `seq`, is never unread,
/// and its time places it between messages.
package struct RoomChange: Hashable, Sendable {
  /// What happened; the raw value is the API's `kind`.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    // Without `user`: of `by` alone.
    case joined, left
    case added, removed, banned
    case madeOwner = "made_owner"
    case madeAdmin = "made_admin"
    case madeMember = "made_member"
    /// `text` is the new name.
    case renamed
    /// `text` is the new topic, empty where it was removed.
    case described
    case pictureSet = "picture_set"
    case pictureRemoved = "picture_removed"
    case madePublic = "made_public"
    case madePrivate = "made_private"
    /// `text` is the new default repository, empty where it was removed.
    case repositorySet = "repository_set"
    /// `messageSeq` is the message.
    case pinned, unpinned
  }

  /// The number of its `room.changed` event: unique, and ascending within a room.
  package var id: EventID
  /// The group.
  package var roomID: RoomID
  /// When it happened.
  package var at: Timestamp
  /// What happened.
  package var kind: Kind
  /// Who did it.
  package var by: Face
  /// Whom it concerns, where that is somebody else.
  package var user: Face?
  /// The new name, topic or repository.
  package var text: String?
  /// The message that was pinned or unpinned.
  package var messageSeq: Int?

  /// A change from stored values.
  package init(
    id: EventID, roomID: RoomID, at: Timestamp, kind: Kind, by: Face, user: Face? = nil, text: String? = nil,
    messageSeq: Int? = nil
  ) {
    self.id = id
    self.roomID = roomID
    self.at = at
    self.kind = kind
    self.by = by
    self.user = user
    self.text = text
    self.messageSeq = messageSeq
  }
}

/// Which of a room's changes are asked for.
package enum RoomChangeRange: Hashable, Sendable {
  /// A place in the log: a change by its id, or a moment.
  package enum Place: Hashable, Sendable {
    case change(EventID)
    case time(Timestamp)
  }

  /// The newest ones.
  case newest
  /// Those before a place, the nearest ones.
  case before(Place)
  /// Those after a place, the nearest ones.
  case after(Place)
}

/// A part of a room's changes, ascending.
package struct RoomChangePage: Hashable, Sendable {
  /// The changes.
  package var changes: [RoomChange]
  /// Whether earlier ones exist that the reader may see.
  package var hasEarlier: Bool
  /// Whether later ones exist.
  package var hasLater: Bool

  /// A page from its parts.
  package init(changes: [RoomChange], hasEarlier: Bool, hasLater: Bool) {
    self.changes = changes
    self.hasEarlier = hasEarlier
    self.hasLater = hasLater
  }
}
