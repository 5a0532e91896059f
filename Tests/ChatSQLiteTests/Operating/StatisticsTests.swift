import Chat
import Foundation
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("What the store counts")
struct StatisticsTests {
  @Test(
    "Commits, the writes in them, and their events add up; failed commits are counted separately",
    .shows("X3"))
  func commits() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let before = chat.store.writeStatistics
    try await withThrowingTaskGroup { group in
      for sender in 0..<40 {
        group.addTask { _ = try await chat.store.append(chat.message(UInt64(1000 + sender))) }
      }
      try await group.waitForAll()
    }
    // Counted after the commit and before the callers resume, so all are counted by now.
    let after = chat.store.writeStatistics
    #expect(after.writes - before.writes == 40 && after.events - before.events >= 40)
    #expect(after.commits > before.commits && after.batches.reduce(0, +) == after.commits)
    #expect(after.seconds > before.seconds && after.failures == 0 && after.waiting == 0)
    let sizes = chat.store.sizes
    #expect(sizes.database > 0 && sizes.wal > 0)
  }

  @Test(
    "A slow statement is reported by its SQL, never with bound values", .shows("X3", "control 15"))
  func slowQueries() async throws {
    let folder = try TemporaryFolder()
    let told = Box<[String]>([])
    var limits = StoreLimits()
    limits.slowQuery = .seconds(-1)
    let store = try SQLiteStore(path: folder.database, limits: limits) { sql, time in
      #expect(time >= .zero)
      told.update { $0.append(sql) }
    }
    _ = try await store.createAccount(
      NewAccount(
        id: id(1), email: "canary@example.org", passwordHash: "canary", firstName: "Canary", lastName: "",
        createdAt: Timestamp(milliseconds: 0)))
    _ = try await store.credentials(email: "canary@example.org")
    store.close()
    #expect(told.value.contains { $0.contains("INSERT INTO accounts") })
    #expect(!told.value.contains { $0.lowercased().contains("canary") })
  }
}
