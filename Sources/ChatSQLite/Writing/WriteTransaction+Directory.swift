import Chat
import GRDB

extension WriteTransaction {
  /// Stores an account. Lists bring no name, so a known one stays; a login belongs to the account seen with it last, and
  /// is remembered as a former one of the account that has another by now.
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
    // Of a hundred accounts of a page that comes again, hardly one is written.
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

  /// Makes room for the page that was just stored: a page of the same list that has too many, else the oldest of all.
  /// Hardly ever more than one at a time, so that the writer is never held up by it.
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

  /// Drops a page, and those of its accounts that no other page, no person here and no news name.
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
