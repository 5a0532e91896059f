import Chat
import GRDB

extension SQLiteStore {
  package func append(_ message: NewMessage) async throws -> (message: Message, isNew: Bool) {
    let appended = try await write { try $0.append(message) }
    if appended.hasMoreHidden {
      // Whoever is left out by a crash is shown the room by the next message.
      Task { while try await write({ try $0.showAgain(message.roomID) }) {} }
    }
    return (appended.message, appended.isNew)
  }

  package func edit(
    _ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp
  ) async throws -> Message {
    try await write { try $0.edit(seq, in: room, by: user, text: text, at: time) }
  }

  package func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try await write { try $0.delete(seq, in: room, by: user, at: time) }
  }

  package func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message {
    try read { database in
      let faces = Faces(caches)
      return try database.message(seq, in: room, for: database.membership(in: room, of: user), faces)
    }
  }
}

/// A row of `messages`.
struct StoredMessage {
  var seq: Int
  var sender: Int64
  var clientID: ClientMessageID
  var text: String
  var replyTo: Int?
  var createdAt: Timestamp
  var editedAt: Timestamp?
  var deletedAt: Timestamp?
  /// The digest of the text as first sent; set once it has been edited.
  var sentDigest: Int64?
  var forwardedFrom: Int64?
  /// The message's own members, encoded.
  var json: EncodedMembers

  /// The columns that `init` decodes, from `messages s`.
  static let columns = """
    s.seq, s.sender, s.client_id, s.text, s.reply_to, s.created_at, s.edited_at, s.deleted_at, s.sent_digest,
    s.forwarded_from, s.json
    """
  static let columnCount = 11

  init(_ row: ResultRow, from start: Int = 0) {
    seq = row[start]
    sender = row[start + 1]
    clientID = row.id(start + 2)
    text = row[start + 3]
    replyTo = row[start + 4]
    createdAt = row.time(start + 5)
    editedAt = row.timeIfAny(start + 6)
    deletedAt = row.timeIfAny(start + 7)
    sentDigest = row[start + 8]
    forwardedFrom = row[start + 9]
    json = EncodedMembers(row[start + 10])
  }

  /// Whether `other` is a retry of this message: compares the text as sent, not as edited. Nothing comparable is kept
  /// of a deleted message, so the sender is believed. Of a forwarded message only the fact is known, since the original
  /// text may have changed.
  func isRepeated(by other: NewMessage) -> Bool {
    guard replyTo == other.replyTo else { return false }
    if deletedAt != nil { return true }
    if other.forward != nil { return forwardedFrom != nil }
    if let sentDigest { return sentDigest == other.text.digest }
    return text == other.text
  }
}

extension Database {
  private static let messageBySeq = "SELECT \(StoredMessage.columns) FROM messages s WHERE s.room = ? AND s.seq = ?"
  private static let messageByClientID = """
    SELECT \(StoredMessage.columns), s.room FROM messages s WHERE s.sender = ? AND s.client_id = ?
    """
  private static let hiddenMessage = "SELECT 1 FROM hidden_messages WHERE member = ? AND room = ? AND seq = ?"

  /// A message as everyone sees it, without reactions and pins.
  func message(_ seq: Int, inRoom room: Int64, _ id: RoomID, _ faces: Faces = Faces()) throws -> Message {
    guard let stored = try first(Self.messageBySeq, [room, seq], { StoredMessage($0) }) else {
      throw ChatError.notFound
    }
    var message = try message(stored, in: id, faces)
    message.mentions = try mentions(room, seq...seq)[seq] ?? []
    return message
  }

  /// A message that the member can see, or `.notFound`.
  func message(_ seq: Int, visibleTo membership: Membership) throws -> StoredMessage {
    guard (membership.firstSeq...max(membership.firstSeq, membership.lastSeq)).contains(seq),
      let message = try first(Self.messageBySeq, [membership.room, seq], { StoredMessage($0) }),
      try !exists(Self.hiddenMessage, [membership.member, membership.room, seq])
    else { throw ChatError.notFound }
    return message
  }

  /// A message as a member sees it, or `.notFound`.
  func message(
    _ seq: Int, in room: RoomID, for membership: Membership, _ faces: Faces = Faces()
  ) throws -> Message {
    var messages = [try message(message(seq, visibleTo: membership), in: room, faces)]
    try complete(&messages, membership)
    return messages[0]
  }

  /// The message that a sender gave this client id, and its room.
  func message(of sender: Int64, clientID: ClientMessageID) throws -> (message: StoredMessage, room: Int64)? {
    try first(Self.messageByClientID, [sender, clientID]) { (StoredMessage($0), $0[StoredMessage.columnCount]) }
  }

