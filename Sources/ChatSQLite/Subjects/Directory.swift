import Chat
import GRDB

extension SQLiteStore {
  package func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage? {
    try caches.directoryPages.value(for: DirectoryPlace(list: list, cursor: cursor)) {
      try read { try $0.directoryPage(of: list, cursor: cursor) }
    }
  }

  package func saveDirectoryPage(_ page: StoredDirectoryPage) async throws {
    try await write { try $0.save(page) }
  }

  package func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws {
    try await write { try $0.confirm(list, cursor: cursor, at: time) }
  }

  package func githubAccount(login: String) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(login: login) }
  }

  package func githubAccount(formerLogin login: String) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(formerLogin: login) }
  }

  package func githubAccount(id: Int64) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(id: id) }
  }

  package func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws {
    try await write { try $0.keep(account, at: time) }
  }
}

extension DirectoryList {
  /// The list's key in `directory_pages`; the case of logins does not matter.
  var stored: (kind: String, subject: String) {
    switch self {
    case .users: ("users", "")
    case .followers(let login): ("followers", login.caseFolded)
    case .following(let login): ("following", login.caseFolded)
    case .members(let login): ("members", login.caseFolded)
    case .search(let text): ("search", text)
    }
  }
}

extension Database {
  private static let accountColumns = """
    g.id, g.login, g.type, g.name, g.avatar_url, u.id, EXISTS (SELECT 1 FROM accounts a WHERE a.person = u.key)
    """
  private static let accountByLogin = """
    SELECT \(accountColumns) FROM github_accounts g LEFT JOIN users u ON u.github_id = g.id WHERE g.login_key = ?
    """
  private static let accountByFormerLogin = """
    SELECT \(accountColumns) FROM former_logins f JOIN github_accounts g ON g.id = f.account
    LEFT JOIN users u ON u.github_id = g.id WHERE f.login_key = ?
    """
  private static let accountByID = """
    SELECT \(accountColumns) FROM github_accounts g LEFT JOIN users u ON u.github_id = g.id WHERE g.id = ?
    """
  private static let accountsOfPage = """
    SELECT \(accountColumns) FROM directory_entries e JOIN github_accounts g ON g.id = e.account
    LEFT JOIN users u ON u.github_id = g.id WHERE e.page = ? ORDER BY e.position
    """

  private static func decodeAccount(_ row: ResultRow) -> GitHubAccount {
    GitHubAccount(
      id: row[0], login: row[1], type: row[2], name: row[3], avatarURL: row[4],
      userID: row.isNull(5) ? nil : row.id(5), isMember: row[6])
  }

  func githubAccount(login: String) throws -> GitHubAccount? {
    try first(Self.accountByLogin, [login.caseFolded], Self.decodeAccount)
  }

  func githubAccount(formerLogin login: String) throws -> GitHubAccount? {
    try first(Self.accountByFormerLogin, [login.caseFolded], Self.decodeAccount)
  }

  func githubAccount(id: Int64) throws -> GitHubAccount? {
    try first(Self.accountByID, [id], Self.decodeAccount)
  }

  func directoryPage(of list: DirectoryList, cursor: String) throws -> StoredDirectoryPage? {
    let found = try first(
      """
      SELECT p.key, p.next, p.etag, p.fetched_at, f.changed_at FROM directory_pages p
      LEFT JOIN directory_pages f ON f.kind = p.kind AND f.subject = p.subject AND f.cursor = ''
      WHERE p.kind = ? AND p.subject = ? AND p.cursor = ?
      """, [list.stored.kind, list.stored.subject, cursor]
    ) { row in
      let page = StoredDirectoryPage(
        list: list, cursor: cursor, accounts: [], next: row[1], etag: row[2], fetchedAt: row.time(3))
      return (key: row[0] as Int64, page: page, changedAt: row.isNull(4) ? nil : row.time(4))
    }
    guard var page = found?.page else { return nil }
    page.listChangedAt = found?.changedAt
    page.accounts = try all(Self.accountsOfPage, [found?.key], Self.decodeAccount)
    return page
  }

  /// The accounts of a page by number, in order.
  func accountIDs(ofDirectoryPage key: Int64) throws -> [Int64] {
    try all("SELECT account FROM directory_entries WHERE page = ? ORDER BY position", [key]) { $0[0] }
  }
}

extension WriteTransaction {
  /// Stores an account. Lists contain no names, so a known name is kept. A login belongs to the account last seen with
  /// it, and becomes a former login of an account that has a new one.
  func keep(_ account: GitHubAccount, at time: Timestamp) throws {
    let loginKey = account.login.caseFolded
    let known = try database.githubAccount(id: account.id)
    if let known, known.login.caseFolded != loginKey {
      try database.run(
        """
        INSERT INTO former_logins (login_key, account) VALUES (?, ?)
        ON CONFLICT (login_key) DO UPDATE SET account = excluded.account
        """, [known.login.caseFolded, account.id])
    }
    // When a page of a hundred accounts is refreshed, hardly any have changed.
    if try known == nil || !isKept(account, known, loginKey: loginKey) { try write(account, loginKey, at: time) }
    try follow(account, storedName: account.name ?? known?.name)
  }

