import Chat
import GRDB

/// Accounts that are known by GitHub's word (A1, A6, D7).
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
    let roomID = try enter(invitation, person.key)
    return GitHubEntrance(own: try ownUser(person.user.id), isNew: true, roomID: roomID)
  }

  private func newPerson(_ arrival: GitHubArrival) throws -> StoredUser {
    let account = arrival.account
    try releaseLogin(account.login, exceptOf: account.id)
    let (first, last) = try names(of: account)
    let user = User(id: arrival.newID, login: account.login, githubID: account.id, firstName: first, lastName: last)
    return StoredUser(key: try insert(user), user: user)
  }

  private func names(of account: GitHubAccount) throws -> (String, String) {
    GitHubAccount.names(of: try database.githubAccount(id: account.id)?.name, login: account.login)
  }

  /// Throws where it is shut; returns the invitation that opened it, or that leads into a room besides.
  private func open(_ door: GitHubArrival.Door, at time: Timestamp) throws -> StoredInvitation? {
    switch door {
    case .shut: throw ChatError.notFound
    case .invitation(let hash): return try useInvitation(from: hash, at: time)
    case .open(let hash):
      do { return try hash.map { try useInvitation($0, at: time) } } catch is ChatError { return nil }
    }
  }

  /// Lets a new account into the room of its invitation, unless it is there already as the guest that it was, or is kept
  /// out. Returns the room that he is in now.
  private func enter(_ invitation: StoredInvitation?, _ person: Int64) throws -> RoomID? {
    guard let invitation, let room = invitation.room, let known = try database.user(key: person) else { return nil }
    if try database.role(of: person, in: room) == nil, try !database.isBanned(person, from: room) {
      try enter(invitation, known)
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
          FieldError(field: "github", code: "taken", detail: "This GitHub account is somebody else's here.")
        ])
      }
      // No two people have one GitHub account, or login: not for the blink of an eye, in no browser.
      guest?.user.login = nil
      guest?.user.githubID = nil
      if let guest { try update(guest.user) }
    }
    try releaseLogin(account.login, exceptOf: account.id)
    var member = person.user
    (member.login, member.githubID) = (account.login, account.id)
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
        "GitHub is the only way into this account. Give it an email address and a password first.")
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

  /// Tells one's own devices what changed of what only they know.
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
