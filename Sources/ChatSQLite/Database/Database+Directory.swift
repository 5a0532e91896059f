import Chat
import GRDB

extension DirectoryList {
  /// How the list is named in `directory_pages`; logins in any case name the same list.
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
  private static let accountByID = """
    SELECT \(accountColumns) FROM github_accounts g LEFT JOIN users u ON u.github_id = g.id WHERE g.id = ?
    """
  private static let accountsOfPage = """
    SELECT \(accountColumns) FROM directory_entries e JOIN github_accounts g ON g.id = e.account
    LEFT JOIN users u ON u.github_id = g.id WHERE e.page = ? ORDER BY e.position
    """

  private static func decodeAccount(_ row: Row) -> GitHubAccount {
    GitHubAccount(
      id: row[0], login: row[1], type: row[2], name: row[3], avatarURL: row[4],
      userID: row.hasNull(atIndex: 5) ? nil : row.id(5), isMember: row[6])
  }

  func githubAccount(login: String) throws -> GitHubAccount? {
    try first(Self.accountByLogin, [login.caseFolded], Self.decodeAccount)
  }

  func githubAccount(id: Int64) throws -> GitHubAccount? {
    try first(Self.accountByID, [id], Self.decodeAccount)
  }

  func directoryPage(of list: DirectoryList, cursor: String) throws -> StoredDirectoryPage? {
    let found = try first(
      """
      SELECT key, next, etag, fetched_at FROM directory_pages WHERE kind = ? AND subject = ? AND cursor = ?
      """, [list.stored.kind, list.stored.subject, cursor]
    ) { (key: $0[0] as Int64, next: $0[1] as String?, etag: $0[2] as String?, fetchedAt: $0.time(3)) }
    guard let found else { return nil }
    let accounts = try all(Self.accountsOfPage, [found.key], Self.decodeAccount)
    return StoredDirectoryPage(
      list: list, cursor: cursor, accounts: accounts, next: found.next, etag: found.etag, fetchedAt: found.fetchedAt)
  }
}
