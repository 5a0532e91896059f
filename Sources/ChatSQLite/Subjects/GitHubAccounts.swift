import Chat
import GRDB

extension SQLiteStore {
  package func enter(_ arrival: GitHubArrival) async throws -> GitHubEntrance {
    try await write { try $0.enter(arrival) }
  }

  package func linkGitHub(_ account: GitHubAccount, to user: UserID, at time: Timestamp) async throws -> OwnUser {
    try await write { try $0.linkGitHub(account, to: user, at: time) }
  }

  package func unlinkGitHub(of user: UserID) async throws -> OwnUser {
    try await write { try $0.unlinkGitHub(of: user) }
  }

  package func setFirstPassword(
    _ hash: String, of user: UserID, keeping kept: SessionID
  ) async throws -> [SessionID] {
    try await write { try $0.setFirstPassword(hash, of: user, keeping: kept) }
  }

  package func setFirstEmail(_ email: String, of user: UserID) async throws -> OwnUser {
    try await write { try $0.setFirstEmail(email, of: user) }
  }
}

/// Accounts identified by GitHub.
extension WriteTransaction {
  func enter(_ arrival: GitHubArrival) throws -> GitHubEntrance {
    try keep(arrival.account, at: arrival.time)
    let known = try database.user(githubID: arrival.account.id)
    if let known, known.user.isMember {
      return GitHubEntrance(own: try ownUser(known.user.id), isNew: false)
    }
    let invitation = try open(arrival.door, at: arrival.time)
    let person = try known ?? newPerson(arrival)
    let isAdmin = try !database.exists("SELECT 1 FROM accounts LIMIT 1", [])
    try database.run(
      "INSERT INTO accounts (person, is_admin, created_at, follows_github) VALUES (?, ?, ?, 1)",
      [person.key, isAdmin, arrival.time.milliseconds])
    if var member = known?.user {
      member.isMember = true
      (member.firstName, member.lastName) = try names(of: arrival.account)
      try update(member)
    }
    let roomID = try enter(invitation, person.key, at: arrival.time)
    return GitHubEntrance(own: try ownUser(person.user.id), isNew: true, roomID: roomID)
  }

  private func newPerson(_ arrival: GitHubArrival) throws -> StoredUser {
    let account = arrival.account
    try releaseLogin(account.login, exceptOf: account.id)
    let (first, last) = try names(of: account)
    return try insert(
      User(id: arrival.newID, login: account.login, githubID: account.id, firstName: first, lastName: last))
  }

  private func names(of account: GitHubAccount) throws -> (String, String) {
    GitHubAccount.names(of: try database.githubAccount(id: account.id)?.name, login: account.login)
  }

  /// Throws if joining is not allowed; returns the invitation that allows it, or that also leads to a room.
  private func open(_ door: GitHubArrival.Door, at time: Timestamp) throws -> StoredInvitation? {
    switch door {
    case .shut: throw ChatError.notFound
    case .invitation(let hash): return try useInvitation(from: hash, at: time)
    case .open(let hash):
      do { return try hash.map { try useInvitation($0, at: time) } } catch is ChatError { return nil }
    }
  }

  /// Adds a new account to its invitation's room, unless it is already a member as the guest it was, or is banned.
  /// Returns the room that it is in now.
  private func enter(_ invitation: StoredInvitation?, _ person: Int64, at time: Timestamp) throws -> RoomID? {
    guard let invitation, let room = invitation.room, let known = try database.user(key: person) else { return nil }
    if try database.role(of: person, in: room) == nil, try !database.isBanned(person, from: room) {
      try enter(invitation, known, at: time)
    }
    return try database.role(of: person, in: room) == nil ? nil : invitation.invitation.roomID
  }

