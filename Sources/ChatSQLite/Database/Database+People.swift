import Chat
import FoundationEssentials
import GRDB

/// A person with the key that other tables know him by.
struct StoredUser {
  var key: Int64
  var user: User
}

/// People that have been looked up while one answer is put together.
struct PeopleSeen {
  private var users: [Int64: User] = [:]

  /// The person with this key; foreign keys see to it that there is one.
  mutating func user(_ key: Int64, in database: Database) throws -> User {
    if let user = users[key] { return user }
    guard let stored = try database.user(key: key) else { throw ChatError.notFound }
    users[key] = stored.user
    return stored.user
  }
}

extension Database {
  private static let userColumns = """
    u.key, u.id, u.first_name, u.last_name, u.login, u.github_id, u.last_seen_at,
    EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key), u.picture
    """
  private static let userByID = "SELECT \(userColumns) FROM users u WHERE u.id = ?"
  private static let userByKey = "SELECT \(userColumns) FROM users u WHERE u.key = ?"
  private static let userByGitHubID = "SELECT \(userColumns) FROM users u WHERE u.github_id = ?"
  private static let userByLogin = "SELECT \(userColumns) FROM users u WHERE u.login_key = ?"
  private static let membersByText = """
    SELECT \(userColumns) FROM users u
    WHERE (u.name_key, u.id) > (?1, ?2) AND EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key)
      AND (instr(u.name_key, ?3) > 0 OR instr(u.login_key, ?3) > 0)
    ORDER BY u.name_key, u.id LIMIT ?4
    """

  private static let usersWithoutAccount = """
    SELECT \(userColumns) FROM users u
    WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key) ORDER BY u.key LIMIT ?
    """

  private static func decodeUser(_ row: ResultRow) -> StoredUser {
    StoredUser(
      key: row[0],
      user: User(
        id: row.id(1), login: row[4], githubID: row[5], firstName: row[2], lastName: row[3], isMember: row[7],
        lastSeenAt: row.timeIfAny(6), picture: row.picture(8)))
  }

  func user(_ id: UserID) throws -> StoredUser? {
    try first(Self.userByID, [id], Self.decodeUser)
  }

  func user(key: Int64) throws -> StoredUser? {
    try first(Self.userByKey, [key], Self.decodeUser)
  }

  func user(githubID: Int64) throws -> StoredUser? {
    try first(Self.userByGitHubID, [githubID], Self.decodeUser)
  }

  func user(loginKey: String) throws -> StoredUser? {
    try first(Self.userByLogin, [loginKey], Self.decodeUser)
  }

  /// Members whose name or login contains the text: `instr` rather than LIKE, so that `%` and `_` are only themselves.
  func members(matching query: String, after cursor: UserCursor?, limit: Int) throws -> [User] {
    // The empty blob sorts before every id, and the empty name before every name.
    try all(
      Self.membersByText,
      [cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, query.caseFolded, max(0, limit)]
    ) { Self.decodeUser($0).user }
  }

  func guests(limit: Int) throws -> [User] {
    try all(Self.usersWithoutAccount, [max(0, limit)]) { Self.decodeUser($0).user }
  }

  func ownUser(_ id: UserID) throws -> OwnUser? {
    guard let stored = try user(id) else { return nil }
    let account = try first(
      "SELECT email, is_admin, password_hash IS NOT NULL FROM accounts WHERE person = ?", [stored.key]
    ) { (email: $0[0] as String?, isAdmin: $0[1] as Bool, hasPassword: $0[2] as Bool) }
    return OwnUser(
      user: stored.user, email: account?.email, isAdmin: account?.isAdmin ?? false,
      hasPassword: account?.hasPassword ?? false, settings: try settings(of: stored.key))
  }

  func credentials(email: String) throws -> Credentials? {
    try first(
      """
      SELECT u.id, a.password_hash FROM accounts a JOIN users u ON u.key = a.person
      WHERE a.email_key = ? AND a.password_hash IS NOT NULL
      """, [email.caseFolded]
    ) { Credentials(userID: $0.id(0), passwordHash: $0[1]) }
  }
}
