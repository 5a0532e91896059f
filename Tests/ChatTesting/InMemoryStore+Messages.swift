import Chat

extension InMemoryStore {
  func append(_ new: NewMessage) async throws -> (message: Message, isNew: Bool) {
    try write { state throws(ChatError) in
      let room = try stored(new.roomID, new.senderID, state)
      let sent = state.rooms.values.lazy.flatMap(\.messages)
        .first { $0.sent.senderID == new.senderID && $0.sent.clientID == new.clientID }
      if let sent {
        guard isRepeat(new, of: sent) else { throw .conflict("This client_id was used for another message.") }
        return (fresh(sent, room, new.senderID, state), false)
      }
      if let replyTo = new.replyTo, !visible(room, new.senderID, state).contains(where: { $0.seq == replyTo }) {
        throw .invalid([FieldError(field: "reply_to", code: "invalid", detail: "There is no such message.")])
      }
      guard let sender = state.users[new.senderID] else { throw .notFound }
      var message = Message(
        roomID: new.roomID, seq: room.messages.count + 1, clientID: new.clientID, sender: Face(sender), text: new.text,
        replyTo: new.replyTo, createdAt: new.createdAt)
      if let source = new.forward { try take(source, into: &message, new.senderID, state) }
      message.mentions = mentioned(in: message.text, room, new.senderID, state)
      try showAgain(new.roomID, &state)
      let position = state.lastEventID + 1
      state.rooms[room.id]?.messages.append(StoredMessage(message: message, sent: new))
      state.rooms[room.id]?.updatedAt = new.createdAt
      state.rooms[room.id]?.position = position
      log(.messageCreated(message), to: .members(room.id, room.members), &state)
      if let before = room.receipts[new.senderID] { moveReceipt(by: message, before, room, &state) }
      message.marks = MessageMarks()
      return (message, true)
    }
  }

  /// The sender's pointers go on to their message where nothing that they have not read or received lies between. Others
  /// are told unless they can tell: it stood right behind the pointers that they know.
  private func moveReceipt(by message: Message, _ before: Receipt, _ room: StoredRoom, _ state: inout State) {
    let unread = visible(room, before.userID, state).contains {
      $0.seq > before.readSeq && $0.sender.id != before.userID && $0.deletedAt == nil
    }
    let last = room.messages.count
    var receipt = before
    if !unread { receipt.readSeq = message.seq }
    if !unread || before.deliveredSeq == last { receipt.deliveredSeq = message.seq }
    state.rooms[room.id]?.receipts[before.userID] = receipt
    let known = before.toOthers(joinedSeq: room.views[before.userID]?.joinedSeq ?? 0)
    if receipt.readSeq > last && known.readSeq < last || receipt.deliveredSeq > last && known.deliveredSeq < last {
      logReceipt(receipt, before, room, &state)
    }
  }

