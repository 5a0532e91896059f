import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Pictures of groups")
struct GroupPictureTests {
  private func put(
    _ person: Person, _ room: String, _ bytes: [UInt8], _ type: String? = "image/png", fields: Fields = [:]
  ) async throws -> TestResponse {
    var fields = fields
    fields.set(.cookie, person.cookie)
    if let type { fields.set(.contentType, type) }
    return try await person.client.send(.put, "/api/v1/rooms/\(room)/avatar", fields: fields, body: bytes)
  }

  private func path(_ answer: TestResponse) throws -> String {
    #expect(answer.status == .ok, "\(answer.text)")
    return String(try #require(try answer.json()["avatar_url"]?.text).dropFirst("/api/v1".count))
  }

  @Test(
    "A group's picture is announced to members, shown, replaced and removed; an unused one is deleted",
    .shows("R1", "L2"))
  func shown() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let start = try await hub.store.lastEventID()
      let file = Pictures.png(64, 64)
      let first = try path(try await put(cast.admin, room, file))
      #expect(first.hasPrefix("/avatars/picture-"))
      let told = try await cast.member.told(after: start)
      #expect(
        told.map(\.name) == ["room.updated", "room.changed"]
          && told[0].data["avatar_url"]?.text == "/api/v1" + first)
      #expect(try await cast[.outsider].told(after: start).isEmpty)
      let image = try await cast.member.get(first)
      #expect(image.body == file && image.fields[.contentType] == "image/png")
      #expect(image.fields["content-security-policy"] == "default-src 'none'; sandbox")
      // The same picture again changes nothing.
      let after = try await hub.store.lastEventID()
      #expect(try path(try await put(cast.owner, room, file)) == first)
      #expect(try await hub.store.lastEventID() == after)
      let second = try path(try await put(cast.owner, room, Pictures.gif, "image/gif"))
      #expect(second != first)
      try await cast.member.get(first).expectProblem(.notFound, "not-found")
      let none = try path(try await cast.admin.send(.delete, "/rooms/\(room)/avatar"))
      #expect(none.hasPrefix("/avatars/initials-"))
      try await cast.member.get(second).expectProblem(.notFound, "not-found")
      #expect(try await cast.admin.send(.delete, "/rooms/\(room)/avatar").status == .ok)
    }
  }

  @Test("A picture that a person or another group uses too stays until nobody does", .shows("control 4", "R1"))
  func shared() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let (one, two) = (try await cast.group(), try await cast.group())
      let file = Pictures.png(9, 9)
      let address = try path(try await put(cast.owner, one, file))
      #expect(try path(try await put(cast.owner, two, file)) == address)
      var fields: Fields = [.contentType: "image/png"]
      fields.set(.cookie, cast.other.cookie)
      #expect(try path(try await hub.memory.send(.put, "/api/v1/me/avatar", fields: fields, body: file)) == address)
      #expect(try await cast.owner.send(.delete, "/rooms/\(one)/avatar").status == .ok)
      #expect(try await cast.other.send(.delete, "/me/avatar").status == .ok)
      #expect(try await cast.member.get(address).body == file)
      #expect(try await cast.owner.send(.delete, "/rooms/\(two)/avatar").status == .ok)
      try await cast.member.get(address).expectProblem(.notFound, "not-found")
    }
  }

  @Test(
    "Invalid, too large, damaged or cross-site pictures are refused with their own errors",
    .shows("control 2", "control 4", "R1"))
  func refused() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let before = try await cast.state(of: room)
      let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
      for (bytes, type) in [
        (svg, "image/svg+xml"), (svg, "image/png"), (Pictures.png(8, 8), "text/plain"), ([], "image/png"),
        (Pictures.png(8, 8), nil),
      ] {
        let answer = try await put(cast.owner, room, bytes, type)
        try answer.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      }
      for (bytes, code) in [
        (Pictures.png(4097, 1), "too_large"), (Pictures.png(1, 4097), "too_large"),
        (Array(Pictures.png(9, 9).dropLast(2)), "invalid"),
      ] {
        let answer = try await put(cast.owner, room, bytes)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == ["picture": code])
      }
      let large = Pictures.png(9, 9) + [UInt8](repeating: 0, count: 1 << 20)
      try await put(cast.owner, room, large).expectProblem(.contentTooLarge, "too-large")
      let foreign = try await put(
        cast.owner, room, Pictures.gif, "image/gif", fields: [.origin: "https://evil.example"])
      try foreign.expectProblem(.forbidden, "forbidden")
      #expect(try await cast.state(of: room) == before)
      // People without permission are refused whatever the picture.
      try await put(cast.member, room, Pictures.gif, "image/gif").expectProblem(.forbidden, "forbidden")
    }
  }
}
