import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore {
  package func createAccount(_ account: NewAccount) async throws -> OwnUser {
    try await write { try $0.createAccount(account) }
  }

  package func credentials(email: String) async throws -> Credentials? {
    try read { try $0.credentials(email: email) }
  }

  package func ownUser(_ id: UserID) async throws -> OwnUser? {
    try caches.ownUsers.value(for: id) { try read { try $0.ownUser(id) } }
  }

  package func user(_ id: UserID) async throws -> User? {
    try read { try $0.user(id)?.user }
  }

  package func users(
    matching query: String, among ids: [UserID]?, after cursor: UserCursor?, limit: Int
  ) async throws -> [User] {
    // A text that matches nobody requires a scan of all names.
    try await readElsewhere { try $0.members(matching: query, among: ids, after: cursor, limit: limit) }
  }

  package func recordLastSeen(_ times: [UserID: Timestamp]) async throws {
    try await write { try $0.recordLastSeen(times) }
  }

  package func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) async throws -> User {
    try await write { try $0.person(for: account, newID: newID, at: time) }
  }

  package func guests(limit: Int) async throws -> [User] {
    try await readElsewhere { try $0.guests(limit: limit) }
  }
}

/// A person with the key that other tables refer to.
struct StoredUser {
  var key: Int64
  var user: User
}

/// The faces that one response or event needs, from the cache or the database. Must be created before the transaction's
/// first query: its generation must not be newer than what the transaction sees. A write transaction sees uncommitted
/// changes, so it reads without the cache.
final class Faces {
  private let cache: ReadCache<Int64, Face>?
  private let generation: UInt64
  private var seen: [Int64: Face] = [:]

  init(_ caches: ReadCaches? = nil) {
    cache = caches?.faces
    generation = cache?.generation ?? 0
  }

  /// The face of the person with this key; foreign keys guarantee that there is one.
  func face(_ key: Int64, in database: Database) throws -> Face {
    if let face = seen[key] { return face }
    let read = { try database.user(key: key).map { Face($0.user) } }
    guard let face = try cache.map({ try $0.value(for: key, asOf: generation, read: read) }) ?? read() else {
      throw ChatError.notFound
    }
    seen[key] = face
    return face
  }
}

