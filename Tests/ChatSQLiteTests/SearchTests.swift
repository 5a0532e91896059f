import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

/// The numbers of the messages found, newest first, on all pages.
func found(
  _ q: String, for user: UserID, in store: any ChatStore, limit: Int = 50
) async throws -> [Int] {
  let query = try SearchQueryParser.parse(.init(q: q))
  var (hits, cursor) = ([FoundMessage](), SearchCursor?.none)
  repeat {
    let page = try await store.messages(matching: query, for: user, after: cursor, limit: limit)
    #expect(page.hits.count <= limit)
    hits += page.hits
    cursor = page.next
  } while cursor != nil
  return hits.map(\.message.seq)
}

@Suite("Search in the store", .shows("Q1"))
struct SearchTests {
  static let texts = [
    "Hello world, the CI is red", "Grüße aus der Straße", "see Sources/Chat/Room.swift",
    "let fooBar = foo_baz(HTTPServer)",
    "fixes #123 and octo/repo#45", "commit 3f2a9c1d7e8b4a60f1e2d3c4b5a697887766f5e4", "我们修复了搜索问题", "サーバーのテスト",
    "한국어 검색을 고쳤습니다", "go 👍🏽 and 🎉", "look at https://example.org/page", "`code` for @ada", "we say hello again",
  ]

  private func filled(_ limits: StoreLimits = StoreLimits()) async throws -> Chatroom {
    let chat = try await Chatroom(limits: limits)
    for (index, text) in Self.texts.enumerated() {
      _ = try await chat.store.append(
        chat.message(
          UInt64(500 + index), text, by: index % 2 == 0 ? chat.ada : chat.bob, seconds: Int64(index) * 86_400))
    }
    return chat
  }

  @Test(
    "Words, prefixes, phrases, code, paths, numbers, ids, CJK, short words and emoji are found, newest first",
    .shows("Q1"),
    arguments: [
      ("hello ", [13, 1]), ("HELL", [13, 1]), ("\"hello world\"", [1]), ("\"world hello\"", []),
      ("grusse strasse", [2]),
      ("Sources/Chat/Room.swift", [3]), ("room.sw", [3]), ("Room", [3]), ("fooBar", [4]), ("foobar ", [4]),
      ("bar ", [4]),
      ("foo_baz", [4]), ("server ", [4]), ("#123", [5]), ("#12", []), ("#45", [5]), ("45 ", [5]), ("repo", [5]),
      ("3f2a9c1", [6]),
      ("搜索", [7]), ("搜", [7]), ("索搜", []), ("テスト", [8]), ("검색", [9]), ("색", [9]), ("ci ", [1]), ("go ", [10]),
      ("GO", [10]),
      ("👍", [10]), ("🎉", [10]), ("has:link", [11]), ("has:code", [12]), ("has:mention", [12]),
      ("has:link has:code", []),
      ("from:bob hello", []), ("from:ada hello ", [13, 1]), ("from:me go", []), ("from:bo go", [10]),
      ("in:bob", Array((1...13).reversed())), ("in:bo world ", [1]), ("hello before:2027-01-16", [1]),
      ("after:2027-01-26", [13, 12]), ("after:2027-01-16 before:2027-01-18", [3, 2]), ("?", []), ("nowhere ", []),
    ])
  func finds(q: String, expected: [Int]) async throws {
    let chat = try await filled()
    #expect(try await found(q, for: chat.ada, in: chat.store) == expected)
    #expect(try await found(q, for: chat.ada, in: chat.store, limit: 1) == expected)
  }

  @Test(
    "Text that is not a whole word is matched within words, in code, in paths and in prose", .shows("Q1"),
    arguments: [
      ("ttpserv", [4]), ("ources/ch", [3]), ("rder", []), ("ello", [13, 1]), ("ello wor", [1]), ("2a9c1d7", [6]),
      ("ource chat", [3]), ("\"ello\"", []), ("el ", []),
    ])
  func findsParts(q: String, expected: [Int]) async throws {
    let chat = try await filled()
    #expect(try await found(q, for: chat.ada, in: chat.store) == expected)
    #expect(try await found(q, for: chat.ada, in: chat.store, limit: 1) == expected)
  }

  @Test("A search that exceeds its time limit stops, says where to continue, and misses nothing", .shows("Q1"))
  func stops() async throws {
    var limits = StoreLimits()
    limits.searchTime = .zero
    let chat = try await filled(limits)
    let query = try SearchQueryParser.parse(.init(q: "hello "))
    let first = try await chat.store.messages(matching: query, for: chat.ada, after: nil, limit: 50)
    #expect(first.hits.map(\.message.seq) == [13] && first.next != nil)
    for (q, expected) in [
      ("hello ", [13, 1]), ("ello", [13, 1]), ("nowhere", []), ("in:bob", Array((1...13).reversed())),
    ] {
      #expect(try await found(q, for: chat.ada, in: chat.store) == expected, "\(q)")
    }
  }

