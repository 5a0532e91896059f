import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Profiles in an older database")
struct ProfileMigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "A database from before profiles opens with everything visible, no pictures, and sessions last used when created")
  func fromTheFirst() async throws {
    let queue = try DatabaseQueue(path: folder.database)
    try Schema.migrator.migrate(queue, upTo: "v1")
    let (person, session): (UserID, SessionID) = (id(1), id(2))
    try await queue.write { database in
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try database.execute(
        sql: """
          INSERT INTO users (key, id, first_name, last_name, name_key) VALUES (1, ?, 'Ada', '', 'ada');
          INSERT INTO accounts (person, email, email_key, password_hash, is_admin, created_at)
          VALUES (1, 'a@b.c', 'a@b.c', 'hash', 1, 5);
          """, arguments: [person.blob])
      try database.execute(
        sql: """
          INSERT INTO sessions (secret_hash, id, person, created_at, expires_at, user_agent) VALUES (?, ?, 1, 7, 900, '')
          """, arguments: [Data(repeating: 1, count: 32), session.blob])
    }
    try queue.close()
    let store = try SQLiteStore(path: folder.database)
    let own = try #require(try await store.ownUser(person))
    #expect(own.settings == UserSettings() && own.user.picture == nil && own.isAdmin)
    #expect(try await store.privateUsers().value.isEmpty)
    let known = try await store.sessions(of: person, at: Timestamp(milliseconds: 10))
    #expect(known.map(\.lastUsedAt) == [Timestamp(milliseconds: 7)])
    #expect(try await store.invitations(in: nil, of: nil, at: Timestamp(milliseconds: 10)).isEmpty)
    store.close()
  }
}
