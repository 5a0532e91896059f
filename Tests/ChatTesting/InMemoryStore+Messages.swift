import Chat

extension InMemoryStore {
  func append(_ new: NewMessage) async throws -> (message: Message, isNew: Bool) {
    try write { state throws(ChatError) in
      let room = try stored(new.roomID, new.senderID, state)
      let sent = state.rooms.values.lazy.flatMap(\.messages)
        .first { $0.sent.senderID == new.senderID && $0.sent.clientID == new.clientID }
      if let sent {
        guard (sent.sent.roomID, sent.sent.text, sent.sent.replyTo) == (new.roomID, new.text, new.replyTo) else {
          throw .conflict("This client_id was used for another message.")
        }
        return (fresh(sent.message, state), false)
      }
      if let replyTo = new.replyTo, !(1...max(1, room.messages.count)).contains(replyTo) || room.messages.isEmpty {
        throw .invalid([FieldError(field: "reply_to", code: "invalid", detail: "There is no such message.")])
      }
      guard let sender = state.users[new.senderID] else { throw .notFound }
      let message = Message(
        roomID: new.roomID, seq: room.messages.count + 1, clientID: new.clientID, sender: sender, text: new.text,
        replyTo: new.replyTo, createdAt: new.createdAt)
      state.rooms[room.id]?.messages.append(StoredMessage(message: message, sent: new))
      state.rooms[room.id]?.updatedAt = new.createdAt
      let receipt = Receipt(
        roomID: room.id, userID: new.senderID, deliveredSeq: message.seq, readSeq: message.seq)
      let before = state.rooms[room.id]?.receipts.updateValue(receipt, forKey: new.senderID)
      log(.messageCreated(message), to: .members(room.id, room.members), &state)
      if let before, min(before.readSeq, before.deliveredSeq) < room.messages.count {
        logReceipt(receipt, before, room, &state)
      }
      return (message, true)
    }
  }

  func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp) async throws -> Message {
    try write { state throws(ChatError) in
      var message = try own(seq, room, user, state)
      guard message.deletedAt == nil else { throw .conflict("The message is deleted.") }
      message.text = text
      message.editedAt = time
      try replace(message, user, &state)
      log(.messageUpdated(message), to: .members(room, try stored(room, user, state).members), &state)
      return message
    }
  }

  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      var message = try own(seq, room, user, state)
      guard message.deletedAt == nil else { return }
      message.text = ""
      message.deletedAt = time
      try replace(message, user, &state)
      for index in state.log.indices { scrub(message, &state.log[index]) }
      log(.messageDeleted(message), to: .members(room, try stored(room, user, state).members), &state)
    }
  }

  func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message {
    try read { state throws(ChatError) in try message(seq, room, user, state) }
  }

  func messages(in room: RoomID, for user: UserID, _ range: MessageRange) async throws -> Snapshot<MessagePage> {
    try read { state throws(ChatError) in
      let all = try stored(room, user, state).messages.map { fresh($0.message, state) }
      let part: [Message]
      switch range {
      case .newest(let limit): part = all.suffix(limit)
      case .before(let seq, let limit): part = all.filter { $0.seq < seq }.suffix(limit)
      case .after(let seq, let limit): part = Array(all.filter { $0.seq > seq }.prefix(limit))
      case .around(let seq, let limit): part = around(seq, limit, all)
      case .on(let date, let limit):
        part = all.first { $0.createdAt >= date }.map { around($0.seq, limit, all) } ?? all.suffix(limit)
      }
      let page = MessagePage(
        messages: part, hasEarlier: all.contains { $0.seq < part.first?.seq ?? range.missing.lowest },
        hasLater: all.contains { $0.seq > part.last?.seq ?? range.missing.highest })
      return Snapshot(value: page, eventID: state.lastEventID)
    }
  }

  /// The message with its sender's present name.
  func fresh(_ message: Message, _ state: State) -> Message {
    var message = message
    message.sender = state.users[message.sender.id] ?? message.sender
    return message
  }

  private func around(_ seq: Int, _ limit: Int, _ all: [Message]) -> [Message] {
    let start = max(0, min(seq - 1 - limit / 2, all.count - limit))
    return Array(all.dropFirst(start).prefix(limit))
  }

  private func message(_ seq: Int, _ room: RoomID, _ user: UserID, _ state: State) throws(ChatError) -> Message {
    let messages = try stored(room, user, state).messages
    guard messages.indices.contains(seq - 1) else { throw .notFound }
    return fresh(messages[seq - 1].message, state)
  }

  private func own(_ seq: Int, _ room: RoomID, _ user: UserID, _ state: State) throws(ChatError) -> Message {
    let message = try message(seq, room, user, state)
    guard message.sender.id == user else { throw .forbidden("This is another's message.") }
    return message
  }

  private func replace(_ message: Message, _ user: UserID, _ state: inout State) throws(ChatError) {
    state.rooms[message.roomID]?.messages[message.seq - 1].message = message
  }

  /// Takes a deleted message's text out of an entry of the log.
  private func scrub(_ deleted: Message, _ entry: inout LogEntry) {
    func empty(_ message: Message) -> Message? {
      guard message.roomID == deleted.roomID, message.seq == deleted.seq else { return nil }
      var message = message
      message.text = ""
      message.deletedAt = deleted.deletedAt
      return message
    }
    switch entry.event {
    case .messageCreated(let message): entry.event = empty(message).map { .messageCreated($0) } ?? entry.event
    case .messageUpdated(let message): entry.event = empty(message).map { .messageUpdated($0) } ?? entry.event
    default: return
    }
    guard let event = entry.event else { return }
    var json = JSONWriter()
    json.value(event, presence)
    entry.logged.data = json.bytes
  }
}

extension MessageRange {
  /// Where an empty part lies: all messages are below `lowest`, or above `highest`.
  fileprivate var missing: (lowest: Int, highest: Int) {
    switch self {
    case .before(let seq, _): (0, seq - 1)
    case .after(let seq, _): (seq + 1, .max)
    case .newest, .around, .on: (0, .max)
    }
  }
}
