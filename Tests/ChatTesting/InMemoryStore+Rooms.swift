import Chat

extension InMemoryStore {
  func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) async throws -> (room: Room, isNew: Bool) {
    try write { state throws(ChatError) in
      guard user != peer else { throw .invalid([FieldError(field: "user_id", code: "invalid", detail: "")]) }
      guard state.users[user] != nil, state.users[peer] != nil else { throw .notFound }
      if let known = state.rooms.values.first(where: { $0.kind == .direct && Set($0.members) == [user, peer] }) {
        if known.messages.isEmpty, known.views[user]?.isHidden == true {
          let event = state.lastEventID + 1
          state.rooms[known.id]?.views[user]?.isHidden = false
          state.rooms[known.id]?.views[user]?.joinedEvent = event
          log(.roomCreated(try view(try stored(known.id, user, state), user, state)), to: .user(user), &state)
        }
        return (try view(try stored(known.id, user, state), user, state), false)
      }
      let members = [user, peer]
      var receipts: [UserID: Receipt] = [:]
      for id in members { receipts[id] = Receipt(roomID: newID, userID: id, deliveredSeq: 0, readSeq: 0) }
      let room = StoredRoom(
        id: newID, members: members, createdAt: time, updatedAt: time, position: state.lastEventID + 1,
        receipts: receipts, views: [peer: RoomView(isHidden: true)])
      state.rooms[newID] = room
      log(.roomCreated(try view(room, user, state)), to: .user(user), &state)
      return (try view(room, user, state), true)
    }
  }

  func room(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { state throws(ChatError) in
      Snapshot(value: try view(try stored(id, user, state), user, state), eventID: state.lastEventID)
    }
  }

  func rooms(of user: UserID, after cursor: RoomCursor?, limit: Int) async throws -> Snapshot<[Room]> {
    try read { state throws(ChatError) in
      guard state.users[user] != nil else { throw .notFound }
      var rooms: [Room] = []
      for room in state.rooms.values where room.members.contains(user) { rooms.append(try view(room, user, state)) }
      func place(_ isPinned: Bool, _ position: EventID) -> (Int, EventID) { (isPinned ? 1 : 0, position) }
      let page = rooms.filter { !$0.isHidden }
        .sorted { place($0.isPinned, $0.position) > place($1.isPinned, $1.position) }
        .drop { room in
          cursor.map { place(room.isPinned, room.position) >= place($0.isPinned, $0.position) } ?? false
        }
        .prefix(limit)
      return Snapshot(value: Array(page), eventID: state.lastEventID)
    }
  }

  func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      guard let before = known.receipts[user] else { throw .notFound }
      var receipt = before
      receipt.readSeq = max(receipt.readSeq, min(read ?? 0, known.messages.count))
      receipt.deliveredSeq = max(receipt.deliveredSeq, min(delivered ?? 0, known.messages.count), receipt.readSeq)
      if receipt != before { set(receipt, before, known, &state) }
      return receipt
    }
  }

  func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      guard let before = known.receipts[user] else { throw .notFound }
      var receipt = before
      receipt.readSeq = min(receipt.readSeq, max(0, seq - 1))
      if receipt != before { set(receipt, before, known, &state) }
      return receipt
    }
  }

  func receipts(in room: RoomID, for user: UserID) async throws -> Snapshot<[Receipt]> {
    try read { state throws(ChatError) in
      let known = try stored(room, user, state)
      let receipts = known.receipts.values.sorted { $0.userID < $1.userID }
      return Snapshot(value: receipts.map { shown($0, in: known, to: user, state) }, eventID: state.lastEventID)
    }
  }

  func stored(_ id: RoomID, _ user: UserID, _ state: State) throws(ChatError) -> StoredRoom {
    guard let room = state.rooms[id], room.members.contains(user) else { throw .notFound }
    return room
  }

  private func set(_ receipt: Receipt, _ before: Receipt, _ room: StoredRoom, _ state: inout State) {
    state.rooms[room.id]?.receipts[receipt.userID] = receipt
    logReceipt(receipt, before, room, &state)
  }

  func view(_ room: StoredRoom, _ user: UserID, _ state: State) throws(ChatError) -> Room {
    var peer = room.kind == .group ? nil : room.members.first { $0 != user }.flatMap { state.users[$0] }
    peer?.lastSeenAt = nil
    let view = room.views[user] ?? RoomView()
    let readSeq = room.receipts[user]?.readSeq ?? 0
    let seen = visible(room, user, state)
    let unread = seen.filter { $0.seq > readSeq && $0.sender.id != user && $0.deletedAt == nil }
    return Room(
      id: room.id, kind: room.kind, name: peer?.name ?? room.name, topic: room.topic, peer: peer,
      isPublic: room.isPublic, repository: room.repository, picture: room.picture,
      membersCount: room.members.count, role: view.role,
      isMuted: view.isMuted, isPinned: view.isPinned, isHidden: view.isHidden, mentionLevel: view.mentionLevel,
      lastSeq: room.messages.count, readSeq: readSeq, clearedSeq: view.clearedSeq,
      clearedChange: view.clearedChange, unreadCount: unread.count,
      mentionCount: seen.filter { $0.seq > readSeq && $0.mentions.contains(user) }.count,
      lastMessage: seen.last.map(withoutMarks), draft: view.draft, createdAt: room.createdAt,
      updatedAt: room.updatedAt, position: max(room.position, view.joinedEvent))
  }
}

extension InMemoryStore.State {
  var lastEventID: EventID { trimmedTo + EventID(log.count) }
}