extension Database {
  private static let userColumns = """
    u.key, u.id, u.first_name, u.last_name, u.login, u.github_id, u.last_seen_at,
    EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key), u.picture, u.handle
    """
  private static let userByID = "SELECT \(userColumns) FROM users u WHERE u.id = ?"
  private static let userByKey = "SELECT \(userColumns) FROM users u WHERE u.key = ?"
  private static let userByGitHubID = "SELECT \(userColumns) FROM users u WHERE u.github_id = ?"
  private static let userByLogin = "SELECT \(userColumns) FROM users u WHERE u.login_key = ?"
  private static let membersByText = """
    SELECT \(userColumns), u.name_key FROM users u
    WHERE (u.name_key, u.id) > (?1, ?2) AND EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key)
      AND (instr(u.name_key, ?3) > 0 OR instr(u.login_key, ?3) > 0 OR instr(u.handle_key, ?3) > 0)
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
        lastSeenAt: row.timeIfAny(6), picture: row.picture(8), handle: row[9]))
  }

  func user(_ id: UserID) throws -> StoredUser? {
    try first(Self.userByID, [id], Self.decodeUser)
  }

  func userKey(_ id: UserID) throws -> Int64? {
    try first("SELECT key FROM users WHERE id = ?", [id]) { $0[0] }
  }

  func user(key: Int64) throws -> StoredUser? {
    try first(Self.userByKey, [key], Self.decodeUser)
  }

  /// The people with these keys, in order.
  func users(_ keys: [Int64]) throws -> [User] {
    try keys.map { key in
      guard let stored = try user(key: key) else { throw ChatError.notFound }
      return stored.user
    }
  }

  func user(githubID: Int64) throws -> StoredUser? {
    try first(Self.userByGitHubID, [githubID], Self.decodeUser)
  }

  func user(loginKey: String) throws -> StoredUser? {
    try first(Self.userByLogin, [loginKey], Self.decodeUser)
  }

  /// Members whose name or login contains the text. Uses `instr` rather than LIKE, so that `%` and `_` are literal.
  func members(matching query: String, among ids: [UserID]?, after cursor: UserCursor?, limit: Int) throws -> [User] {
    // The empty blob sorts before every id, and the empty name before every name.
    let wanted: Arguments = [cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, query.caseFolded]
    guard let ids else {
      return try all(Self.membersByText + " ORDER BY u.name_key, u.id LIMIT ?4", wanted + [max(0, limit)]) {
        Self.decodeUser($0).user
      }
    }
    let found = try ids.compactMap { id in
      try first(Self.membersByText + " AND u.id = ?4", wanted + [id]) {
        (key: $0[10] as String, user: Self.decodeUser($0).user)
      }
    }
    return found.sorted { ($0.key, $0.user.id) < ($1.key, $1.user.id) }.prefix(max(0, limit)).map(\.user)
  }

  /// Who has this handle (folded), or had it.
  func holder(ofHandle key: String) throws -> Int64? {
    try first("SELECT member FROM handles WHERE handle_key = ?", [key]) { $0[0] }
  }

  func guests(limit: Int) throws -> [User] {
    try all(Self.usersWithoutAccount, [max(0, limit)]) { Self.decodeUser($0).user }
  }

  func ownUser(_ id: UserID) throws -> OwnUser? {
    guard let stored = try user(id) else { return nil }
    let account = try first(
      "SELECT email, is_admin, password_hash IS NOT NULL, language FROM accounts WHERE person = ?", [stored.key]
    ) {
      (email: $0[0] as String?, isAdmin: $0[1] as Bool, hasPassword: $0[2] as Bool, language: $0[3] as String?)
    }
    return OwnUser(
      user: stored.user, email: account?.email, isAdmin: account?.isAdmin ?? false,
      hasPassword: account?.hasPassword ?? false, settings: try settings(of: stored.key), language: account?.language)
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

extension WriteTransaction {
  func createAccount(_ account: NewAccount) throws -> OwnUser {
    guard try !database.exists("SELECT 1 FROM accounts WHERE email_key = ?", [account.email.caseFolded]) else {
      throw ChatError.invalid([
        FieldError(field: "email", code: "taken", detail: "There is already an account with this address.")
      ])
    }
    let invitation = try account.invitation.map { try useInvitation(from: $0, at: account.createdAt) }
    let isAdmin = try !database.exists("SELECT 1 FROM accounts LIMIT 1", [])
    let person = try insert(User(id: account.id, firstName: account.firstName, lastName: account.lastName))
    try database.run(
      """
      INSERT INTO accounts (person, email, email_key, password_hash, is_admin, created_at) VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        person.key, account.email, account.email.caseFolded, account.passwordHash, isAdmin,
        account.createdAt.milliseconds,
      ])
    if let invitation { try enter(invitation, person, at: account.createdAt) }
    return OwnUser(user: person.user, email: account.email, isAdmin: isAdmin)
  }

  func recordLastSeen(_ times: [UserID: Timestamp]) throws {
    for (id, time) in times {
      try database.run("UPDATE users SET last_seen_at = ? WHERE id = ?", [time.milliseconds, id])
    }
  }

  func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) throws -> User {
    try keep(account, at: time)
    if let known = try database.user(githubID: account.id) { return known.user }
    try releaseLogin(account.login, exceptOf: account.id)
    let name = try database.githubAccount(id: account.id)?.name
    let guest = User(
      id: newID, login: account.login, githubID: account.id, firstName: shownName(name, account.login), isMember: false)
    return try insert(guest).user
  }

  /// Applies a GitHub account's new login, and its name unless the person has chosen another. Notifies everyone.
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
    if user.login != known.user.login { user.handle = try handle(of: StoredUser(key: known.key, user: user)) }
    try follow(user)
  }

  /// A login that GitHub gave to another account is no longer its former owner's.
  func releaseLogin(_ login: String, exceptOf githubID: Int64) throws {
    guard var former = try database.user(loginKey: login.caseFolded)?.user, former.githubID != githubID else { return }
    former.login = nil
    try follow(former)
  }

  private func shownName(_ name: String?, _ login: String) -> String {
    if let name, !name.isEmpty { name } else { login }
  }

  /// Stores a new person, with a number behind the handle where somebody has it already.
  func insert(_ user: User) throws -> StoredUser {
    var user = user
    user.handle = try Mentions.free(user.handle) { try database.holder(ofHandle: $0) != nil }
    try database.run(
      """
      INSERT INTO users (id, first_name, last_name, name_key, login, login_key, github_id, handle, handle_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        user.id, user.firstName, user.lastName, user.name.caseFolded, user.login, user.login?.caseFolded,
        user.githubID, user.handle, user.handleKey,
      ])
    let person = StoredUser(key: database.lastInsertedRowID, user: user)
    try database.run("INSERT INTO handles (handle_key, member) VALUES (?, ?)", [user.handleKey, person.key])
    return person
  }

  /// The handle of somebody whose login has changed: the login, unless they chose another or somebody else has it.
  func handle(of person: StoredUser) throws -> String {
    let hasChosen = try database.exists("SELECT 1 FROM users WHERE key = ? AND chose_handle", [person.key])
    guard let login = person.user.login, !hasChosen else { return person.user.handle }
    return try Mentions.free(login) { ![nil, person.key].contains(try database.holder(ofHandle: $0)) }
  }

  /// Stores names, handle and GitHub account, and notifies everyone.
  func update(_ user: User) throws {
    try store(user)
    try logForEveryone(.userUpdated(user))
  }

  /// The same for what GitHub changes: of a guest, whom only those know who have written to them, only their rooms are told.
  private func follow(_ user: User) throws {
    guard !user.isMember else { return try update(user) }
    try store(user)
    let rooms = try database.all(
      """
      SELECT r.key, r.id FROM users u JOIN memberships m ON m.member = u.key JOIN rooms r ON r.key = m.room
      WHERE u.id = ? ORDER BY r.id
      """, [user.id]
    ) { (key: $0[0] as Int64, id: $0.id(1) as RoomID) }
    for room in rooms { try log(.userUpdated(user), room: room.key, room.id) }
  }

  private func store(_ user: User) throws {
    try database.run(
      """
      UPDATE users SET first_name = ?, last_name = ?, name_key = ?, login = ?, login_key = ?, github_id = ?,
        handle = ?, handle_key = ?
      WHERE id = ?
      """,
      [
        user.firstName, user.lastName, user.name.caseFolded, user.login, user.login?.caseFolded, user.githubID,
        user.handle, user.handleKey, user.id,
      ])
    try database.run(
      "INSERT OR IGNORE INTO handles (handle_key, member) SELECT handle_key, key FROM users WHERE id = ?", [user.id])
  }
}
