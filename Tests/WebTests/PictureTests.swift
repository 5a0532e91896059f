import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Pictures of people")
struct PictureTests {
  private func put(
    _ person: Person, _ bytes: [UInt8], _ type: String? = "image/png", fields: Fields = [:],
    over client: TestClient? = nil
  ) async throws -> TestResponse {
    var fields = fields
    fields.set(.cookie, person.cookie)
    if let type { fields.set(.contentType, type) }
    return try await (client ?? person.client).send(.put, "/api/v1/me/avatar", fields: fields, body: bytes)
  }

  @Test("A picture is announced to everyone at once, immutable by its address, and removable", .shows("A4"))
  func shown() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await bob.room(with: ada)
      let socket = try hub.socket()
      let stream = try await bob.events(socket)
      while try await stream.next()?.name != "hello" {}
      let file = Pictures.png(320, 200)
      let answer = try await put(ada, file, over: socket)
      #expect(answer.status == .ok)
      let path = try #require(try answer.json()["avatar_url"]?.text)
      #expect(
        path.hasPrefix("/api/v1/avatars/picture-") && path.utf8.count == "/api/v1/avatars/picture-".utf8.count + 64)
      #expect(try answer.json()["email"]?.text == ada.email)
      var told = try await stream.next()
      while told?.name == "presence" { told = try await stream.next() }
      #expect(told?.name == "user.updated")
      #expect(try JSONValue.parse(try #require(told).data)["avatar_url"]?.text == path)
      #expect(try await bob.get("/users/\(ada.id)").json()["avatar_url"]?.text == path)
      #expect(try await bob.get("/rooms/\(room)").json()["peer"]?["avatar_url"]?.text == path)

      let image = try await bob.get(String(path.dropFirst("/api/v1".count)))
      #expect(image.status == .ok && image.body == file)
      #expect(image.fields[.contentType] == "image/png" && image.fields["content-disposition"] == "inline")
      #expect(image.fields[.cacheControl] == "private, max-age=31536000, immutable")
      #expect(image.fields["content-security-policy"] == "default-src 'none'; sandbox")
      let etag = try #require(image.fields[.etag])
      let again = try await bob.get(String(path.dropFirst("/api/v1".count)), fields: [.ifNoneMatch: etag])
      #expect(again.status == .notModified)
      let nobody = try await hub.memory.send(.get, path)
      try nobody.expectProblem(.unauthorized, "unauthenticated")

      // A new picture replaces it, and the unused one is deleted.
      #expect(try await put(ada, Pictures.gif, "image/gif").status == .ok)
      #expect(try await bob.get(String(path.dropFirst("/api/v1".count))).status == .notFound)
      let back = try await ada.send(.delete, "/me/avatar")
      #expect(try back.json()["avatar_url"]?.text?.contains("/avatars/initials-") == true)
      let before = try await hub.store.lastEventID()
      #expect(try await ada.send(.delete, "/me/avatar").status == .ok)
      #expect(try await hub.store.lastEventID() == before)
    }
  }

  @Test("Two people may have the same picture; it stays until neither does", .shows("control 4"))
  func shared() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let file = Pictures.png(8, 8)
      let path = try #require(try await put(ada, file).json()["avatar_url"]?.text).dropFirst("/api/v1".count)
      #expect(try await put(bob, file).json()["avatar_url"]?.text?.hasSuffix(path) == true)
      _ = try await ada.send(.delete, "/me/avatar")
      #expect(try await ada.get(String(path)).body == file)
      #expect(try await put(bob, Pictures.png(8, 8, salt: 1)).status == .ok)
      #expect(try await ada.get(String(path)).status == .notFound)
    }
  }

  @Test(
    "The type is detected from the bytes, never as claimed; SVG and other formats are 415", .shows("control 4")
  )
  func types() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".utf8)
      for (bytes, type) in [
        (svg, "image/svg+xml"), (svg, "image/png"), ([], "image/png"), (Array("<html>".utf8), "image/gif"),
        (Pictures.png(8, 8), "image/svg+xml"), (Pictures.png(8, 8), "text/html"),
      ] {
        try await put(ada, bytes, type).expectProblem(.unsupportedMediaType, "unsupported-media-type")
      }
      let path = try #require(try await put(ada, Pictures.gif, "image/png").json()["avatar_url"]?.text)
      let image = try await ada.get(String(path.dropFirst("/api/v1".count)))
      #expect(image.fields.all(.contentType) == ["image/gif"])
    }
  }

  @Test("Too many pixels and a damaged file are 422, too many bytes 413, each with the remedy", .shows("control 4"))
  func refusals() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let wide = try await put(ada, Pictures.png(4097, 10))
      #expect(try wide.expectProblem(.unprocessableContent, "invalid") == ["picture": "too_large"])
      #expect(try wide.json()["detail"]?.text?.contains("4096 × 4096") == true)
      let bomb = try await put(ada, Pictures.png(65_535, 65_535))
      #expect(try bomb.expectProblem(.unprocessableContent, "invalid") == ["picture": "too_large"])
      let broken = try await put(ada, Array(Pictures.png(9, 9).dropLast(2)))
      #expect(try broken.expectProblem(.unprocessableContent, "invalid") == ["picture": "invalid"])
      let most = Pictures.png(9, 9) + [UInt8](repeating: 0, count: (1 << 20) - 34)
      #expect(most.count == 1 << 20)
      #expect(try await put(ada, most).status == .ok)
      for client in [hub.memory, try hub.socket()] {
        let large = try await put(ada, most + [0], over: client)
        try large.expectProblem(.contentTooLarge, "too-large")
        #expect(large.text.contains("1048576 bytes"))
        // Beyond that the server does not even continue reading.
        let larger = try await put(ada, most + [UInt8](repeating: 0, count: 1 << 20), over: client)
        try larger.expectProblem(.contentTooLarge, "too-large")
      }
    }
  }

  @Test("A picture from a page on another site is refused, and so is a type that a form can send", .shows("control 2"))
  func crossSite() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let foreign: [Fields] = [
        [.origin: "https://evil.example"], [.origin: "null"], ["sec-fetch-site": "cross-site"],
        ["sec-fetch-site": "same-site"],
      ]
      for fields in foreign {
        try await put(ada, Pictures.gif, "image/gif", fields: fields).expectProblem(.forbidden, "forbidden")
        try await ada.send(.delete, "/me/avatar", fields: fields).expectProblem(.forbidden, "forbidden")
      }
      for type in ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", nil] {
        let answer = try await put(ada, Pictures.gif, type)
        try answer.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      }
      #expect(try await ada.get("/session").json()["avatar_url"]?.text?.contains("initials") == true)
      let own = try await put(
        ada, Pictures.gif, "image/gif", fields: [.origin: "http://localhost", "sec-fetch-site": "same-origin"])
      #expect(own.status == .ok)
    }
  }
}