  /// A stored message without mentions, reactions and pins.
  func message(_ stored: StoredMessage, in room: RoomID, _ faces: Faces) throws -> Message {
    var message = Message(
      roomID: room, seq: stored.seq, clientID: stored.clientID, sender: try faces.face(stored.sender, in: self),
      text: stored.text, replyTo: stored.replyTo, createdAt: stored.createdAt, editedAt: stored.editedAt,
      deletedAt: stored.deletedAt,
      forwardedFrom: try stored.forwardedFrom.map { try faces.face($0, in: self) })
    message.encoded = stored.json
    return message
  }
}

extension WriteTransaction {
  func append(_ new: NewMessage) throws -> (message: Message, isNew: Bool, hasMoreHidden: Bool) {
    let membership = try database.membership(in: new.roomID, of: new.senderID)
    if let (earlier, room) = try database.message(of: membership.member, clientID: new.clientID) {
      guard room == membership.room, earlier.isRepeated(by: new) else {
        throw ChatError.conflict("Another message was sent with this client_id.")
      }
      return (try original(earlier, new, membership), false, false)
    }
    if let replyTo = new.replyTo { try checkReply(replyTo, membership) }
    let sender = try Faces().face(membership.member, in: database)
    var message = Message(
      roomID: new.roomID, seq: membership.lastSeq + 1, clientID: new.clientID, sender: sender,
      text: new.text, replyTo: new.replyTo, createdAt: new.createdAt)
    let author = try new.forward.map { try takeText(from: $0, into: &message, for: new.senderID) }
    let mentioned = try database.mentioned(in: message.text, membership)
    message.mentions = mentioned.map(\.id)
    message.encode()
    let hasMoreHidden = try showAgain(membership.room)
    try insert(message, author: author, membership)
    let receipt = try moveReceipt(by: message, membership)
    try keep(mentioned.map(\.key), message.seq, membership)
    try log(.messageCreated(message), room: membership.room, new.roomID, seq: message.seq)
    try logOwnReceipt(receipt, before: membership)
    message.marks = MessageMarks()
    return (message, true, hasMoreHidden)
  }

  func edit(
    _ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp
  ) throws -> Message {
    let membership = try database.membership(in: room, of: user)
    let stored = try ownMessage(seq, membership)
    guard stored.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
    guard stored.forwardedFrom == nil else { throw ChatError.forbidden("A forwarded message cannot be edited.") }
    try markIndexed(where: "s.room = ? AND s.seq = ?", [membership.room, seq], by: user)
    try database.run(
      """
      UPDATE messages SET text = ?, edited_at = ?, sent_digest = coalesce(sent_digest, ?) WHERE room = ? AND seq = ?
      """, [text, time.milliseconds, stored.text.digest, membership.room, seq])
    try database.run("DELETE FROM mentions WHERE room = ? AND seq = ?", [membership.room, seq])
    try keep(database.mentioned(in: text, membership).map(\.key), seq, membership)
    try encodeAnew(seq, membership.room, room)
    try scrubFormerText(of: seq, membership.room)
    let message = try database.message(seq, in: room, for: membership)
    try log(.messageUpdated(message.forEverybody), room: membership.room, room, seq: seq)
    return message
  }

