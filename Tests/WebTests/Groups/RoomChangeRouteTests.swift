import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// `GET /rooms/{id}/changes` and `room.changed`.
@Suite("Lines of a group's log over HTTP")
struct RoomChangeRouteTests {
  @Test("The route and the event tell the same of a change, ascending, in pages from either side", .shows("R5"))
  func tells() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let path = "/rooms/\(room)/changes"
      let start = try await hub.store.lastEventID()
      for name in ["One", "Two", "Three"] {
        hub.clock.advance(by: .seconds(60))
        #expect(try await cast.admin.send(.patch, "/rooms/\(room)", #"{"name":"\#(name)"}"#).status == .ok)
      }
      let told = try await cast.member.told(after: start)
      #expect(told.map(\.name) == Array(repeating: ["room.updated", "room.changed"], count: 3).flatMap(\.self))
      let all = try await cast.member.get(path)
      let changes = try all.json().array
      #expect(Array(changes.suffix(3)) == told.filter { $0.name == "room.changed" }.map(\.data))
      #expect(all.fields["hubbub-event-id"] == "\(try await hub.store.lastEventID())" && all.fields[.link] == nil)
      let last = try #require(changes.last)
      #expect(last["kind"]?.text == "renamed" && last["text"]?.text == "Three" && last["room_id"]?.text == room)
      #expect(last["by"]?["id"]?.text == "\(cast.admin.id)" && last["by"]?["online"] == nil && last["user"] == nil)
      #expect(last["at"]?.text == hub.clock.now.description && last["id"]?.integer != nil && last["seq"] == nil)
      // What came before the renaming: who was taken out of the group in the making.
      #expect(
        changes.dropLast(3).map { $0["kind"]?.text } == ["made_admin", "removed", "banned"]
          && changes[0]["user"]?["id"]?.text == "\(cast.admin.id)")

      let newest = try await cast.member.get(path + "?limit=2")
      func names(_ answer: TestResponse) throws -> [String] { try answer.json().array.map { $0["text"]?.text ?? "" } }
      #expect(try names(newest) == ["Two", "Three"])
      let second = try #require(changes[4]["id"]?.integer)
      #expect(newest.fields[.link] == "</api/v1\(path)?limit=2&before=\(second)>; rel=\"prev\"")
      #expect(try await names(cast.member.get(path + "?limit=1&before=\(second)")) == ["One"])
      let after = try await cast.member.get(path + "?limit=1&after=\(second)")
      #expect(try names(after) == ["Three"] && after.fields[.link]?.contains("rel=\"next\"") == false)
      let time = try #require(changes[4]["at"]?.text)
      #expect(try await names(cast.member.get(path + "?after=\(time)")) == ["Three"])
      #expect(try await names(cast.member.get(path + "?limit=1&before=\(time)")) == ["One"])
    }
  }

  @Test("Two cursors, and what is none, are 422 by name; an unchanged page is 304", .shows("R5"))
  func refuses() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let path = "/rooms/\(room)/changes"
      for (query, fields) in [
        ("?before=x", ["before"]), ("?after=-1", ["after"]), ("?limit=0", ["limit"]),
        ("?before=1&after=2", ["before", "after"]),
      ] {
        let problem = try await cast.member.get(path + query).expectProblem(.unprocessableContent, "invalid")
        #expect(problem == Dictionary(uniqueKeysWithValues: fields.map { ($0, "invalid") }), "\(query)")
      }
      let page = try await cast.member.get(path)
      let tag = try #require(page.fields[.etag])
      let fields: Fields = [.cookie: cast.member.cookie, .ifNoneMatch: tag]
      #expect(try await hub.memory.send(.get, "/api/v1" + path, fields: fields).status == .notModified)
    }
  }
}