  @Test("Each epoch is searched, and nothing is lost at their borders", .shows("Q1"))
  func epochs() async throws {
    let chat = try await filled()
    await chat.store.writer.indexer.catchUp(for: chat.ada)
    // As if 100,000 messages of others lay between.
    for (number, moved) in [(13, 150_013), (12, 98_304), (11, 98_303), (10, 32_768), (9, 32_767)] {
      try await move(number, to: Int64(moved), in: chat)
    }
    for (q, expected) in [("hello ", [13, 1]), ("in:bob", Array((1...13).reversed())), ("ello", [13, 1]), ("g", [])] {
      #expect(try await found(q, for: chat.ada, in: chat.store, limit: 2) == expected, "\(q)")
    }
    for (q, expected) in [("code ", [12]), ("page ", [11]), ("🎉", [10]), ("검색", [9]), ("serv", [4]), ("ttpserv", [4])] {
      #expect(try await found(q, for: chat.ada, in: chat.store) == expected, "\(q)")
    }
    #expect(try await found("after:2027-01-24 before:2027-01-26", for: chat.ada, in: chat.store) == [11, 10])
  }

  private func move(_ number: Int, to moved: Int64, in chat: Chatroom) async throws {
    try await chat.store.pool.write { database in
      let row = try #require(
        try Row.fetchOne(
          database,
          sql: """
            SELECT s.room, s.seq, s.sender, s.text FROM search_messages n JOIN messages s ON s.room = n.room AND s.seq = n.seq
            WHERE number = ?
            """, arguments: [number]))
      let index = SearchIndex(database: database)
      func mark(_ number: Int64, _ text: String?) throws {
        try database.execute(
          sql: "INSERT INTO search_changed (number, text, room, sender) VALUES (?, ?, ?, ?)",
          arguments: [number, text, row["room"] as Int64, row["sender"] as Int64])
        while try index.workOff(until: { true }) {}
      }
      try database.execute(sql: "UPDATE search_messages SET number = ? WHERE number = ?", arguments: [moved, number])
      // The old number no longer refers to a message, so its content is only removed.
      try mark(Int64(number), row["text"])
      try mark(moved, nil)
    }
  }

  @Test(
    "Searching all rooms at once gives the results of searching each, none from others' rooms", .shows("Q1"),
    arguments: [2, 40])
  func manyRooms(count: Int) async throws {
    let chat = try await filled()
    for number in 0..<count {
      let peer: UserID = id(UInt64(1000 + number))
      _ = try await chat.store.createAccount(
        NewAccount(
          id: peer, email: "\(number)@example.org", passwordHash: "hash", firstName: "Peer", lastName: "\(number)",
          createdAt: Chatroom.start))
      let mine: RoomID = id(UInt64(2000 + number))
      _ = try await chat.store.openDirectRoom(of: chat.ada, with: peer, newID: mine, at: Chatroom.start)
      let others: RoomID = id(UInt64(3000 + number))
      _ = try await chat.store.openDirectRoom(of: chat.eve, with: peer, newID: others, at: Chatroom.start)
      for room in [mine, others] {
        _ = try await chat.store.append(
          NewMessage(
            roomID: room, senderID: peer, clientID: id(room == mine ? UInt64(4000 + number) : UInt64(5000 + number)),
            text: room == mine ? "hello needle" : "hello hay", createdAt: Chatroom.start.adding(seconds: 99 * 86_400)))
      }
    }
    #expect(try await found("hello ", for: chat.ada, in: chat.store, limit: 7).count == count + 2)
    #expect(try await found("needle", for: chat.ada, in: chat.store).count == count)
    #expect(try await found("hay", for: chat.ada, in: chat.store).isEmpty)
    #expect(try await found("hay", for: chat.eve, in: chat.store).count == count)
    #expect(try await found("in:\"peer 1\" hello", for: chat.ada, in: chat.store).count == 1)
    #expect(try await found("from:peer1", for: chat.ada, in: chat.store).count == (count > 10 ? 11 : 1))
    let query = try SearchQueryParser.parse(.init(q: "hello world"))
    let hit = try #require(
      try await chat.store.messages(matching: query, for: chat.ada, after: nil, limit: 9).hits.first)
    #expect(hit.roomName == "Bob" && hit.roomKind == .direct && hit.message.roomID == chat.room)
  }

  @Test("A search that nobody waits for any more ends", .shows("Q1"))
  func cancelled() async throws {
    let chat = try await filled()
    let query = try SearchQueryParser.parse(.init(q: "hello"))
    let store = chat.store
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.messages(matching: query, for: chat.ada, after: nil, limit: 9)
    }
    await #expect(throws: ChatError.self) { try await search.value }
  }
}