  private func isKept(_ account: GitHubAccount, _ known: GitHubAccount?, loginKey: String) throws -> Bool {
    guard let known, known.login == account.login, known.type == account.type, known.avatarURL == account.avatarURL,
      account.name == nil || account.name == known.name
    else { return false }
    return try database.exists("SELECT 1 FROM github_accounts WHERE login_key = ? AND id = ?", [loginKey, account.id])
  }

  private func write(_ account: GitHubAccount, _ loginKey: String, at time: Timestamp) throws {
    try database.run(
      "UPDATE github_accounts SET login_key = NULL WHERE login_key = ? AND id <> ?", [loginKey, account.id])
    try database.run(
      """
      INSERT INTO github_accounts (id, login, login_key, type, name, avatar_url, fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET login = excluded.login, login_key = excluded.login_key, type = excluded.type,
        name = coalesce(excluded.name, name), avatar_url = excluded.avatar_url, fetched_at = excluded.fetched_at
      """,
      [account.id, account.login, loginKey, account.type, account.name, account.avatarURL, time.milliseconds])
  }

  func save(_ page: StoredDirectoryPage) throws {
    for account in page.accounts { try keep(account, at: page.fetchedAt) }
    let list = page.list.stored
    let key: Int64? = try database.first(
      """
      INSERT INTO directory_pages (kind, subject, cursor, next, etag, fetched_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, subject, cursor) DO UPDATE SET next = excluded.next, etag = excluded.etag,
        fetched_at = excluded.fetched_at
      RETURNING key
      """, [list.kind, list.subject, page.cursor, page.next, page.etag, page.fetchedAt.milliseconds]
    ) { $0[0] }
    guard let key else { return }
    let accounts = page.accounts.map(\.id)
    let before = try database.accountIDs(ofDirectoryPage: key)
    if before != accounts || accounts.isEmpty { try put(accounts, into: key, at: page.fetchedAt) }
    try keepBounds(of: page.list, besides: key)
  }

  private func put(_ accounts: [Int64], into key: Int64, at time: Timestamp) throws {
    try database.run("UPDATE directory_pages SET changed_at = ? WHERE key = ?", [time.milliseconds, key])
    try database.run("DELETE FROM directory_entries WHERE page = ?", [key])
    for (position, account) in accounts.enumerated() {
      try database.run(
        "INSERT INTO directory_entries (page, position, account) VALUES (?, ?, ?)", [key, position, account])
    }
  }

  func confirm(_ list: DirectoryList, cursor: String, at time: Timestamp) throws {
    try database.run(
      "UPDATE directory_pages SET fetched_at = ? WHERE kind = ? AND subject = ? AND cursor = ?",
      [time.milliseconds, list.stored.kind, list.stored.subject, cursor])
  }

  // MARK: Bounds

  /// Makes room for the page just stored: evicts a page of the same list if that has too many, otherwise the oldest
  /// page. Hardly ever more than one at a time, so the writer is not held up.
  private func keepBounds(of list: DirectoryList, besides key: Int64) throws {
    let (kind, subject) = list.stored
    let counts = try database.first(
      "SELECT count(*), count(*) FILTER (WHERE kind = ? AND subject = ?) FROM directory_pages", [kind, subject]
    ) { (all: $0[0] as Int, ofList: $0[1] as Int) }
    guard let counts else { return }
    var superfluous: [Int64] = []
    if counts.ofList > limits.directoryPagesOfList {
      superfluous = try database.all(
        """
        SELECT key FROM directory_pages WHERE kind = ? AND subject = ? AND key <> ? ORDER BY fetched_at, key LIMIT ?
        """, [kind, subject, key, counts.ofList - limits.directoryPagesOfList]
      ) { $0[0] }
    }
    let rest = counts.all - superfluous.count - limits.directoryPages
    if rest > 0 {
      superfluous += try database.all(
        "SELECT key FROM directory_pages WHERE key <> ? ORDER BY fetched_at, key LIMIT ?", [key, min(rest, 16)]
      ) { $0[0] }
    }
    for page in superfluous { try drop(directoryPage: page) }
  }

  /// Removes a page, and those of its accounts that no other page, person or news item refers to.
  private func drop(directoryPage key: Int64) throws {
    let accounts = try database.accountIDs(ofDirectoryPage: key)
    try database.run("DELETE FROM directory_entries WHERE page = ?", [key])
    try database.run("DELETE FROM directory_pages WHERE key = ?", [key])
    for account in accounts {
      try database.run(
        """
        DELETE FROM github_accounts WHERE id = ? AND NOT EXISTS (SELECT 1 FROM directory_entries WHERE account = ?)
        AND NOT EXISTS (SELECT 1 FROM users WHERE github_id = ?) AND NOT EXISTS (SELECT 1 FROM news_items WHERE actor = ?)
        """, [account, account, account, account])
      try database.run(
        """
        DELETE FROM former_logins WHERE account = ? AND NOT EXISTS (SELECT 1 FROM github_accounts WHERE id = ?)
        """, [account, account])
    }
  }
}