  func linkGitHub(_ account: GitHubAccount, to id: UserID, at time: Timestamp) throws -> OwnUser {
    guard let person = try database.user(id), person.user.isMember else { throw ChatError.notFound }
    if let linked = person.user.githubID, linked != account.id {
      throw ChatError.invalid([
        FieldError(
          field: "github", code: "linked", detail: "Another GitHub account is linked to this account. Unlink it first.")
      ])
    }
    try keep(account, at: time)
    guard person.user.githubID == nil else { return try ownUser(id) }
    var guest = try database.user(githubID: account.id)
    if let known = guest?.user {
      guard !known.isMember else {
        throw ChatError.invalid([
          FieldError(field: "github", code: "taken", detail: "This GitHub account is linked to somebody else here.")
        ])
      }
      // No two people may have the same GitHub account or login, not even for a moment in a browser.
      guest?.user.login = nil
      guest?.user.githubID = nil
      if let guest {
        try update(guest.user)
        // From here on the guest's handles mention the person.
        try database.run("UPDATE handles SET member = ? WHERE member = ?", [person.key, guest.key])
      }
    }
    try releaseLogin(account.login, exceptOf: account.id)
    var member = person.user
    (member.login, member.githubID) = (account.login, account.id)
    member.handle = try handle(of: StoredUser(key: person.key, user: member))
    try update(member)
    if let guest { try merge(guest, into: StoredUser(key: person.key, user: member)) }
    return try tellOwn(id, person.key)
  }

  func unlinkGitHub(of id: UserID) throws -> OwnUser {
    guard let person = try database.user(id), person.user.isMember else { throw ChatError.notFound }
    guard person.user.githubID != nil else { return try ownUser(id) }
    let own = try ownUser(id)
    guard own.email != nil, own.hasPassword else {
      throw ChatError.conflict(
        "GitHub is the only way to sign in to this account. Set an email address and a password first.")
    }
    var member = person.user
    (member.login, member.githubID) = (nil, nil)
    try database.run("UPDATE accounts SET follows_github = 0 WHERE person = ?", [person.key])
    try update(member)
    return try tellOwn(id, person.key)
  }

  func setFirstPassword(_ hash: String, of id: UserID, keeping kept: SessionID) throws -> [SessionID] {
    let key = try keyWithoutPassword(id)
    let ended = try setPassword(hash, of: id, replacing: nil, keeping: kept)
    _ = try tellOwn(id, key)
    return ended
  }

  func setFirstEmail(_ email: String, of id: UserID) throws -> OwnUser {
    let key = try keyWithoutPassword(id)
    return try setEmail(email, of: key, ownUser(id))
  }

  private func keyWithoutPassword(_ id: UserID) throws -> Int64 {
    guard let person = try database.user(id), person.user.isMember else { throw ChatError.notFound }
    guard try database.credentials(of: id) == nil else { throw ChatError.unauthenticated }
    return person.key
  }

  /// Notifies the person's own devices of a change to fields that only they can see.
  private func tellOwn(_ id: UserID, _ key: Int64) throws -> OwnUser {
    let own = try ownUser(id)
    try log(.meUpdated(own), reader: key, id)
    return own
  }

  private func ownUser(_ id: UserID) throws -> OwnUser {
    guard let own = try database.ownUser(id) else { throw ChatError.notFound }
    return own
  }
}

extension SQLiteStore {
  /// Keeps which GitHub the data's accounts are of, by its host or `demo`. Throws `StoreOpenError.otherGitHub` where they
  /// hold accounts of another one than `provider` and `former`, which is the name that it had before.
  package func bind(toGitHub provider: String, formerly former: String? = nil) async throws {
    let (known, isUsed) = try read { database in
      let known: String? = try database.first("SELECT name FROM github_provider") { $0[0] }
      let isUsed = try database.exists(
        "SELECT 1 FROM users WHERE github_id IS NOT NULL UNION ALL SELECT 1 FROM github_accounts LIMIT 1", [])
      return (known, isUsed)
    }
    if known == provider { return }
    if let known, isUsed, known != former {
      throw StoreOpenError.otherGitHub(path: pool.path, known: known, asked: provider)
    }
    do {
      try await write(usesReserve: true) { transaction in
        try transaction.database.run("INSERT OR REPLACE INTO github_provider (key, name) VALUES (1, ?)", [provider])
      }
    } catch ChatError.storageFull {
      // Nothing of GitHub is stored on a full disk, either. The next start tries again.
    }
  }
}
