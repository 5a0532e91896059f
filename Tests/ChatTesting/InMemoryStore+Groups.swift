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
        room.views[id] = RoomView(role: index == 0 ? .owner : .member, joinedEvent: state.lastEventID)
      }
      state.rooms[group.id] = room
      logView("room.created", of: room, &state)
      return try view(room, group.makerID, state)
    }
  }

  func changeGroup(
    _ id: RoomID, by user: UserID, _ change: GroupChange, at time: Timestamp
  ) async throws -> Room {
    try write { state throws(ChatError) in
      var room = try stored(id, user, state)
      if room.kind == .group || change != GroupChange(repository: change.repository) {
        room = try group(id, moderatedBy: user, state)
      }
      let before = try view(room, user, state)
      room.name = change.name ?? room.name
      room.topic = change.topic ?? room.topic
      room.isPublic = change.isPublic ?? room.isPublic
      room.repository = change.repository ?? room.repository
      state.rooms[id] = room
      let after = try view(room, user, state)
      if room.kind == .direct {
        for reader in [user] + room.members.filter({ $0 != user }) where after != before {
          let seen = try view(room, reader, state)
          if !seen.isWaiting { log(.roomUpdated(seen), to: .user(reader), &state) }
        }
        return after
      }
      if after != before { logView("room.updated", of: room, &state) }
      if after.name != before.name { note(.renamed, id, by: user, text: after.name, at: time, &state) }
      if after.topic != before.topic { note(.described, id, by: user, text: after.topic, at: time, &state) }
      if after.isPublic != before.isPublic {
        note(after.isPublic ? .madePublic : .madePrivate, id, by: user, at: time, &state)
      }
      if after.repository != before.repository {
        note(.repositorySet, id, by: user, text: after.repository?.text ?? "", at: time, &state)
      }
      return after
    }
  }

  func setPicture(_ picture: Picture?, of id: RoomID, by user: UserID, at time: Timestamp) async throws -> Room {
    try write { state throws(ChatError) in
      var room = try group(id, moderatedBy: user, state)
      let former = room.picture
      guard former != picture?.id else { return try view(room, user, state) }
      if let picture { state.pictures[picture.id] = picture }
      room.picture = picture?.id
      state.rooms[id] = room
      if let former { dropUnused(former, &state) }
      logView("room.updated", of: room, &state)
      note(picture == nil ? .pictureRemoved : .pictureSet, id, by: user, at: time, &state)
      return try view(room, user, state)
    }
  }

  /// Removes a picture that no person or group uses any more.
  func dropUnused(_ picture: PictureID, _ state: inout State) {
    let isUsed =
      state.users.values.contains { $0.picture == picture } || state.rooms.values.contains { $0.picture == picture }
    if !isUsed { state.pictures[picture] = nil }
  }

  func invitedRoom(_ id: RoomID) async throws -> Room? {
    try read { state throws(ChatError) in state.rooms[id].flatMap { $0.kind == .group ? outside($0) : nil } }
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

  /// A group for one of its moderators.
  func group(_ id: RoomID, moderatedBy user: UserID, _ state: State) throws(ChatError) -> StoredRoom {
    let room = try stored(id, user, state)
    guard room.kind == .group else { throw .conflict("This is no group.") }
    guard room.views[user]?.role != .member else { throw .forbidden("Owner and admins look after a group.") }
    return room
  }

  /// A room as non-members see it.
  func outside(_ room: StoredRoom) -> Room {
    Room(
      id: room.id, kind: .group, name: room.name, topic: room.topic, isPublic: room.isPublic,
      repository: room.repository, picture: room.picture, membersCount: room.members.count, role: nil,
      createdAt: room.createdAt, updatedAt: room.createdAt)
  }
}
