import Chat

extension InMemoryStore {
  func setMember(
    _ member: UserID, in id: RoomID, role: Room.Role?, by user: UserID, at time: Timestamp
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard let person = state.users[member] else { throw .notFound }
      let isOwner = room.views[user]?.role == .owner
      if let before = room.views[member]?.role, room.members.contains(member) {
        guard let role, role != before else { return ((person, before), false) }
        guard isOwner else { throw .forbidden("Only the owner can change roles.") }
        guard member != user else { throw .conflict("Hand the group over first.") }
        set(role, of: member, id, &state)
        if role == .owner { set(.admin, of: user, id, &state) }
        let kind: RoomChange.Kind = role == .owner ? .madeOwner : role == .admin ? .madeAdmin : .madeMember
        note(kind, id, by: user, of: member, at: time, &state)
        return ((person, role), false)
      }
      if role == .owner { throw .invalid([FieldError(field: "role", code: "invalid", detail: "Not a member.")]) }
      guard role != .admin || isOwner else { throw .forbidden("Only the owner can appoint admins.") }
      guard !room.bans.contains(member) else { throw .conflict("This person is banned.") }
      guard !refuses(member, addedBy: user, state) else { throw .mustInvite }
      try letIn(member, id, role ?? .member, by: user, at: time, &state)
      return ((person, role ?? .member), true)
    }
  }

  func refusing(_ people: [UserID], addedBy user: UserID) async throws -> [UserID] {
    try read { state throws(ChatError) in
      guard state.users[user] != nil else { throw .notFound }
      return people.filter { $0 != user && refuses($0, addedBy: user, state) }
    }
  }

  private func refuses(_ person: UserID, addedBy other: UserID, _ state: State) -> Bool {
    switch state.settings[person]?.addedBy ?? .everybody {
    case .everybody: false
    case .nobody: true
    case .known:
      !state.rooms.values.contains { room in
        guard room.members.contains(person), room.members.contains(other) else { return false }
        return room.kind == .group ? !room.isPublic : room.messages.contains { $0.message.sender.id == person }
      }
    }
  }

  func removeMember(_ member: UserID, from id: RoomID, by user: UserID, at time: Timestamp) async throws {
    if member == user { return try await leave(id, by: user, at: time) }
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard room.members.contains(member) else { throw .notFound }
      guard mayRemove(member, room, user) else { throw .forbidden("Admins remove members.") }
      try takeOut(member, id, by: user, isBan: false, &state)
      note(.removed, id, by: user, of: member, at: time, &state)
    }
  }

  func join(_ id: RoomID, by user: UserID, at time: Timestamp) async throws -> Room {
    try write { state throws(ChatError) in
      guard let room = state.rooms[id], state.users[user] != nil else { throw .notFound }
      if !room.members.contains(user) {
        guard room.isPublic else { throw .notFound }
        guard !room.bans.contains(user) else { throw .forbidden("You are banned.") }
        try letIn(user, id, .member, by: user, at: time, &state)
      }
      return try view(try stored(id, user, state), user, state)
    }
  }

  func leave(_ id: RoomID, by user: UserID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      let room = try stored(id, user, state)
      guard room.kind == .group else { throw .conflict("A direct chat is not left.") }
      try takeOut(user, id, &state)
      note(.left, id, by: user, at: time, &state)
      if room.views[user]?.role == .owner, let successor = succeed(id, &state) {
        note(.madeOwner, id, by: user, of: successor, at: time, &state)
      }
    }
  }

  /// Makes another member the owner after the owner has left, and returns them.
  @discardableResult
  func succeed(_ id: RoomID, _ state: inout State) -> UserID? {
    guard let room = state.rooms[id] else { return nil }
    let own = room.members.filter { state.users[$0]?.isMember == true }
    let candidates = own.isEmpty ? room.members : own
    if let successor = candidates.first(where: { room.views[$0]?.role == .admin }) ?? candidates.first {
      set(.owner, of: successor, id, &state)
      return successor
    }
    state.rooms[id]?.isPublic = false
    return nil
  }

  func ban(_ member: UserID, from id: RoomID, by user: UserID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      let room = try group(id, moderatedBy: user, state)
      guard state.users[member] != nil else { throw .notFound }
      guard member != user else { throw .conflict("You cannot ban yourself.") }
      guard !room.members.contains(member) || mayRemove(member, room, user) else { throw .forbidden("") }
      state.rooms[id]?.bans.insert(member)
      if room.members.contains(member) {
        try takeOut(member, id, by: user, isBan: true, &state)
        note(.banned, id, by: user, of: member, at: time, &state)
      }
    }
  }

  func liftBan(of member: UserID, from id: RoomID, by user: UserID) async throws {
    try write { state throws(ChatError) in
      _ = try group(id, moderatedBy: user, state)
      guard state.users[member] != nil else { throw .notFound }
      state.rooms[id]?.bans.remove(member)
    }
  }

  /// The owner may remove everybody else, admins may remove members.
  private func mayRemove(_ member: UserID, _ room: StoredRoom, _ user: UserID) -> Bool {
    room.views[user]?.role == .owner || room.views[member]?.role == .member
  }

  func letIn(
    _ user: UserID, _ id: RoomID, _ role: Room.Role, by actor: UserID, at time: Timestamp, _ state: inout State
  ) throws(ChatError) {
    guard var room = state.rooms[id], room.members.count < mostMembers else { throw .conflict("The group is full.") }
    let last = room.messages.count
    room.members.append(user)
    room.receipts[user] = Receipt(roomID: id, userID: user, deliveredSeq: last, readSeq: last)
    room.views[user] = RoomView(role: role, joinedEvent: state.lastEventID + 1, joinedSeq: last)
    state.rooms[id] = room
    log(.roomCreated(try view(room, user, state)), to: .user(user), &state)
    tell(user, role, id, &state)
    note(actor == user ? .joined : .added, id, by: actor, of: actor == user ? nil : user, at: time, &state)
  }

  private func takeOut(
    _ user: UserID, _ id: RoomID, by: UserID? = nil, isBan: Bool = false, _ state: inout State
  ) throws(ChatError) {
    let removal = by.flatMap { state.users[$0] }.map { Removal(by: Face($0), isBan: isBan) }
    logGone(try view(try stored(id, user, state), user, state), removal, to: user, &state)
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
