import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Databases of older versions", .serialized)
struct ReleasedSchemaTests {
  @Test("Each released schema has a database among the fixtures", .shows("X1"))
  func areThere() throws {
    if ProcessInfo.processInfo.environment["HUBBUB_WRITE_FIXTURES"] == "1" {
      for schema in ReleasedSchema.all { try schema.write() }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: ReleasedSchema.folder.path).sorted()
    #expect(files == ReleasedSchema.all.map(\.file.lastPathComponent))
  }

  @Test(
    "A database of an older version opens with all its data, and is usable", .shows("X1", "H3"),
    arguments: ReleasedSchema.all)
  func opens(_ schema: ReleasedSchema) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: schema.file.path, toPath: folder.database)
    let store = try SQLiteStore(path: folder.database)
    let isOld = schema.number < ReleasedSchema.all.count
    #expect((store.backupBeforeUpgrade != nil) == isOld)
    let (ada, bob): (UserID, UserID) = (id(1), id(2))

    let rooms = try await store.rooms(of: ada, after: nil, limit: 10).value
    let chat = try #require(rooms.first { $0.id == id(0xA) })
    // Neither her own message after the pointer nor the deleted one counts as unread to her.
    #expect(chat.unreadCount == 1 && chat.readSeq == 2 && chat.draft == "half a sentence" && chat.lastSeq == 5)
    #expect((chat.repository?.text == "apple/swift") == schema.isAtLeast("repositories"))
    #expect(rooms.contains { $0.name == "Engines" && $0.membersCount == 2 } == schema.isAtLeast("groups"))
    let messages = try await store.messages(in: id(0xA), for: ada, .newest(limit: 9)).value.messages
    #expect(
      messages.map(\.text) == ["Grüße aus Wien", "edited by now", "", "mine, marked as unread", "the newest"])
    #expect(
      messages.map { $0.marks?.reactions.count ?? 0 }
        == (schema.isAtLeast("views") ? [1, 0, 0, 0, 0] : [0, 0, 0, 0, 0]))
    #expect(try await store.session(secretHash: Array(repeating: 0, count: 32), at: time(10_000))?.userID == ada)

    let sent = try await store.append(
      NewMessage(roomID: id(0xA), senderID: bob, clientID: id(99), text: "after all that", createdAt: time(10_000)))
    #expect(sent.message.seq == 6)
    let again = try await store.append(
      NewMessage(roomID: id(0xA), senderID: bob, clientID: id(0x25), text: "the newest", createdAt: time(11_000)))
    #expect(!again.isNew && again.message.seq == 5)
    #expect(try await found("wien ", for: ada, in: store) == [1])
    #expect(try await found("\"after all\"", for: ada, in: store) == [6])
    store.close()
    #expect(try DatabaseCheck.run(folder.database).findings == [])
  }

  private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
