import Chat

extension InMemoryStore {
  func createGroup(_ group: NewGroup) async throws -> Room {
    try write { state throws(ChatError) in
      guard state.users[group.makerID] != nil else { throw .notFound }
      var members = [group.makerID]
      for id in group.memberIDs where !members.contains(id) {
        guard state.users[id] != nil else {
          throw .invalid([FieldError(field: "member_ids", code: "invalid", detail: "There is no such person.")])
        }
        members.append(id)
      }
      guard members.count <= mostMembers else { throw .conflict("The group is full.") }
      var room = StoredRoom(
        id: group.id, members: members, createdAt: group.createdAt, updatedAt: group.createdAt,
        position: state.lastEventID + 1, receipts: [:])
      room.kind = .group
      room.name = group.name
      room.topic = group.topic
      room.isPublic = group.isPublic
      for (index, id) in members.enumerated() {
        room.receipts[id] = Receipt(roomID: group.id, userID: id, deliveredSeq: 0, readSeq: 0)
        room.views[id] = RoomView(
          role: index == 0 ? .owner : .member, joinedEvent: state.lastEventID + 1 + EventID(index))
      }
      state.rooms[group.id] = room
      for id in members { log(.roomCreated(try view(room, id, state)), to: .user(id), &state) }
      return try view(room, group.makerID, state)
    }
  }

  func changeGroup(_ id: RoomID, by user: UserID, _ change: GroupChange) async throws -> Room {
    try write { state throws(ChatError) in
      var room = try group(id, moderatedBy: user, state)
      let before = try view(room, user, state)
      room.name = change.name ?? room.name
      room.topic = change.topic ?? room.topic
      room.isPublic = change.isPublic ?? room.isPublic
      state.rooms[id] = room
      let after = try view(room, user, state)
      if after != before {
        for member in room.members.sorted() {
          log(.roomUpdated(try view(room, member, state)), to: .user(member), &state)
        }
      }
      return after
    }
  }

  func visibleRoom(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { state throws(ChatError) in
      guard let room = state.rooms[id] else { throw .notFound }
      if room.members.contains(user) {
        return Snapshot(value: try view(room, user, state), eventID: state.lastEventID)
      }
      guard room.isPublic else { throw .notFound }
      return Snapshot(value: outside(room), eventID: state.lastEventID)
    }
  }

  func publicRooms(
    matching query: String, for user: UserID, after cursor: PublicRoomCursor?, limit: Int
  ) async throws -> [Room] {
    try read { state throws(ChatError) in
      guard state.users[user] != nil else { throw .notFound }
      let found = state.rooms.values
        .filter { $0.isPublic && (query.isEmpty || $0.name.lowercased().contains(query.lowercased())) }
        .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
        .drop { room in cursor.map { (room.name.lowercased(), room.id) <= ($0.name.lowercased(), $0.id) } ?? false }
        .prefix(limit)
      var rooms: [Room] = []
      for room in found {
        rooms.append(room.members.contains(user) ? try view(room, user, state) : outside(room))
      }
      return rooms
    }
  }

  func members(
    of room: RoomID, for user: UserID, after cursor: MemberCursor?, limit: Int
  ) async throws -> [(user: User, role: Room.Role)] {
    try read { state throws(ChatError) in
      let room = try stored(room, user, state)
      func place(_ role: Room.Role, _ name: String, _ id: UserID) -> (Int, String, UserID) {
        (role == .owner ? 0 : role == .admin ? 1 : 2, name.lowercased(), id)
      }
      let all = room.members.compactMap { id in state.users[id].map { ($0, room.views[id]?.role ?? .member) } }
      return Array(
        all.sorted { place($0.1, $0.0.name, $0.0.id) < place($1.1, $1.0.name, $1.0.id) }
          .drop { member in
            cursor.map { place(member.1, member.0.name, member.0.id) <= place($0.role, $0.name, $0.id) } ?? false
          }
          .prefix(limit))
    }
  }

  func memberIDs(of room: RoomID, for user: UserID) async throws -> [UserID] {
    await gate()
    return try read { state throws(ChatError) in try stored(room, user, state).members }
  }

  func bans(of room: RoomID, for user: UserID, after cursor: UserCursor?, limit: Int) async throws -> [User] {
    try read { state throws(ChatError) in
      let room = try group(room, moderatedBy: user, state)
      return Array(
        room.bans.compactMap { state.users[$0] }
          .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
          .drop { user in cursor.map { (user.name.lowercased(), user.id) <= ($0.name.lowercased(), $0.id) } ?? false }
          .prefix(limit))
    }
  }

  /// A group that somebody looks after.
  func group(_ id: RoomID, moderatedBy user: UserID, _ state: State) throws(ChatError) -> StoredRoom {
    let room = try stored(id, user, state)
    guard room.kind == .group else { throw .conflict("This is no group.") }
    guard room.views[user]?.role != .member else { throw .forbidden("Owner and admins look after a group.") }
    return room
  }

  /// What who is not in sees of a public room.
  private func outside(_ room: StoredRoom) -> Room {
    Room(
      id: room.id, kind: .group, name: room.name, topic: room.topic, isPublic: true, membersCount: room.members.count,
      role: nil, createdAt: room.createdAt, updatedAt: room.createdAt)
  }
}
