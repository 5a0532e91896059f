import Chat

extension InMemoryStore {
  func enter(_ arrival: GitHubArrival) async throws -> GitHubEntrance {
    try write { state throws(ChatError) in
      let account = arrival.account
      save(account, &state)
      let known = state.users.values.first { $0.githubID == account.id }
      if let known, state.accounts[known.id] != nil {
        return GitHubEntrance(own: try ownUser(known.id, state), isNew: false)
      }
      let invitation = try open(arrival.door, at: arrival.time, &state)
      let id = known?.id ?? arrival.newID
      if known == nil { releaseLogin(account, &state) }
      let (first, last) = GitHubAccount.names(of: state.github[account.id]?.name, login: account.login)
      let user = User(
        id: id, login: account.login, githubID: account.id, firstName: first, lastName: last,
        lastSeenAt: known?.lastSeenAt, handle: known?.handle)
      if known == nil { add(user, &state) } else { state.users[id] = user }
      state.accounts[id] = StoredAccount(id: id, followsGitHub: true)
      if state.admin == nil { state.admin = id }
      if known != nil, let user = state.users[id] { log(.userUpdated(user), to: .everyone, &state) }
      var led: RoomID?
      if let roomID = invitation?.roomID, let room = state.rooms[roomID] {
        if !room.members.contains(id), !room.bans.contains(id), room.members.count < mostMembers {
          try letIn(id, roomID, .member, by: id, at: arrival.time, &state)
        }
        if state.rooms[roomID]?.members.contains(id) == true { led = roomID }
      }
      return GitHubEntrance(own: try ownUser(id, state), isNew: true, roomID: led)
    }
  }

  private func open(
    _ door: GitHubArrival.Door, at time: Timestamp, _ state: inout State
  ) throws(ChatError) -> Invitation? {
    switch door {
    case .shut: throw .notFound
    case .invitation(let hash): return try useInvitation(hash, at: time, &state)
    case .open(let hash):
      guard let hash else { return nil }
      do throws(ChatError) { return try useInvitation(hash, at: time, &state) } catch { return nil }
    }
  }

  func linkGitHub(_ account: GitHubAccount, to user: UserID, at time: Timestamp) async throws -> OwnUser {
    try write { state throws(ChatError) in
      let before = try self.account(user, state)
      if let linked = before.user.githubID, linked != account.id { throw InMemoryStore.refused("linked") }
      save(account, &state)
      guard before.user.githubID == nil else { return try ownUser(user, state) }
      let guest = state.users.values.first { $0.githubID == account.id }
      if var guest {
        guard state.accounts[guest.id] == nil else { throw InMemoryStore.refused("taken") }
        (guest.login, guest.githubID) = (nil, nil)
        state.users[guest.id] = guest
        log(.userUpdated(guest), to: .everyone, &state)
        for (key, holder) in state.handles where holder == guest.id { state.handles[key] = user }
      }
      releaseLogin(account, &state)
      state.users[user]?.login = account.login
      state.users[user]?.githubID = account.id
      followLogin(user, &state)
      if let changed = state.users[user] { log(.userUpdated(changed), to: .everyone, &state) }
      if let guest { try merge(guest.id, into: user, &state) }
      return try logOwn(user, &state)
    }
  }

  func unlinkGitHub(of user: UserID) async throws -> OwnUser {
    try write { state throws(ChatError) in
      let before = try account(user, state)
      guard before.user.githubID != nil else { return before }
      guard before.email != nil, before.hasPassword else { throw .conflict("It is the only way in.") }
      state.users[user]?.login = nil
      state.users[user]?.githubID = nil
      state.accounts[user]?.followsGitHub = false
      if let changed = state.users[user] { log(.userUpdated(changed), to: .everyone, &state) }
      return try logOwn(user, &state)
    }
  }

  func setFirstPassword(_ hash: String, of user: UserID, keeping kept: SessionID) async throws -> [SessionID] {
    try write { state throws(ChatError) in
      guard try !account(user, state).hasPassword else { throw .unauthenticated }
      state.accounts[user]?.passwordHash = hash
      let ended = state.sessions.values.filter { $0.userID == user && $0.id != kept }.map(\.id).sorted()
      for id in ended { state.sessions[id] = nil }
      _ = try logOwn(user, &state)
      return ended
    }
  }

  func setFirstEmail(_ email: String, of user: UserID) async throws -> OwnUser {
    try write { state throws(ChatError) in
      let before = try account(user, state)
      guard !before.hasPassword else { throw .unauthenticated }
      guard before.email != email else { return before }
      guard !state.accounts.values.contains(where: { $0.id != user && $0.email == email }) else {
        throw .invalid([FieldError(field: "email", code: "taken", detail: "This address has an account.")])
      }
      state.accounts[user]?.email = email
      return try logOwn(user, &state)
    }
  }

  private static func refused(_ code: String) -> ChatError {
    .invalid([FieldError(field: "github", code: code, detail: "")])
  }
}
