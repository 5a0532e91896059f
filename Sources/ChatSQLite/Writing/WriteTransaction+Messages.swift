import Chat
import GRDB

extension WriteTransaction {
  func append(_ new: NewMessage) throws -> (message: Message, isNew: Bool) {
    let membership = try database.membership(in: new.roomID, of: new.senderID)
    if let (earlier, room) = try database.message(of: membership.member, clientID: new.clientID) {
      guard room == membership.room, earlier.isRepeated(by: new) else {
        throw ChatError.conflict("Another message was sent with this client_id.")
      }
      return (try original(earlier, new, membership), false)
    }
    if let replyTo = new.replyTo { try checkReply(replyTo, membership) }
    var message = Message(
      roomID: new.roomID, seq: membership.lastSeq + 1, clientID: new.clientID, sender: try sender(membership),
      text: new.text, replyTo: new.replyTo, createdAt: new.createdAt)
    let author = try new.forward.map { try takeText(from: $0, into: &message, for: new.senderID) }
    let mentioned = try database.mentioned(in: message.text, membership)
    message.mentions = mentioned.map(\.id)
    try showAgain(new.roomID, membership)
    try insert(message, author: author, membership)
    try keep(mentioned.map(\.key), message.seq, membership)
    try log(.messageCreated(message), room: membership.room, new.roomID, seq: message.seq)
    try logReading(by: message, membership)
    message.marks = MessageMarks()
    return (message, true)
  }

