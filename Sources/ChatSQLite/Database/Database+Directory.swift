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

  /// The accounts of a page by number, in their order.
  func accountIDs(ofDirectoryPage key: Int64) throws -> [Int64] {
    try all("SELECT account FROM directory_entries WHERE page = ? ORDER BY position", [key]) { $0[0] }
  }
}
