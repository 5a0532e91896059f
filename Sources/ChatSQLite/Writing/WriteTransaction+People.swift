import Chat
import GRDB

extension WriteTransaction {
  func createAccount(_ account: NewAccount) throws -> OwnUser {
    guard try !database.exists("SELECT 1 FROM accounts WHERE email_key = ?", [account.email.caseFolded]) else {
      throw ChatError.invalid([
        FieldError(field: "email", code: "taken", detail: "This address has an account already.")
      ])
    }
    let invitation = try account.invitation.map { try useInvitation(from: $0, at: account.createdAt) }
    let isAdmin = try !database.exists("SELECT 1 FROM accounts LIMIT 1", [])
    let user = User(id: account.id, firstName: account.firstName, lastName: account.lastName)
    let key = try insert(user)
    try database.run(
      """
      INSERT INTO accounts (person, email, email_key, password_hash, is_admin, created_at) VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        key, account.email, account.email.caseFolded, account.passwordHash, isAdmin, account.createdAt.milliseconds,
      ])
    if let invitation { try enter(invitation, StoredUser(key: key, user: user)) }
    return OwnUser(user: user, email: account.email, isAdmin: isAdmin)
  }

  func rename(_ id: UserID, firstName: String, lastName: String) throws -> OwnUser {
    guard var own = try database.ownUser(id) else { throw ChatError.notFound }
    own.user.firstName = firstName
    own.user.lastName = lastName
    // Chosen here: from now on it is not GitHub's.
    try database.run(
      "UPDATE accounts SET follows_github = 0 WHERE person = (SELECT key FROM users WHERE id = ?)", [id])
    try update(own.user)
    return own
  }

  func recordLastSeen(_ id: UserID, at time: Timestamp) throws {
    try database.run("UPDATE users SET last_seen_at = ? WHERE id = ?", [time.milliseconds, id])
    guard database.changesCount > 0 else { throw ChatError.notFound }
  }

  func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) throws -> User {
    try keep(account, at: time)
    if let known = try database.user(githubID: account.id) { return known.user }
    try releaseLogin(account.login, exceptOf: account.id)
    let name = try database.githubAccount(id: account.id)?.name
    let guest = User(
      id: newID, login: account.login, githubID: account.id, firstName: shownName(name, account.login), isMember: false)
    try insert(guest)
    return guest
  }

  /// Lets the person who is this GitHub account follow its login, and its name who has not chosen another. Everyone is told.
  func follow(_ account: GitHubAccount, storedName: String?) throws {
    guard let known = try database.user(githubID: account.id) else { return }
    var user = known.user
    user.login = account.login
    if !user.isMember {
      user.firstName = shownName(storedName, account.login)
    } else if try database.exists(
      "SELECT 1 FROM accounts WHERE person = ? AND follows_github = 1", [known.key])
    {
      (user.firstName, user.lastName) = GitHubAccount.names(of: storedName, login: account.login)
    }
    guard user != known.user else { return }
    try releaseLogin(account.login, exceptOf: account.id)
    try update(user)
  }

  /// A login that GitHub gave to another account is no longer its former owner's.
  func releaseLogin(_ login: String, exceptOf githubID: Int64) throws {
    guard var former = try database.user(loginKey: login.caseFolded)?.user, former.githubID != githubID else { return }
    former.login = nil
    try update(former)
  }

  private func shownName(_ name: String?, _ login: String) -> String {
    if let name, !name.isEmpty { name } else { login }
  }

  @discardableResult
  func insert(_ user: User) throws -> Int64 {
    try database.run(
      """
      INSERT INTO users (id, first_name, last_name, name_key, login, login_key, github_id, handle_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        user.id, user.firstName, user.lastName, user.name.caseFolded, user.login, user.login?.caseFolded,
        user.githubID, user.handleKey,
      ])
    return database.lastInsertedRowID
  }

  /// Stores names and GitHub account, and tells everyone.
  func update(_ user: User) throws {
    try database.run(
      """
      UPDATE users SET first_name = ?, last_name = ?, name_key = ?, login = ?, login_key = ?, github_id = ?,
        handle_key = ?
      WHERE id = ?
      """,
      [
        user.firstName, user.lastName, user.name.caseFolded, user.login, user.login?.caseFolded, user.githubID,
        user.handleKey, user.id,
      ])
    try logForEveryone(.userUpdated(user))
  }
}
