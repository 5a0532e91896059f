// The functions are documented where they are promised: at GitHubAccountStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func enter(_ arrival: GitHubArrival) async throws -> GitHubEntrance {
    try await write { try $0.enter(arrival) }
  }

  public func linkGitHub(_ account: GitHubAccount, to user: UserID, at time: Timestamp) async throws -> OwnUser {
    try await write { try $0.linkGitHub(account, to: user, at: time) }
  }

  public func unlinkGitHub(of user: UserID) async throws -> OwnUser {
    try await write { try $0.unlinkGitHub(of: user) }
  }

  public func setFirstPassword(
    _ hash: String, of user: UserID, keeping kept: SessionID
  ) async throws -> [SessionID] {
    try await write { try $0.setFirstPassword(hash, of: user, keeping: kept) }
  }

  public func setFirstEmail(_ email: String, of user: UserID) async throws -> OwnUser {
    try await write { try $0.setFirstEmail(email, of: user) }
  }
}
