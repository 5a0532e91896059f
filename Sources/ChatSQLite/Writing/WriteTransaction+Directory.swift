import Chat
import GRDB

extension WriteTransaction {
  /// Stores an account. Lists bring no name, so a known one stays; a login belongs to the account seen with it last.
  func keep(_ account: GitHubAccount, at time: Timestamp) throws {
    let loginKey = account.login.caseFolded
    try database.run(
      "UPDATE github_accounts SET login_key = NULL WHERE login_key = ? AND id <> ?", [loginKey, account.id])
    try database.run(
      """
      INSERT INTO github_accounts (id, login, login_key, type, name, avatar_url, fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET login = excluded.login, login_key = excluded.login_key, type = excluded.type,
        name = coalesce(excluded.name, name), avatar_url = excluded.avatar_url, fetched_at = excluded.fetched_at
      """,
      [account.id, account.login, loginKey, account.type, account.name, account.avatarURL, time.milliseconds])
    let name = try database.githubAccount(id: account.id)?.name
    try follow(account, storedName: name)
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
    try database.run("DELETE FROM directory_entries WHERE page = ?", [key])
    for (position, account) in page.accounts.enumerated() {
      try database.run(
        "INSERT INTO directory_entries (page, position, account) VALUES (?, ?, ?)", [key, position, account.id])
    }
  }

  func confirm(_ list: DirectoryList, cursor: String, at time: Timestamp) throws {
    try database.run(
      "UPDATE directory_pages SET fetched_at = ? WHERE kind = ? AND subject = ? AND cursor = ?",
      [time.milliseconds, list.stored.kind, list.stored.subject, cursor])
  }
}
