import Chat
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Large pages", .shows("control 21"))
struct LargePageTests {
  /// A room with `count` messages of 16 KB.
  private func withRoom(_ count: Int, _ body: (TestHub, Person, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let long = String(repeating: "word 😀😀", count: 1250)
      for _ in 0..<count { try await ada.say(long, in: room) }
      try await body(hub, ada, room)
    }
  }

  private func path(of link: String?) -> String? { link.map { String($0.dropFirst("/api/v1".count)) } }

  /// The numbers of a page of messages, which has at most 256 KiB plus part of its last message.
  private func numbers(_ answer: TestResponse) throws -> [Int] {
    #expect(answer.status == .ok && answer.body.count <= PageRules.bytes)
    return try answer.json().array.compactMap { $0["seq"]?.integer }
  }

  @Test("A page of messages ends at 256 KiB, nearest to the requested position, and Link leads to all others")
  func messages() async throws {
    try await withRoom(40) { _, ada, room in
      let messages = "/rooms/\(room)/messages"
      var seen: [Int] = []
      var next: String? = messages + "?limit=200"
      while let page = next {
        let answer = try await ada.get(page)
        let found = try numbers(answer)
        #expect(!found.isEmpty && found == Array(found[0]...found[found.count - 1]))
        seen = found + seen
        next = path(of: answer.link("prev"))
      }
      #expect(seen == Array(1...40))
      let after = try await ada.get(messages + "?after=10&limit=200")
      #expect(try numbers(after).first == 11 && after.link("next") != nil)
      let around = try numbers(await ada.get(messages + "?around=20&limit=200"))
      #expect(around.contains(20) && around[0] < 20 && around[around.count - 1] > 20)
      let first = try #require(await ada.get(messages + "/1").json()["created_at"]?.text)
      #expect(try numbers(await ada.get(messages + "?on=\(first)&limit=200")).first == 1)
      #expect(try numbers(await ada.get(messages + "?before=5&limit=200")).last == 4)
    }
  }

  @Test("Pages of search results, chats and events end there too, and the rest is on the next pages")
  func others() async throws {
    try await withRoom(30) { hub, ada, room in
      // The index lags behind the messages.
      try await eventually {
        try await ada.get("/search?q=word&types=messages&limit=1").json()["messages"]?.array.first?["seq"]?.integer
          == 30
      }
      var found: [Int] = []
      var next: String? = "/search?q=word&types=messages&limit=200"
      while let page = next {
        let answer = try await ada.get(page)
        #expect(answer.body.count <= PageRules.bytes + 50_000)
        found += try #require(answer.json()["messages"]).array.compactMap { $0["seq"]?.integer }
        next = path(of: answer.link("next"))
      }
      #expect(found == Array((1...30).reversed()))

      var (last, created) = (0, 0)
      repeat {
        let answer = try await ada.get("/sync?after=\(last)")
        #expect(answer.body.count <= PageRules.bytes + 50_000)
        let events = try #require(answer.json()["events"]).array
        if events.isEmpty { break }
        created += events.count { $0["event"]?.text == "message.created" }
        last = try #require(answer.json()["last_event_id"]?.integer)
      } while true
      #expect(created == 30)

      let long = String(repeating: "😀", count: 10_000)
      for number in 0..<10 {
        let other = try await ada.room(with: try await hub.signUp("Friend\(number)"))
        try await ada.say(long, in: other)
      }
      var rooms = 0
      next = "/rooms?limit=200"
      while let page = next {
        let answer = try await ada.get(page)
        #expect(answer.body.count <= PageRules.bytes + 50_000)
        rooms += try answer.json().array.count
        next = path(of: answer.link("next"))
      }
      #expect(rooms == 11)
    }
  }
}
