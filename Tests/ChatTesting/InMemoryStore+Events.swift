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
      let visible = state.log.lazy.map { self.asSeen($0, by: user, state) }
        .filter { $0.id > id && InMemoryStore.isReplayed($0, to: user, state) }
        .map { event in
          // A replay does not reveal the other recipients.
          var event = event
          if event.audience != .everyone { event.audience = .user(user) }
          return event
        }
        .prefix(limit)
      let events = Array(visible)
      return EventReplay(
        events: events, readTo: events.count == limit ? events.last?.id ?? id : max(id, state.lastEventID),
        hasMore: events.count == limit, reachesBack: id >= state.trimmedTo)
    }
    await gate()
    return replay
  }

  /// A receipt of or for somebody who hides what they have read, as if nothing were read.
  private func asSeen(_ entry: LogEntry, by user: UserID, _ state: State) -> LoggedEvent {
    if let viewed = entry.viewed, let room = state.rooms[viewed.id], var seen = try? view(room, user, state) {
      (seen.name, seen.topic) = (viewed.name, viewed.topic)
      (seen.isPublic, seen.picture, seen.repository) = (viewed.isPublic, viewed.picture, viewed.repository)
      var (json, event) = (JSONWriter(), entry.logged)
      json.value(seen, asOf: state.lastEventID)
      (event.data, event.isView) = (json.bytes, false)
      return event
    }
    if case .roomCreated(var room)? = entry.event { return quoting(&room, Event.roomCreated, entry, user, state) }
    if case .roomUpdated(var room)? = entry.event { return quoting(&room, Event.roomUpdated, entry, user, state) }
    guard case .receiptUpdated(var receipt)? = entry.event, receipt.userID != user,
      [user, receipt.userID].contains(where: { state.settings[$0]?.readReceipts == false })
    else { return entry.logged }
    receipt.readSeq = 0
    var (json, event) = (JSONWriter(), entry.logged)
    json.value(receipt)
    event.data = json.bytes
    return event
  }

  /// A room with its last message as that is now; without it for whoever has left the room.
  private func quoting(
    _ room: inout Room, _ event: (Room) -> Event, _ entry: LogEntry, _ user: UserID, _ state: State
  ) -> LoggedEvent {
    guard let seq = room.lastMessage?.seq else { return entry.logged }
    let known = state.rooms[room.id].flatMap { $0.members.contains(user) ? $0 : nil }
    room.lastMessage = known.map { withoutMarks(fresh($0.messages[seq - 1], $0, user, state)) }
    var (json, logged) = (JSONWriter(), entry.logged)
    json.value(event(room))
    logged.data = json.bytes
    return logged
  }

  /// Whether a person received an event when it happened.
  static func mayRead(_ user: UserID, _ audience: Audience) -> Bool {
    switch audience {
    case .everyone: true
    case .user(let id): id == user
    case .members(_, let ids): ids.contains(user)
    }
  }

  /// A room's events are replayed to its current members, from when they joined: former members get nothing, and those
  /// who returned nothing from before. A room that exists only in an audience is as it was then.
  static func isReplayed(_ event: LoggedEvent, to user: UserID, _ state: State) -> Bool {
    guard case .members(let id, _) = event.audience, let room = state.rooms[id] else {
      return mayRead(user, event.audience)
    }
    return room.members.contains(user) && event.id > room.views[user]?.joinedEvent ?? 0
  }

  /// Commits events without content, for the broker's tests.
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

  /// Stores an account; keeps the name if a list has none, and updates the person who has it.
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
    if user.login != before.login { followLogin(user.id, &state) }
    if let changed = state.users[user.id] { logUpdate(of: changed, &state) }
  }

  /// Everyone is told of a member; of a guest, the rooms that they are in.
  private func logUpdate(of user: User, _ state: inout State) {
    if user.isMember { return log(.userUpdated(user), to: .everyone, &state) }
    for room in state.rooms.values.filter({ $0.members.contains(user.id) }).sorted(by: { $0.id < $1.id }) {
      log(.userUpdated(user), to: .members(room.id, room.members), &state)
    }
  }

  /// A login that GitHub gave to `account` is no longer its former owner's.
  func releaseLogin(_ account: GitHubAccount, _ state: inout State) {
    let former = state.users.values.first {
      $0.login?.lowercased() == account.login.lowercased() && $0.githubID != account.id
    }
    guard var former else { return }
    former.login = nil
    state.users[former.id] = former
    logUpdate(of: former, &state)
  }

  private func linked(_ account: GitHubAccount, _ state: State) -> GitHubAccount {
    var account = account
    let person = state.users.values.first { $0.githubID == account.id }
    account.userID = person?.id
    account.isMember = person?.isMember ?? false
    return account
  }
}
