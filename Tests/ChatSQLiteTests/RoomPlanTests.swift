import Chat
import GRDB
import Testing

@testable import ChatSQLite

@Suite("How rooms are read")
struct RoomPlanTests {
  @Test("R3 whom a message mentions is found by name, and never among all members of the room")
  func mentionPlan() async throws {
    let chat = try await Chatroom()
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + Database.membersByHandle, arguments: [1, "a", 2])
        .map { $0["detail"] as String }
    }
    #expect(plan.count == 2 && plan[0].hasPrefix("SEARCH u USING INDEX users_by_handle"), "\(plan)")
    #expect(plan.last == "SEARCH m USING PRIMARY KEY (room=? AND member=?)", "\(plan)")
    chat.store.close()
  }

  @Test("L1 R1 a room is read along indexes, and never through its unread messages")
  func queryPlan() async throws {
    let chat = try await Chatroom()
    let page = "WITH page (room, member) AS (SELECT room, member FROM memberships WHERE room = ? AND member = ?)"
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + page + Database.roomsOfPage, arguments: [1, 1])
        .map { $0["detail"] as String }
    }
    #expect(!plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
    // The hidden ones are few, so they lead to their messages, each by its number.
    #expect(plan.contains { $0.hasPrefix("SEARCH y ") && $0.hasSuffix("(room=? AND seq=?)") }, "\(plan)")
    chat.store.close()
  }
}
