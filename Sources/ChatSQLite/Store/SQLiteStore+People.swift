// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func createAccount(_ account: NewAccount) async throws -> OwnUser {
    try await write { try $0.createAccount(account) }
  }

  public func credentials(email: String) async throws -> Credentials? {
    try read { try $0.credentials(email: email) }
  }

  public func ownUser(_ id: UserID) async throws -> OwnUser? {
    try read { try $0.ownUser(id) }
  }

  public func user(_ id: UserID) async throws -> User? {
    try read { try $0.user(id)?.user }
  }

  public func users(matching query: String, after cursor: UserCursor?, limit: Int) async throws -> [User] {
    // A text that nobody matches is looked for in all names.
    try await readElsewhere { try $0.members(matching: query, after: cursor, limit: limit) }
  }

  public func rename(_ id: UserID, firstName: String, lastName: String) async throws -> OwnUser {
    try await write { try $0.rename(id, firstName: firstName, lastName: lastName) }
  }

  public func recordLastSeen(_ id: UserID, at time: Timestamp) async throws {
    try await write { try $0.recordLastSeen(id, at: time) }
  }

  public func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) async throws -> User {
    try await write { try $0.person(for: account, newID: newID, at: time) }
  }

  public func guests(limit: Int) async throws -> [User] {
    try await readElsewhere { try $0.guests(limit: limit) }
  }
}
