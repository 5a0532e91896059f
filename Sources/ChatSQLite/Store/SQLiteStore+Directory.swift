// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage? {
    try read { try $0.directoryPage(of: list, cursor: cursor) }
  }

  public func saveDirectoryPage(_ page: StoredDirectoryPage) async throws {
    try await write { try $0.save(page) }
  }

  public func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws {
    try await write { try $0.confirm(list, cursor: cursor, at: time) }
  }

  public func githubAccount(login: String) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(login: login) }
  }

  public func githubAccount(formerLogin login: String) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(formerLogin: login) }
  }

  public func githubAccount(id: Int64) async throws -> GitHubAccount? {
    try read { try $0.githubAccount(id: id) }
  }

  public func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws {
    try await write { try $0.keep(account, at: time) }
  }
}