  func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp) async throws -> Message {
    try write { state throws(ChatError) in
      var message = try message(seq, room, user, state)
      guard message.sender.id == user else { throw .forbidden("This is another's message.") }
      guard message.deletedAt == nil else { throw .conflict("The message is deleted.") }
      guard message.forwardedFrom == nil else { throw .forbidden("A forwarded message cannot be edited.") }
      message.text = text
      message.editedAt = time
      message.mentions = mentioned(in: text, try stored(room, user, state), user, state)
      state.rooms[room]?.messages[seq - 1].message = withoutMarks(message)
      for index in state.log.indices { scrub(message, &state.log[index]) }
      log(.messageUpdated(withoutMarks(message)), to: .members(room, try stored(room, user, state).members), &state)
      return message
    }
  }

  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      var message = try message(seq, room, user, state)
      let isModerator = known.kind == .group && (known.views[user]?.role ?? .member) != .member
      guard message.sender.id == user || isModerator else { throw .forbidden("This is another's message.") }
      guard message.deletedAt == nil else { return }
      message.text = ""
      message.deletedAt = time
      message.mentions = []
      message = withoutMarks(message)
      state.rooms[room]?.messages[seq - 1].message = message
      state.rooms[room]?.messages[seq - 1].reactions = []
      state.rooms[room]?.pins.removeAll { $0.seq == seq }
      for index in state.log.indices { scrub(message, &state.log[index]) }
      log(.messageDeleted(message), to: .members(room, known.members), &state)
    }
  }

  func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message {
    try read { state throws(ChatError) in try message(seq, room, user, state) }
  }

  func messages(in room: RoomID, for user: UserID, _ range: MessageRange) async throws -> Snapshot<MessagePage> {
    try read { state throws(ChatError) in
      let all = visible(try stored(room, user, state), user, state)
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

  /// All messages that a member can see in a room.
  func visible(_ room: StoredRoom, _ user: UserID, _ state: State) -> [Message] {
    let view = room.views[user] ?? RoomView()
    return room.messages.filter { $0.message.seq > view.clearedSeq && !view.hidden.contains($0.message.seq) }
      .map { fresh($0, room, user, state) }
  }

  func withoutMarks(_ message: Message) -> Message {
    var message = message
    message.marks = nil
    return message
  }

  /// The message with current names, and with reactions and pin as `user` sees them.
  func fresh(_ stored: StoredMessage, _ room: StoredRoom, _ user: UserID, _ state: State) -> Message {
    var message = stored.message
    message.sender = state.users[message.sender.id].map { Face($0) } ?? message.sender
    message.forwardedFrom = message.forwardedFrom.map { author in state.users[author.id].map { Face($0) } ?? author }
    var marks = MessageMarks(pinnedAt: room.pins.first { $0.seq == message.seq }?.at)
    for reaction in stored.reactions {
      let index = marks.reactions.firstIndex { $0.emoji == reaction.emoji }
      if let index {
        marks.reactions[index].count += 1
        marks.reactions[index].isMine = marks.reactions[index].isMine || reaction.user == user
      } else {
        marks.reactions.append(
          MessageMarks.Reaction(emoji: reaction.emoji, count: 1, isMine: reaction.user == user))
      }
    }
    message.marks = marks
    return message
  }

  private func isRepeat(_ new: NewMessage, of sent: StoredMessage) -> Bool {
    guard sent.sent.roomID == new.roomID, sent.sent.replyTo == new.replyTo else { return false }
    if sent.message.deletedAt != nil { return true }
    return new.forward == nil ? sent.sent.text == new.text : sent.sent.forward != nil
  }

  private func take(
    _ source: MessageAddress, into message: inout Message, _ user: UserID, _ state: State
  ) throws(ChatError) {
    let room = state.rooms[source.roomID].flatMap { $0.members.contains(user) ? $0 : nil }
    let original = room.flatMap { visible($0, user, state).first { $0.seq == source.seq && $0.deletedAt == nil } }
    guard let original else {
      throw .invalid([FieldError(field: "forward", code: "invalid", detail: "There is no such message.")])
    }
    message.text = original.text
    message.forwardedFrom = original.forwardedFrom ?? original.sender
  }

  private func mentioned(in text: String, _ room: StoredRoom, _ user: UserID, _ state: State) -> [UserID] {
    let mentioned = Set(Mentions.handles(in: text).compactMap { state.handles[$0] })
    return room.members.filter { $0 != user && mentioned.contains($0) }.sorted()
  }

  func showAgain(
    _ id: RoomID, to users: [UserID]? = nil, _ state: inout State
  ) throws(ChatError) {
    for user in (users ?? state.rooms[id]?.members ?? []).sorted() where state.rooms[id]?.views[user]?.isHidden == true
    {
      state.rooms[id]?.views[user]?.isHidden = false
      log(.roomCreated(try view(try stored(id, user, state), user, state)), to: .user(user), &state)
    }
  }

  private func around(_ seq: Int, _ limit: Int, _ all: [Message]) -> [Message] {
    let place = min(all.filter { $0.seq < seq }.count, max(0, all.count - 1))
    let start = max(0, min(place - limit / 2, all.count - limit))
    return Array(all.dropFirst(start).prefix(limit))
  }

  func message(_ seq: Int, _ room: RoomID, _ user: UserID, _ state: State) throws(ChatError) -> Message {
    let found = visible(try stored(room, user, state), user, state).first { $0.seq == seq }
    guard let found else { throw .notFound }
    return found
  }

  /// Removes the former text of an edited or deleted message from a log entry.
  private func scrub(_ changed: Message, _ entry: inout LogEntry) {
    func empty(_ message: Message) -> Message? {
      guard message.roomID == changed.roomID, message.seq == changed.seq, !message.text.isEmpty else { return nil }
      var message = message
      message.text = ""
      message.deletedAt = changed.deletedAt
      message.mentions = []
      return message
    }
    switch entry.event {
    case .messageCreated(let message): entry.event = empty(message).map { .messageCreated($0) } ?? entry.event
    case .messageUpdated(let message): entry.event = empty(message).map { .messageUpdated($0) } ?? entry.event
    default: return
    }
    guard let event = entry.event else { return }
    var json = JSONWriter()
    json.value(event)
    entry.logged.data = json.bytes
  }
}

extension MessageRange {
  /// The position of an empty range: all messages are below `lowest`, or above `highest`.
  fileprivate var missing: (lowest: Int, highest: Int) {
    switch self {
    case .before(let seq, _): (0, seq - 1)
    case .after(let seq, _): (seq + 1, .max)
    case .newest, .around, .on: (0, .max)
    }
  }
}
