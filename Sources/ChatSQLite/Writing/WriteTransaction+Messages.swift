import Chat
import GRDB

extension WriteTransaction {
  func append(_ new: NewMessage) throws -> (message: Message, isNew: Bool) {
    let membership = try database.membership(in: new.roomID, of: new.senderID)
    let sender = try sender(membership)
    if let (earlier, room) = try database.message(of: membership.member, clientID: new.clientID) {
      guard room == membership.room, earlier.isRepeated(by: new) else {
        throw ChatError.conflict("Another message was sent with this client_id.")
      }
      return (earlier.message(in: new.roomID, from: sender), false)
    }
    if let replyTo = new.replyTo { try checkReply(replyTo, membership) }
    let message = Message(
      roomID: new.roomID, seq: membership.lastSeq + 1, clientID: new.clientID, sender: sender, text: new.text,
      replyTo: new.replyTo, createdAt: new.createdAt)
    try insert(message, membership)
    try log(.messageCreated(message), room: membership.room, new.roomID, seq: message.seq)
    try logReading(by: message, membership)
    return (message, true)
  }

  func edit(
    _ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp
  ) throws -> Message {
    let membership = try database.membership(in: room, of: user)
    var stored = try ownMessage(seq, membership)
    guard stored.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
    let sender = try sender(membership)
    try database.run(
      """
      UPDATE messages SET text = ?, edited_at = ?, sent_digest = coalesce(sent_digest, ?) WHERE room = ? AND seq = ?
      """, [text, time.milliseconds, stored.text.digest, membership.room, seq])
    index(SearchChange(membership.room, seq, sender: stored.sender, from: stored.text, to: text))
    stored.text = text
    stored.editedAt = time
    let message = stored.message(in: room, from: sender)
    try log(.messageUpdated(message), room: membership.room, room, seq: seq)
    return message
  }

  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) throws {
    let membership = try database.membership(in: room, of: user)
    var stored = try ownMessage(seq, membership)
    guard stored.deletedAt == nil else { return }
    try database.run(
      "UPDATE messages SET text = '', deleted_at = ?, sent_digest = NULL WHERE room = ? AND seq = ?",
      [time.milliseconds, membership.room, seq])
    try database.run(
      """
      UPDATE events SET data = json_set(data, '$.text', '', '$.deleted_at', ?)
      WHERE id IN (SELECT id FROM events INDEXED BY events_by_message WHERE room = ? AND seq = ? AND seq IS NOT NULL)
      """, [time.description, membership.room, seq])
    index(SearchChange(membership.room, seq, sender: stored.sender, from: stored.text, to: nil))
    stored.text = ""
    stored.deletedAt = time
    let message = stored.message(in: room, from: try sender(membership))
    try log(.messageDeleted(message), room: membership.room, room, seq: seq)
  }

  /// The message stands in its place, the room moves up, and the sender has read what he answers to.
  private func insert(_ message: Message, _ membership: Membership) throws {
    try database.run(
      """
      INSERT INTO messages (room, seq, sender, client_id, text, reply_to, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        membership.room, message.seq, membership.member, message.clientID.blob, message.text, message.replyTo,
        message.createdAt.milliseconds,
      ])
    index(SearchChange(membership.room, message.seq, sender: membership.member, from: nil, to: message.text))
    try database.run(
      "UPDATE rooms SET last_seq = ?, updated_at = ? WHERE key = ?",
      [message.seq, message.createdAt.milliseconds, membership.room])
    try database.run(
      "UPDATE memberships SET read_seq = ?1, delivered_seq = ?1 WHERE room = ?2 AND member = ?3",
      [message.seq, membership.room, membership.member])
  }

  /// Who writes has read what was there; where that moved his pointers over others' messages, his devices and theirs hear
  /// of it. That he has read his own message goes without saying.
  private func logReading(by message: Message, _ before: Membership) throws {
    guard before.readSeq < before.lastSeq || before.deliveredSeq < before.lastSeq else { return }
    let receipt = Receipt(
      roomID: message.roomID, userID: message.sender.id, deliveredSeq: message.seq, readSeq: message.seq)
    try log(.receiptUpdated(receipt), room: before.room, message.roomID)
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
