import Chat

extension InMemoryStore {
  func lastEventID() async throws -> EventID {
    await gate()
    let id = try read { state throws(ChatError) in state.lastEventID }
    await gate()
    return id
  }

  func events(after id: EventID, for user: UserID, limit: Int) async throws -> EventReplay {
    await gate()
    let replay = try read { state throws(ChatError) in
      let visible = state.log.lazy.map(\.logged).filter { $0.id > id && InMemoryStore.isReplayed($0, to: user, state) }
        .map { event in
          // A replay is for one reader; who else was told is not his business.
          var event = event
          if event.audience != .everyone { event.audience = .user(user) }
          return event
        }
        .prefix(limit)
      let events = Array(visible)
      return EventReplay(
        events: events, readTo: events.count == limit ? events.last?.id ?? id : max(id, state.lastEventID),
        reachesBack: id >= state.trimmedTo)
    }
    await gate()
    return replay
  }

  /// Whether an event was told to somebody when it happened.
  static func mayRead(_ user: UserID, _ audience: Audience) -> Bool {
    switch audience {
    case .everyone: true
    case .user(let id): id == user
    case .members(_, let ids): ids.contains(user)
    }
  }

  /// What was told to a room is replayed to who is in now, and only what came after he was let in: who has left gets
  /// nothing of it, and who came back nothing from before. A room that only an audience names is as it was then.
  static func isReplayed(_ event: LoggedEvent, to user: UserID, _ state: State) -> Bool {
    guard case .members(let id, _) = event.audience, let room = state.rooms[id] else {
      return mayRead(user, event.audience)
    }
    return room.members.contains(user) && event.id > room.views[user]?.joinedEvent ?? 0
  }

  /// One commit of events that mean nothing, for the broker's tests.
  func commit(_ audiences: [Audience], data: [UInt8] = Array("{}".utf8)) {
    try? write { state throws(ChatError) in
      for audience in audiences {
        let logged = LoggedEvent(id: state.lastEventID + 1, name: "test", data: data, audience: audience)
        state.log.append(LogEntry(event: nil, logged: logged))
        state.commit.append(logged)
      }
    }
  }

  /// Drops the log up to `id`.
  func trim(to id: EventID) {
    try? write { state throws(ChatError) in
      state.log.removeFirst(Int(id - state.trimmedTo))
      state.trimmedTo = id
    }
  }

  // MARK: The directory

  func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage? {
    try read { state throws(ChatError) in
      guard var page = state.pages["\(list) \(cursor)"] else { return nil }
      page.accounts = page.accounts.compactMap { state.github[$0.id] }.map { linked($0, state) }
      page.listChangedAt = state.pages["\(list) "]?.listChangedAt
      return page
    }
  }

  func saveDirectoryPage(_ page: StoredDirectoryPage) async throws {
    try write { state throws(ChatError) in
      let before = state.pages["\(page.list) \(page.cursor)"]
      let isSame = before?.accounts.map(\.id) == page.accounts.map(\.id) && !page.accounts.isEmpty
      var page = page
      page.listChangedAt = isSame ? before?.listChangedAt : page.fetchedAt
      state.pages["\(page.list) \(page.cursor)"] = page
      for account in page.accounts { save(account, &state) }
    }
  }

  func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws {
    try write { state throws(ChatError) in state.pages["\(list) \(cursor)"]?.fetchedAt = time }
  }

  func githubAccount(login: String) async throws -> GitHubAccount? {
    try read { state throws(ChatError) in
      state.owners[login.lowercased()].flatMap { state.github[$0] }.map { linked($0, state) }
    }
  }

  func githubAccount(formerLogin login: String) async throws -> GitHubAccount? {
    try read { state throws(ChatError) in
      state.formerOwners[login.lowercased()].flatMap { state.github[$0] }.map { linked($0, state) }
    }
  }

  func githubAccount(id: Int64) async throws -> GitHubAccount? {
    try read { state throws(ChatError) in state.github[id].map { linked($0, state) } }
  }

  func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws {
    try write { state throws(ChatError) in save(account, &state) }
  }

  /// Keeps an account, whose name stays where a list brings none, and lets the person who has it follow.
  func save(_ account: GitHubAccount, _ state: inout State) {
    var account = account
    account.name = account.name ?? state.github[account.id]?.name
    if let known = state.github[account.id]?.login.lowercased(), known != account.login.lowercased() {
      state.formerOwners[known] = account.id
    }
    state.github[account.id] = account
    state.owners = state.owners.filter { $0.value != account.id }
    state.owners[account.login.lowercased()] = account.id
    guard let before = state.users.values.first(where: { $0.githubID == account.id }) else { return }
    var user = before
    user.login = account.login
    if !user.isMember { user.firstName = account.name ?? account.login }
    if state.accounts[user.id]?.followsGitHub == true {
      (user.firstName, user.lastName) = GitHubAccount.names(of: account.name, login: account.login)
    }
    guard user != before else { return }
    releaseLogin(account, &state)
    state.users[user.id] = user
    log(.userUpdated(user), to: .everyone, &state)
  }

  /// A login that GitHub gave to `account` is no longer its former owner's.
  func releaseLogin(_ account: GitHubAccount, _ state: inout State) {
    let former = state.users.values.first {
      $0.login?.lowercased() == account.login.lowercased() && $0.githubID != account.id
    }
    guard var former else { return }
    former.login = nil
    state.users[former.id] = former
    log(.userUpdated(former), to: .everyone, &state)
  }

  private func linked(_ account: GitHubAccount, _ state: State) -> GitHubAccount {
    var account = account
    let person = state.users.values.first { $0.githubID == account.id }
    account.userID = person?.id
    account.isMember = person?.isMember ?? false
    return account
  }
}
