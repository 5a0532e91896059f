import Chat

extension InMemoryStore {
  func setMember(
    _ member: UserID, in id: RoomID, role: Room.Role?, by user: UserID
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard let person = state.users[member] else { throw .notFound }
      let isOwner = room.views[user]?.role == .owner
      if let before = room.views[member]?.role, room.members.contains(member) {
        guard let role, role != before else { return ((person, before), false) }
        guard isOwner else { throw .forbidden("Only the owner changes roles.") }
        guard member != user else { throw .conflict("Hand the group over first.") }
        set(role, of: member, id, &state)
        if role == .owner { set(.admin, of: user, id, &state) }
        return ((person, role), false)
      }
      if role == .owner { throw .invalid([FieldError(field: "role", code: "invalid", detail: "Not a member.")]) }
      guard role != .admin || isOwner else { throw .forbidden("Only the owner makes admins.") }
      guard !room.bans.contains(member) else { throw .conflict("This person is banned.") }
      try letIn(member, id, role ?? .member, &state)
      return ((person, role ?? .member), true)
    }
  }

  func removeMember(_ member: UserID, from id: RoomID, by user: UserID) async throws {
    if member == user { return try await leave(id, by: user) }
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard room.members.contains(member) else { throw .notFound }
      guard mayRemove(member, room, user) else { throw .forbidden("Admins remove members.") }
      try takeOut(member, id, &state)
    }
  }

  func join(_ id: RoomID, by user: UserID) async throws -> Room {
    try write { state throws(ChatError) in
      guard let room = state.rooms[id], state.users[user] != nil else { throw .notFound }
      if !room.members.contains(user) {
        guard room.isPublic else { throw .notFound }
        guard !room.bans.contains(user) else { throw .forbidden("You are banned.") }
        try letIn(user, id, .member, &state)
      }
      return try view(try stored(id, user, state), user, state)
    }
  }

  func leave(_ id: RoomID, by user: UserID) async throws {
    try write { state throws(ChatError) in
      let room = try stored(id, user, state)
      guard room.kind == .group else { throw .conflict("A direct chat is not left.") }
      try takeOut(user, id, &state)
      if room.views[user]?.role == .owner { succeed(id, &state) }
    }
  }

  /// Somebody takes over from the owner who is out by now.
  func succeed(_ id: RoomID, _ state: inout State) {
    guard let room = state.rooms[id] else { return }
    let own = room.members.filter { state.users[$0]?.isMember == true }
    let candidates = own.isEmpty ? room.members : own
    if let successor = candidates.first(where: { room.views[$0]?.role == .admin }) ?? candidates.first {
      set(.owner, of: successor, id, &state)
    } else {
      state.rooms[id]?.isPublic = false
    }
  }

  func ban(_ member: UserID, from id: RoomID, by user: UserID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard state.users[member] != nil else { throw .notFound }
      guard member != user else { throw .conflict("You cannot ban yourself.") }
      guard !room.members.contains(member) || mayRemove(member, room, user) else { throw .forbidden("") }
      state.rooms[id]?.bans.insert(member)
      if room.members.contains(member) { try takeOut(member, id, &state) }
    }
  }

  func liftBan(of member: UserID, from id: RoomID, by user: UserID) async throws {
    try write { state throws(ChatError) in
      _ = try group(id, moderatedBy: user, state)
      guard state.users[member] != nil else { throw .notFound }
      state.rooms[id]?.bans.remove(member)
    }
  }

  /// The owner removes everybody else, admins remove members.
  private func mayRemove(_ member: UserID, _ room: StoredRoom, _ user: UserID) -> Bool {
    room.views[user]?.role == .owner || room.views[member]?.role == .member
  }

  func letIn(
    _ user: UserID, _ id: RoomID, _ role: Room.Role, _ state: inout State
  ) throws(ChatError) {
    guard var room = state.rooms[id], room.members.count < mostMembers else { throw .conflict("The group is full.") }
    let last = room.messages.count
    room.members.append(user)
    room.receipts[user] = Receipt(roomID: id, userID: user, deliveredSeq: last, readSeq: last)
    room.views[user] = RoomView(role: role, joinedEvent: state.lastEventID + 1, joinedSeq: last)
    state.rooms[id] = room
    log(.roomCreated(try view(room, user, state)), to: .user(user), &state)
    tell(user, role, id, &state)
  }

  private func takeOut(_ user: UserID, _ id: RoomID, _ state: inout State) throws(ChatError) {
    log(.roomRemoved(try view(try stored(id, user, state), user, state)), to: .user(user), &state)
    state.rooms[id]?.members.removeAll { $0 == user }
    state.rooms[id]?.receipts[user] = nil
    state.rooms[id]?.views[user] = nil
    tell(user, nil, id, &state)
  }

  func set(_ role: Room.Role, of user: UserID, _ id: RoomID, _ state: inout State) {
    state.rooms[id]?.views[user]?.role = role
    tell(user, role, id, &state)
  }

  func tell(_ user: UserID, _ role: Room.Role?, _ id: RoomID, _ state: inout State) {
    guard let person = state.users[user], let room = state.rooms[id] else { return }
    log(
      .memberUpdated(id, person, role: role, membersCount: room.members.count), to: .members(id, room.members), &state)
  }
}