  /// Removes the text before an edit or a deletion from the log; the next event contains what there is now. All events
  /// before the newest one with a text have been scrubbed already.
  private func scrubFormerText(of seq: Int, _ room: Int64, deletedAt: Timestamp? = nil) throws {
    try database.run(
      """
      UPDATE events SET data = json_set(data, '$.text', '', '$.mentions', json('[]'), '$.deleted_at', ?3)
      WHERE id = (SELECT id FROM events INDEXED BY events_by_message WHERE room = ?1 AND seq = ?2 AND seq IS NOT NULL
        AND name IN ('message.created', 'message.updated') ORDER BY id DESC LIMIT 1)
      """, [room, seq, deletedAt?.description])
  }

  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) throws {
    let membership = try database.membership(in: room, of: user)
    let stored = try database.message(seq, visibleTo: membership)
    guard stored.sender == membership.member || membership.isModerator else {
      throw ChatError.forbidden("This is somebody else's message.")
    }
    guard stored.deletedAt == nil else { return }
    try markIndexed(where: "s.room = ? AND s.seq = ?", [membership.room, seq], by: user)
    try database.run(
      "UPDATE messages SET text = '', deleted_at = ?, sent_digest = NULL WHERE room = ? AND seq = ?",
      [time.milliseconds, membership.room, seq])
    for table in ["mentions", "reactions", "pins"] {
      try database.run("DELETE FROM \(table) WHERE room = ? AND seq = ?", [membership.room, seq])
    }
    try encodeAnew(seq, membership.room, room)
    try scrubFormerText(of: seq, membership.room, deletedAt: time)
    let message = try database.message(seq, in: room, for: membership)
    try log(.messageDeleted(message.forEverybody), room: membership.room, room, seq: seq)
  }

  /// Encodes a stored message's own members again after one of them has changed.
  @discardableResult
  func encodeAnew(_ seq: Int, _ room: Int64, _ id: RoomID, _ faces: Faces = Faces()) throws -> Message {
    var message = try database.message(seq, inRoom: room, id, faces)
    message.encode()
    try database.run(
      "UPDATE messages SET json = ? WHERE room = ? AND seq = ?", [UTF8Text(bytes: message.encoded.bytes), room, seq])
    return message
  }

  /// The message as it is now, for a sender who retries it, even if they have cleared or hidden it since.
  private func original(_ stored: StoredMessage, _ new: NewMessage, _ membership: Membership) throws -> Message {
    var messages = [try database.message(stored, in: new.roomID, Faces())]
    try database.complete(&messages, membership)
    return messages[0]
  }

  /// Stores the message and moves the room up. The next event logged is the one that reports it.
  private func insert(_ message: Message, author: Int64?, _ membership: Membership) throws {
    try database.run(
      """
      INSERT INTO messages (room, seq, sender, client_id, text, reply_to, created_at, forwarded_from, json)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        membership.room, message.seq, membership.member, message.clientID, message.text, message.replyTo,
        message.createdAt.milliseconds, author, UTF8Text(bytes: message.encoded.bytes),
      ])
    try markNew(message.seq, in: membership.room, by: message.sender.id)
    try database.run(
      "UPDATE rooms SET last_seq = ?, updated_at = ?, position = ? WHERE key = ?",
      [message.seq, message.createdAt.milliseconds, lastEventID() + 1, membership.room])
  }

  /// As below, after the message that shows the room again.
  func showAgain(_ id: RoomID) throws -> Bool {
    let room: Int64? = try database.first("SELECT key FROM rooms WHERE id = ?", [id]) { $0[0] }
    return try room.map { try showAgain($0) } ?? false
  }

  /// Members who removed the room from their list get it back before the message; in a room that very many removed, some
  /// of them. Returns whether there are more, who are for the next write.
  private func showAgain(_ room: Int64) throws -> Bool {
    let hidden = try database.all(
      """
      SELECT m.member, u.id FROM memberships m INDEXED BY memberships_hidden JOIN users u ON u.key = m.member
      WHERE m.room = ? AND m.hidden_seq >= 0 ORDER BY m.member LIMIT ?
      """, [room, limits.shownAgainAtOnce + 1]
    ) { (member: $0[0] as Int64, id: $0.id(1) as UserID) }
    for reader in hidden.prefix(limits.shownAgainAtOnce) {
      try database.run("UPDATE memberships SET hidden_seq = -1 WHERE room = ? AND member = ?", [room, reader.member])
      try logRoom(Event.roomCreated, room, reader: reader.member, reader.id)
    }
    return hidden.count > limits.shownAgainAtOnce
  }

  /// Stores the people whom a message mentions.
  private func keep(_ mentioned: [Int64], _ seq: Int, _ membership: Membership) throws {
    for member in mentioned {
      try database.run(
        "INSERT INTO mentions (member, room, seq) VALUES (?, ?, ?)", [member, membership.room, seq])
    }
  }

  /// Copies the text of a forwarded message as it is now, and keeps its original author. Returns that person's key.
  private func takeText(from source: MessageAddress, into message: inout Message, for user: UserID) throws -> Int64 {
    do {
      let original = try database.message(source.seq, visibleTo: database.membership(in: source.roomID, of: user))
      guard original.deletedAt == nil else { throw ChatError.notFound }
      let author = original.forwardedFrom ?? original.sender
      message.text = original.text
      message.forwardedFrom = try Faces().face(author, in: database)
      return author
    } catch ChatError.notFound {
      throw ChatError.invalid([
        FieldError(field: "forward", code: "invalid", detail: "There is no such message to forward.")
      ])
    }
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
}

extension Message {
  /// Encodes the message's own members.
  fileprivate mutating func encode() {
    var json = JSONWriter(capacity: 320 + text.utf8.count)
    encoded = EncodedMembers()
    json.ownMembers(of: self)
    encoded = EncodedMembers(json.bytes)
  }

  /// The message without reactions and pin, which differ by reader; for events.
  var forEverybody: Message {
    var message = self
    message.marks = nil
    return message
  }
}
