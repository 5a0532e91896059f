import Chat

extension InMemoryStore {
  func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) async throws -> (room: Room, isNew: Bool) {
    try write { state throws(ChatError) in
      guard user != peer else { throw .invalid([FieldError(field: "user_id", code: "invalid", detail: "")]) }
      guard state.users[user] != nil, state.users[peer] != nil else { throw .notFound }
      if let known = state.rooms.values.first(where: { Set($0.members) == [user, peer] }) {
        return (try view(known, user, state), false)
      }
      let members = [user, peer]
      var receipts: [UserID: Receipt] = [:]
      for id in members { receipts[id] = Receipt(roomID: newID, userID: id, deliveredSeq: 0, readSeq: 0) }
      let room = StoredRoom(id: newID, members: members, createdAt: time, updatedAt: time, receipts: receipts)
      state.rooms[newID] = room
      for id in members { log(.roomCreated(try view(room, id, state)), to: .user(id), &state) }
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
      let page = rooms.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
        .drop { room in cursor.map { (room.updatedAt, room.id) >= ($0.updatedAt, $0.id) } ?? false }
        .prefix(limit)
      return Snapshot(value: Array(page), eventID: state.lastEventID)
    }
  }

  func members(of room: RoomID, for user: UserID) async throws -> [(user: User, role: Room.Role)] {
    await gate()
    return try read { state throws(ChatError) in
      try stored(room, user, state).members.compactMap { state.users[$0] }
        .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }.map { ($0, .member) }
    }
  }

  func setDraft(_ draft: String, in room: RoomID, of user: UserID) async throws {
    try write { state throws(ChatError) in
      _ = try stored(room, user, state)
      state.rooms[room]?.drafts[user] = draft
      log(.draftUpdated(roomID: room, draft: draft), to: .user(user), &state)
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
      Snapshot(
        value: try stored(room, user, state).receipts.values.sorted { $0.userID < $1.userID }
          .map { shown($0, to: user, state) },
        eventID: state.lastEventID)
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

  private func view(_ room: StoredRoom, _ user: UserID, _ state: State) throws(ChatError) -> Room {
    guard let peerID = room.members.first(where: { $0 != user }), let peer = state.users[peerID] else {
      throw .notFound
    }
    let readSeq = room.receipts[user]?.readSeq ?? 0
    let unread = room.messages.filter {
      $0.message.seq > readSeq && $0.message.sender.id != user && $0.message.deletedAt == nil
    }
    return Room(
      id: room.id, kind: .direct, name: peer.name, peer: peer, membersCount: room.members.count,
      lastSeq: room.messages.count, readSeq: readSeq, unreadCount: unread.count,
      lastMessage: room.messages.last.map { fresh($0.message, state) }, draft: room.drafts[user] ?? "",
      createdAt: room.createdAt, updatedAt: room.updatedAt)
  }
}

extension InMemoryStore.State {
  var lastEventID: EventID { trimmedTo + EventID(log.count) }
}
