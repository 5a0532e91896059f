// The functions are documented where they are promised: at ProfileStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func picture(_ id: PictureID) async throws -> Picture? {
    // Up to a megabyte, and from the disk perhaps.
    try await readElsewhere { try $0.picture(id) }
  }

  public func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser {
    try await write { try $0.setPicture(picture, of: user) }
  }

  public func credentials(of user: UserID) async throws -> Credentials? {
    try read { try $0.credentials(of: user) }
  }

  public func setEmail(_ email: String, of user: UserID, passwordHash: String) async throws -> OwnUser {
    try await write { try $0.setEmail(email, of: user, passwordHash: passwordHash) }
  }

  public func setPassword(
    _ hash: String, of user: UserID, replacing former: String?, keeping kept: SessionID?
  ) async throws -> [SessionID] {
    try await write { try $0.setPassword(hash, of: user, replacing: former, keeping: kept) }
  }

  public func setSettings(
    of user: UserID, readReceipts: Bool?, lastSeen: Bool?, doNotDisturb: DoNotDisturb?
  ) async throws -> Snapshot<OwnUser> {
    try await write {
      try $0.setSettings(of: user, readReceipts: readReceipts, lastSeen: lastSeen, doNotDisturb: doNotDisturb)
    }
  }

  public func setLanguage(_ language: String?, of user: UserID) async throws -> OwnUser {
    try await write { try $0.setLanguage(language, of: user) }
  }

  public func privateUsers() async throws -> Snapshot<[UserID: UserSettings]> {
    try await readElsewhere { try $0.snapshot($0.privateUsers()) }
  }

  public func recordUse(of session: SessionID, at time: Timestamp) async throws {
    try await write { try $0.recordUse(of: session, at: time) }
  }

  public func accounts() async throws -> [OwnUser] {
    try await readElsewhere { try $0.accounts() }
  }
}
