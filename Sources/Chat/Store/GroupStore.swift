/// Groups and their members. The guarantees of `ChatStore` apply. In addition:
///
/// Non-members get `.notFound`, also for public rooms, unless stated otherwise. Changes to a direct room are
/// `.conflict`. Permissions are checked within the transaction: `.forbidden`.
///
/// A new member receives `room.created`, a removed one `room.removed`, and then the room's members `member.updated`: a
/// removed member receives nothing later. What changes a group for everyone, and who comes and goes, is a line in its
/// log: then `room.changed` for the members.
package protocol GroupStore: Sendable {
  /// Creates a group owned by its creator. Throws `.invalid` at `member_ids` for unknown people.
  func createGroup(_ group: NewGroup) async throws -> Room
  /// Updates the room's name, topic, visibility or repository for everyone; logs `room.updated` for each member if
  /// anything changed. For owner and admins; the repository of a direct room for both, except that the peer does not hear
  /// of a room that waits for its first message.
  func changeGroup(_ room: RoomID, by user: UserID, _ change: GroupChange, at time: Timestamp) async throws -> Room
  /// Sets or removes a group's picture; logs `room.updated` for each member if that changes anything. For owner and
  /// admins. Deletes a picture that is no longer used.
  func setPicture(_ picture: Picture?, of room: RoomID, by user: UserID, at time: Timestamp) async throws -> Room
  /// A room as a member sees it, or a public one as non-members do: without a role, and without its messages.
  func visibleRoom(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room>
  /// Public rooms whose name contains `query`, by name then id, after the previous page's last; those that the person
  /// is in, as members see them.
  func publicRooms(
    matching query: String, for user: UserID, after cursor: PublicRoomCursor?, limit: Int
  ) async throws -> [Room]

  /// Those of these people who are not added to groups by `user`, as their settings say; unknown people are not among
  /// them.
  func refusing(_ people: [UserID], addedBy user: UserID) async throws -> [UserID]

  /// A room's members: the owner, then admins, then members, each by name then id, after the previous page's last.
  func members(
    of room: RoomID, for user: UserID, after cursor: MemberCursor?, limit: Int
  ) async throws -> [(user: User, role: Room.Role)]
  /// A page of at most `limit` (1 to 200) changes visible to the member: those since they cleared the room. Empty in a
  /// direct room.
  func changes(
    in room: RoomID, for user: UserID, _ range: RoomChangeRange, limit: Int
  ) async throws -> Snapshot<RoomChangePage>
  /// A room's members in no particular order, for notifying all of them.
  func memberIDs(of room: RoomID, for user: UserID) async throws -> [UserID]
  /// Adds a member (owner and admins; as admin only by the owner), or changes a role (owner); `.owner` transfers the
  /// room, and the former owner becomes an admin. Nil keeps the role of a member. Idempotent. Throws `.mustInvite` for
  /// people whose settings do not let the caller add them, `.conflict` for banned people, beyond the limit, and if the
  /// room would lose its owner; `.invalid` at `role` for an owner who is not a member.
  func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID, at time: Timestamp
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool)
  /// Removes a member whom the caller outranks; removing oneself is leaving.
  func removeMember(_ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp) async throws
  /// Joins a public room; idempotent. Throws `.forbidden` for banned people, `.conflict` beyond the limit.
  func join(_ room: RoomID, by user: UserID, at time: Timestamp) async throws -> Room
  /// Adds the person to the room of the open invitation with this token's hash, and counts a use; an existing member
  /// uses nothing. Throws `.notFound` for an unknown invitation, `.over` for one that is no longer open, `.conflict`
  /// for one to the instance and beyond the limit of members, `.forbidden` for banned people.
  func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) async throws -> Room
  /// A group as an invited person sees it; nil if there is none.
  func invitedRoom(_ id: RoomID) async throws -> Room?
  /// Removes the person from the room. An owner is succeeded by the longest-serving admin, otherwise by the
  /// longest-serving member; those with an account come first. A room without members is no longer public.
  func leave(_ room: RoomID, by user: UserID, at time: Timestamp) async throws

  /// Bans someone whom the caller outranks, and removes them if they are a member; idempotent.
  func ban(_ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp) async throws
  /// Lifts a ban; idempotent.
  func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws
  /// The people banned from a room, by name then id, after the previous page's last. For owner and admins.
  func bans(of room: RoomID, for user: UserID, after cursor: UserCursor?, limit: Int) async throws -> [User]
}

extension GroupStore {
  /// All members of a room.
  package func members(of room: RoomID, for user: UserID) async throws -> [(user: User, role: Room.Role)] {
    try await members(of: room, for: user, after: nil, limit: .max)
  }
}

/// A new group, with values checked by `GroupRules`.
package struct NewGroup: Sendable {
  package var id: RoomID
  /// The creator and owner.
  package var makerID: UserID
  package var name: String
  /// The topic, possibly empty.
  package var topic: String
  /// Whether anyone may find and join it.
  package var isPublic: Bool
  /// The other initial members, in the order in which they count as joined.
  package var memberIDs: [UserID]
  package var createdAt: Timestamp

  package init(
    id: RoomID, makerID: UserID, name: String, topic: String = "", isPublic: Bool = false, memberIDs: [UserID] = [],
    createdAt: Timestamp
  ) {
    self.id = id
    self.makerID = makerID
    self.name = name
    self.topic = topic
    self.isPublic = isPublic
    self.memberIDs = memberIDs
    self.createdAt = createdAt
  }
}

/// Changes to a room for everyone; nil keeps a value. A direct room has only a repository.
package struct GroupChange: Hashable, Sendable {
  package var name: String?
  package var topic: String?
  /// Whether anyone may find and join it.
  package var isPublic: Bool?
  /// `.some(nil)` removes it.
  package var repository: RepositoryName??

  package init(
    name: String? = nil, topic: String? = nil, isPublic: Bool? = nil, repository: RepositoryName?? = nil
  ) {
    self.name = name
    self.topic = topic
    self.isPublic = isPublic
    self.repository = repository
  }
}

/// The cursor after a page of members.
package struct MemberCursor: Hashable, Sendable {
  /// The role of the last member.
  package var role: Room.Role
  /// Their name.
  package var name: String
  /// Their id, since names repeat.
  package var id: UserID

  package init(role: Room.Role, name: String, id: UserID) {
    self.role = role
    self.name = name
    self.id = id
  }
}

/// The cursor after a page of public rooms.
package struct PublicRoomCursor: Hashable, Sendable {
  /// The name of the last room.
  package var name: String
  /// Its id, since names repeat.
  package var id: RoomID

  package init(name: String, id: RoomID) {
    self.name = name
    self.id = id
  }
}
