import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// Outside rooms: what belongs to one person is 404 for others.
@Suite("Personal resources")
struct OwnThingsTests {
  /// The routes that name a person's own resource; and those that any signed-in person may use, or that are open to
  /// holders of a secret.
  static let routes: [String: Bool] = [
    "DELETE /api/v1/sessions/:session": true,
    "DELETE /api/v1/invitations/:invitation": true,
    "GET /api/v1/invitations/:invitation": false,
    "POST /api/v1/invitations/:invitation": false,
    "GET /api/v1/users/:user": false,
    "GET /api/v1/avatars/:key": false,
    "GET /api/v1/github/users/:login/followers": false,
    "GET /api/v1/github/users/:login/following": false,
    "GET /api/v1/github/orgs/:login/members": false,
    "GET /api/v1/github/users/:login": false,
    "GET /api/v1/github/repos/:owner/:repo": false,
    "GET /api/v1/github/repos/:owner/:repo/issues": false,
    "GET /api/v1/github/repos/:owner/:repo/issues/:number": false,
    "GET /api/v1/github/repos/:owner/:repo/issues/:number/comments": false,
    "GET /api/v1/github/repos/:owner/:repo/pulls/:number": false,
    "GET /api/v1/github/repos/:owner/:repo/releases/:tag": false,
    "GET /api/v1/github/repos/:owner/:repo/commits/:sha": false,
    "GET /api/v1/github/repos/:owner/:repo/commits/:sha/comments": false,
  ]

  @Test("No route that names a resource outside rooms is missing in this table", .shows("control 8"))
  func complete() async throws {
    try await TestHub.with { hub in
      let offered = hub.application.router.routes().filter {
        $0.pattern.hasPrefix("/api/") && $0.pattern.contains(":") && !$0.pattern.contains(":room")
      }
      #expect(Set(offered.map { "\($0.method) \($0.pattern)" }) == Set(Self.routes.keys))
    }
  }

  @Test("Another's session and invitation are 404, like missing ones; the owner ends them", .shows("control 8"))
  func owned() async throws {
    try await TestHub.with { hub in
      _ = try await hub.signUp("Admin")
      let (ada, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Eve"))
      let other = try await hub.signIn(ada)
      _ = try await ada.send(.post, "/invitations", "{}")
      let session = try #require(
        try await ada.get("/sessions").json().array.first { $0["current"]?.flag == false }?["id"]?.text)
      let invitation = try #require(try await ada.get("/invitations").json()[0]?["id"]?.text)
      let things = [":session": session, ":invitation": invitation]
      for route in Self.routes.filter({ $0.value }).keys.sorted() {
        let pattern = String(route.dropFirst("DELETE /api/v1".count))
        let name = try #require(things.keys.first { pattern.hasSuffix($0) })
        let path = pattern.replacing(name, with: try #require(things[name]))
        // First proves that she is an outsider and that the resource exists.
        for list in ["/sessions", "/invitations"] {
          let ids = try await eve.get(list).json().array.compactMap { $0["id"]?.text }
          try #require(!ids.contains(session) && !ids.contains(invitation))
        }
        let before = try await hub.store.lastEventID()
        let outsider = try await eve.send(.delete, path)
        try outsider.expectProblem(.notFound, "not-found")
        let missing = pattern.replacing(name, with: SessionID(at: hub.clock.now).description)
        #expect(try await eve.send(.delete, missing).body == outsider.body)
        #expect(try await hub.store.lastEventID() == before)
        #expect(try await other.get("/session").status == .ok)
        #expect(try await ada.get("/invitations").json().array.count == 1)
      }
      #expect(try await ada.send(.delete, "/sessions/\(session)").status == .noContent)
      #expect(try await ada.send(.delete, "/invitations/\(invitation)").status == .noContent)
    }
  }
}