  func edit(
    _ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp
  ) throws -> Message {
    let membership = try database.membership(in: room, of: user)
    let stored = try ownMessage(seq, membership)
    guard stored.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
    guard stored.forwardedFrom == nil else { throw ChatError.forbidden("A forwarded message says what another wrote.") }
    try database.run(
      """
      UPDATE messages SET text = ?, edited_at = ?, sent_digest = coalesce(sent_digest, ?) WHERE room = ? AND seq = ?
      """, [text, time.milliseconds, stored.text.digest, membership.room, seq])
    index(SearchChange(membership.room, seq, sender: stored.sender, from: stored.text, to: text))
    try database.run("DELETE FROM mentions WHERE room = ? AND seq = ?", [membership.room, seq])
    try keep(database.mentioned(in: text, membership).map(\.key), seq, membership)
    let message = try database.message(seq, in: room, for: membership)
    try log(.messageUpdated(message.forEverybody), room: membership.room, room, seq: seq)
    return message
  }

  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) throws {
    let membership = try database.membership(in: room, of: user)
    let stored = try database.message(seq, visibleTo: membership)
    guard stored.sender == membership.member || membership.isModerator else {
      throw ChatError.forbidden("This is somebody else's message.")
    }
    guard stored.deletedAt == nil else { return }
    try database.run(
      "UPDATE messages SET text = '', deleted_at = ?, sent_digest = NULL WHERE room = ? AND seq = ?",
      [time.milliseconds, membership.room, seq])
    for table in ["mentions", "reactions", "pins"] {
      try database.run("DELETE FROM \(table) WHERE room = ? AND seq = ?", [membership.room, seq])
    }
    try database.run(
      """
      UPDATE events SET data = json_set(data, '$.text', '', '$.deleted_at', ?, '$.mentions', json('[]'))
      WHERE id IN (SELECT id FROM events INDEXED BY events_by_message WHERE room = ? AND seq = ? AND seq IS NOT NULL)
      """, [time.description, membership.room, seq])
    index(SearchChange(membership.room, seq, sender: stored.sender, from: stored.text, to: nil))
    try database.run(
      """
      UPDATE events SET data = json_set(data, '$.last_message.text', '', '$.last_message.deleted_at', ?1,
        '$.last_message.mentions', json('[]'))
      WHERE quoted_room = ?2 AND seq = ?3
      """, [time.description, membership.room, seq])
    let message = try database.message(seq, in: room, for: membership)
    try log(.messageDeleted(message.forEverybody), room: membership.room, room, seq: seq)
  }

  /// The message as it is now, for who sends it again; also where he has cleared or hidden it since.
  private func original(_ stored: StoredMessage, _ new: NewMessage, _ membership: Membership) throws -> Message {
    var people = PeopleSeen()
    var messages = [try database.message(stored, in: new.roomID, &people)]
    try database.complete(&messages, membership)
    return messages[0]
  }

  /// The message stands in its place, the room moves up, and the sender has read what he answers to. The next event is
  /// the one that tells of it.
  private func insert(_ message: Message, author: Int64?, _ membership: Membership) throws {
    try database.run(
      """
      INSERT INTO messages (room, seq, sender, client_id, text, reply_to, created_at, forwarded_from)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        membership.room, message.seq, membership.member, message.clientID, message.text, message.replyTo,
        message.createdAt.milliseconds, author,
      ])
    index(SearchChange(membership.room, message.seq, sender: membership.member, from: nil, to: message.text))
    try database.run(
      "UPDATE rooms SET last_seq = ?, updated_at = ?, position = ? WHERE key = ?",
      [message.seq, message.createdAt.milliseconds, lastEventID() + 1, membership.room])
    try database.run(
      "UPDATE memberships SET read_seq = ?1, delivered_seq = ?1, has_own_unread = 0 WHERE room = ?2 AND member = ?3",
      [message.seq, membership.room, membership.member])
  }

  /// Whoever took the room off his list gets it back, before he hears of the message (L4).
  private func showAgain(_ id: RoomID, _ membership: Membership) throws {
    let hidden = try database.all(
      """
      SELECT m.member, u.id FROM memberships m INDEXED BY memberships_hidden JOIN users u ON u.key = m.member
      WHERE m.room = ? AND m.hidden_seq >= 0 ORDER BY m.member
      """, [membership.room]
    ) { (member: $0[0] as Int64, id: $0.id(1) as UserID) }
    for reader in hidden {
      try database.run(
        "UPDATE memberships SET hidden_seq = -1 WHERE room = ? AND member = ?", [membership.room, reader.member])
      try logRoom(Event.roomCreated, membership.room, reader: reader.member, reader.id)
    }
  }

  /// Keeps whom a message mentions.
  private func keep(_ mentioned: [Int64], _ seq: Int, _ membership: Membership) throws {
    for member in mentioned {
      try database.run(
        "INSERT INTO mentions (member, room, seq) VALUES (?, ?, ?)", [member, membership.room, seq])
    }
  }

  /// What is forwarded is what stands there now, and who wrote it first stays known. Returns that person's key.
  private func takeText(from source: MessageAddress, into message: inout Message, for user: UserID) throws -> Int64 {
    do {
      let original = try database.message(source.seq, visibleTo: database.membership(in: source.roomID, of: user))
      guard original.deletedAt == nil else { throw ChatError.notFound }
      let author = original.forwardedFrom ?? original.sender
      message.text = original.text
      message.forwardedFrom = try database.user(key: author)?.user
      return author
    } catch ChatError.notFound {
      throw ChatError.invalid([
        FieldError(field: "forward", code: "invalid", detail: "There is no such message to forward.")
      ])
    }
  }

  /// Who writes has read what was there; where that moved his pointers over others' messages, his devices and theirs hear
  /// of it. That he has read his own message goes without saying.
  private func logReading(by message: Message, _ before: Membership) throws {
    guard before.readSeq < before.lastSeq || before.deliveredSeq < before.lastSeq else { return }
    let receipt = Receipt(
      roomID: message.roomID, userID: message.sender.id, deliveredSeq: message.seq, readSeq: message.seq)
    try logReceipt(receipt, before: before)
  }

  private func checkReply(_ replyTo: Int, _ membership: Membership) throws {
    do {
      _ = try database.message(replyTo, visibleTo: membership)
    } catch ChatError.notFound {
      throw ChatError.invalid([
        FieldError(field: "reply_to", code: "invalid", detail: "There is no such message in this chat.")
      ])
    }
  }

  private func ownMessage(_ seq: Int, _ membership: Membership) throws -> StoredMessage {
    let stored = try database.message(seq, visibleTo: membership)
    guard stored.sender == membership.member else { throw ChatError.forbidden("This is somebody else's message.") }
    return stored
  }

  private func sender(_ membership: Membership) throws -> User {
    guard let sender = try database.user(key: membership.member) else { throw ChatError.notFound }
    return sender.user
  }
}

extension Message {
  /// Without what only its reader is shown: an event is told to many.
  var forEverybody: Message {
    var message = self
    message.marks = nil
    return message
  }
}
