import Chat

extension InMemoryStore {
  func createAccount(_ account: NewAccount) async throws -> OwnUser {
    try write { state throws(ChatError) in
      guard !state.accounts.values.contains(where: { $0.email == account.email }) else {
        throw .invalid([FieldError(field: "email", code: "taken", detail: "This address has an account.")])
      }
      var invitation: Invitation?
      if let hash = account.invitation { invitation = try useInvitation(hash, at: account.createdAt, &state) }
      add(User(id: account.id, firstName: account.firstName, lastName: account.lastName), &state)
      state.accounts[account.id] = StoredAccount(
        id: account.id, email: account.email, passwordHash: account.passwordHash)
      if state.admin == nil { state.admin = account.id }
      if let id = invitation?.roomID, let room = state.rooms[id], room.members.count < mostMembers {
        try letIn(account.id, id, .member, by: account.id, at: account.createdAt, &state)
      }
      return try ownUser(account.id, state)
    }
  }

  func credentials(email: String) async throws -> Credentials? {
    try read { state throws(ChatError) in
      state.accounts.values.first { $0.email == email }
        .flatMap { account in account.passwordHash.map { Credentials(userID: account.id, passwordHash: $0) } }
    }
  }

  func ownUser(_ id: UserID) async throws -> OwnUser? {
    try read { state throws(ChatError) in state.accounts[id] == nil ? nil : try ownUser(id, state) }
  }

  func user(_ id: UserID) async throws -> User? {
    try read { state throws(ChatError) in state.users[id] }
  }

  func users(
    matching query: String, among ids: [UserID]?, after cursor: UserCursor?, limit: Int
  ) async throws -> [User] {
    try read { state throws(ChatError) in
      let query = query.lowercased()
      return Array(
        state.users.values
          .filter { user in
            guard user.isMember, ids?.contains(user.id) ?? true else { return false }
            return query.isEmpty || user.name.lowercased().contains(query)
              || user.login?.lowercased().contains(query) == true || Mentions.folded(user.handle).contains(query)
          }
          .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
          .drop { user in cursor.map { (user.name.lowercased(), user.id) <= ($0.name.lowercased(), $0.id) } ?? false }
          .prefix(limit))
    }
  }

  func guests(limit: Int) async throws -> [User] {
    try read { state throws(ChatError) in
      Array(state.users.values.filter { !$0.isMember }.sorted { $0.id < $1.id }.prefix(limit))
    }
  }

  func recordLastSeen(_ times: [UserID: Timestamp]) async throws {
    try write { state throws(ChatError) in
      for (id, time) in times { state.users[id]?.lastSeenAt = time }
    }
  }

  func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) async throws -> User {
    try write { state throws(ChatError) in
      save(account, &state)
      if let known = state.users.values.first(where: { $0.githubID == account.id }) { return known }
      releaseLogin(account, &state)
      return add(
        User(
          id: newID, login: account.login, githubID: account.id,
          firstName: state.github[account.id]?.name ?? account.login, isMember: false), &state)
    }
  }

  /// A new person, with a number behind the handle where somebody has it.
  @discardableResult
  func add(_ user: User, _ state: inout State) -> User {
    var user = user
    user.handle = Mentions.free(user.handle) { [state] in state.handles[$0] != nil }
    state.users[user.id] = user
    state.handles[Mentions.folded(user.handle)] = user.id
    return user
  }

  /// The handle follows a login that has changed, unless it was chosen or somebody else has it.
  func followLogin(_ id: UserID, _ state: inout State) {
    guard let login = state.users[id]?.login, !state.choseHandle.contains(id) else { return }
    let handle = Mentions.free(login) { [state] in ![nil, id].contains(state.handles[$0]) }
    state.users[id]?.handle = handle
    state.handles[Mentions.folded(handle)] = id
  }

  func take(_ handle: String, _ user: UserID, _ state: inout State) throws(ChatError) {
    let key = Mentions.folded(handle)
    guard [nil, user].contains(state.handles[key]) else {
      throw .taken(FieldError(field: "handle", code: "taken", detail: ""))
    }
    let count = state.handles.values.filter { $0 == user }.count
    guard state.handles[key] == user || count < AccountRules.mostHandles else { throw .conflict("") }
    state.handles[key] = user
    state.choseHandle.insert(user)
  }

  func createSession(_ session: Session, passwordHash: String?) async throws {
    try write { state throws(ChatError) in
      if let passwordHash { try requirePassword(passwordHash, session.userID, state) }
      // Expired sessions are removed when their person signs in again.
      state.sessions = state.sessions.filter {
        $0.value.userID != session.userID || $0.value.expiresAt >= session.createdAt
      }
      state.sessions[session.id] = session
    }
  }

  func session(secretHash: [UInt8], at time: Timestamp) async throws -> Session? {
    try read { state throws(ChatError) in
      state.sessions.values.first { $0.secretHash == secretHash && $0.expiresAt >= time }
    }
  }

  func sessions(of user: UserID, at time: Timestamp) async throws -> [Session] {
    await gate()
    let sessions = try read { state throws(ChatError) in
      state.sessions.values.filter { $0.userID == user && $0.expiresAt >= time }
        .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }
    await gate()
    return sessions
  }

  func deleteSession(_ id: SessionID, of user: UserID) async throws -> Bool {
    try write { state throws(ChatError) in
      guard state.sessions[id]?.userID == user else { return false }
      state.sessions[id] = nil
      return true
    }
  }

  func deleteSessions(of user: UserID, except kept: SessionID) async throws -> [SessionID] {
    try write { state throws(ChatError) in
      let ended = state.sessions.values.filter { $0.userID == user && $0.id != kept }.map(\.id).sorted()
      for id in ended { state.sessions[id] = nil }
      return ended
    }
  }

  func ownUser(_ id: UserID, _ state: State) throws(ChatError) -> OwnUser {
    guard let user = state.users[id] else { throw .notFound }
    return OwnUser(
      user: user, email: state.accounts[id]?.email, isAdmin: state.admin == id,
      hasPassword: state.accounts[id]?.passwordHash != nil,
      settings: state.settings[id] ?? UserSettings(), language: state.languages[id])
  }
}
