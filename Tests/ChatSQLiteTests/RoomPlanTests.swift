import Chat
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite

@Suite("Query plans of rooms")
struct RoomPlanTests {
  @Test("mentioned people are found by name, without scanning the room's members", .shows("R3"))
  func mentionPlan() async throws {
    let chat = try await Chatroom()
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + Database.membersByHandle, arguments: [1, "a", 2])
        .map { $0["detail"] as String }
    }
    #expect(plan.count == 3 && plan[0] == "SEARCH h USING PRIMARY KEY (handle_key=?)", "\(plan)")
    #expect(plan[1] == "SEARCH m USING PRIMARY KEY (room=? AND member=?)", "\(plan)")
    chat.store.close()
  }

  @Test("a room is read through indexes, without scanning its unread messages", .shows("L1", "R1"))
  func queryPlan() async throws {
    let chat = try await Chatroom()
    let page = "WITH page (room, member) AS (SELECT room, member FROM memberships WHERE room = ? AND member = ?)"
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + page + Database.roomsOfPage, arguments: [1, 1])
        .map { $0["detail"] as String }
    }
    #expect(!plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SEARCH o ") }, "\(plan)")
    // There are few hidden ones, so each leads to its message by number.
    #expect(plan.contains { $0.hasPrefix("SEARCH y ") && $0.hasSuffix("(room=? AND seq=?)") }, "\(plan)")
    chat.store.close()
  }

  @Test("own messages among the unread ones are counted without reading the others' texts", .shows("control 6"))
  func ownUnreadPlan() async throws {
    let chat = try await Chatroom()
    try await chat.store.pool.read { database in
      let rows = try Row.fetchAll(database, sql: "EXPLAIN " + Database.ownUnread, arguments: [1, 0, 10, 1])
      let steps = rows.map { $0["opcode"] as String }
      // The bounds of a range are compared with whole rows, which include the texts.
      #expect(steps.contains { $0.hasPrefix("Seek") } && !steps.contains { $0.hasPrefix("Idx") }, "\(steps)")
    }
    chat.store.close()
  }
}
