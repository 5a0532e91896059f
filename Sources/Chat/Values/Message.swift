/// A message, addressed by its room and `seq`.
package struct Message: Hashable, Sendable {
  package var roomID: RoomID
  /// 1, 2, 3 … within the room, without gaps; a deleted message keeps its place.
  package var seq: Int
  /// The sender's id for it; unique per sender forever.
  package var clientID: ClientMessageID
  package var sender: Face
  /// The text, 1 to 10,000 characters; empty once deleted.
  package var text: String
  /// The message it replies to.
  package var replyTo: Int?
  /// When the server stored it.
  package var createdAt: Timestamp
  /// When it was last edited.
  package var editedAt: Timestamp?
  /// When it was deleted for everyone.
  package var deletedAt: Timestamp?
  /// The original author, if it was forwarded.
  package var forwardedFrom: Face?
  /// The members it mentions, in the order of their ids.
  package var mentions: [UserID]
  /// Reactions and pin as one reader sees them; nil in events, which go to many readers.
  package var marks: MessageMarks?
  /// The message's own members as JSON, if they have been encoded.
  package var encoded = EncodedMembers()

  package init(
    roomID: RoomID, seq: Int, clientID: ClientMessageID, sender: Face, text: String, replyTo: Int? = nil,
    createdAt: Timestamp, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, forwardedFrom: Face? = nil,
    mentions: [UserID] = [], marks: MessageMarks? = nil
  ) {
    self.roomID = roomID
    self.seq = seq
    self.clientID = clientID
    self.sender = sender
    self.text = text
    self.replyTo = replyTo
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.forwardedFrom = forwardedFrom
    self.mentions = mentions
    self.marks = marks
  }
}

/// The own members of a message as JSON without braces (`JSONWriter.ownMembers`); empty until they are encoded. They
/// are derived from the message's other fields, so they are ignored in comparisons. Code that changes one of those
/// fields must reset them.
package struct EncodedMembers: Hashable, Sendable {
  package var bytes: [UInt8] = []

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package static func == (_: EncodedMembers, _: EncodedMembers) -> Bool { true }
  package func hash(into _: inout Hasher) {}
}

/// Reactions to a message and its pin, as one reader sees them.
package struct MessageMarks: Hashable, Sendable {
  /// An emoji and how many people reacted with it.
  package struct Reaction: Hashable, Sendable {
    /// The emoji.
    package var emoji: String
    /// The number of people, at least 1.
    package var count: Int
    /// Whether the reader is one of them.
    package var isMine: Bool

    package init(emoji: String, count: Int, isMine: Bool) {
      self.emoji = emoji
      self.count = count
      self.isMine = isMine
    }
  }

  /// The reactions, in the order in which each emoji was first used.
  package var reactions: [Reaction]
  /// When it was pinned, if it is.
  package var pinnedAt: Timestamp?

  package init(reactions: [Reaction] = [], pinnedAt: Timestamp? = nil) {
    self.reactions = reactions
    self.pinnedAt = pinnedAt
  }
}

/// A message to be stored.
package struct NewMessage: Sendable {
  package var roomID: RoomID
  package var senderID: UserID
  /// The sender's id for it.
  package var clientID: ClientMessageID
  /// The checked text; for a forwarded message the store copies the original's text.
  package var text: String
  /// The message it replies to, which must exist in the room.
  package var replyTo: Int?
  /// The message it forwards, which the sender must be able to see.
  package var forward: MessageAddress?
  package var createdAt: Timestamp

  package init(
    roomID: RoomID, senderID: UserID, clientID: ClientMessageID, text: String, replyTo: Int? = nil,
    forward: MessageAddress? = nil, createdAt: Timestamp
  ) {
    self.roomID = roomID
    self.senderID = senderID
    self.clientID = clientID
    self.text = text
    self.replyTo = replyTo
    self.forward = forward
    self.createdAt = createdAt
  }
}

/// The address of a message.
package struct MessageAddress: Hashable, Sendable {
  /// The room.
  package var roomID: RoomID
  /// Its `seq`.
  package var seq: Int

  package init(roomID: RoomID, seq: Int) {
    self.roomID = roomID
    self.seq = seq
  }
}

/// A range of a room's messages; `limit` is 1 to 200.
package enum MessageRange: Hashable, Sendable {
  /// The newest ones.
  case newest(limit: Int)
  /// Those with a lower `seq`; if there are too many, the nearest.
  case before(seq: Int, limit: Int)
  /// Those with a higher `seq`.
  case after(seq: Int, limit: Int)
  /// The message itself and about as many on either side.
  case around(seq: Int, limit: Int)
  /// Around the first message stored at or after `date`, or the newest if there is none.
  case on(date: Timestamp, limit: Int)
}

/// A range of a room's messages, ascending by `seq`.
package struct MessagePage: Sendable {
  /// The messages.
  package var messages: [Message]
  /// Whether the reader can see earlier ones.
  package var hasEarlier: Bool
  /// Whether later ones exist.
  package var hasLater: Bool

  package init(messages: [Message], hasEarlier: Bool, hasLater: Bool) {
    self.messages = messages
    self.hasEarlier = hasEarlier
    self.hasLater = hasLater
  }
}
