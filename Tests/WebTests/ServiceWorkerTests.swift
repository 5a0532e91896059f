import Chat
import ChatTesting
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Opening offline")
struct ServiceWorkerTests {
  @Test(
    "The service worker lists the current files, has its own policy, and is revalidated",
    .shows("O1", "control 3"))
  func worker() async throws {
    try await TestHub.with { hub in
      let answer = try await hub.memory.send(.get, "/sw.js")
      #expect(answer.status == .ok && answer.fields[.contentType] == "text/javascript; charset=utf-8")
      #expect(answer.fields[.cacheControl] == "no-cache")
      #expect(answer.fields["content-security-policy"] == ServiceWorker.policy)
      let lines = answer.text.split(separator: "\n")
      #expect(lines.count == 2)
      let assets = try #require(lines.first?.split(separator: "= ").last?.dropLast())
      let json = try JSONValue.parse(String(assets))
      let base = try #require(json["base"]?.text)
      let version = try #require(json["version"]?.text)
      #expect(base == "/assets/\(version)/" && version.count == 16)
      let files = json["files"]?.array.compactMap(\.text) ?? []
      #expect(files.contains("js/app.js") && files.contains("app.css") && files.contains("css/later/chat.css"))
      #expect(!files.contains { $0.hasPrefix("worker/") || $0.hasPrefix("css/chat/") || $0 == "css/base.css" })
      for path in files.map({ base + $0 }) + ServiceWorker.scripts.map({ base + $0 }) {
        let file = try await hub.memory.send(.get, path)
        #expect(file.fields[.cacheControl] == "public, max-age=31536000, immutable", "\(path)")
      }
      for script in ServiceWorker.scripts { #expect(lines[1].contains("\"\(base)\(script)\"")) }
      let tag = try #require(answer.fields[.etag])
      #expect(try await hub.memory.send(.get, "/sw.js", fields: [.ifNoneMatch: tag]).status == .notModified)
    }
  }

  @Test("Pages allow one Trusted Types policy by name", .shows("O1", "control 10"))
  func policy() async throws {
    try await TestHub.with { hub in
      let page = try await hub.memory.send(.get, "/sign-in")
      let policy = try #require(page.fields["content-security-policy"])
      #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types hubbub"))
      #expect(policy.contains("worker-src 'self'"))
    }
  }

  @Test("Presence is returned for the requested people, and only if they show it", .shows("O2", "S6"))
  func presence() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let path = "/presence?users=\(bob.id),\(UserID(at: hub.clock.now))"
      var answer = try await ada.get(path).json()
      #expect(answer.array.count == 1 && answer[0]?["user_id"]?.text == "\(bob.id)")
      #expect(answer[0]?["online"] == .flag(false) && answer[0]?["last_seen_at"] == nil)
      try await hub.store.recordLastSeen(bob.id, at: hub.clock.now)
      answer = try await ada.get(path).json()
      #expect(answer[0]?["last_seen_at"]?.text == hub.clock.now.description)
      #expect(try await bob.send(.patch, "/me", #"{"settings":{"last_seen":false}}"#).status == .ok)
      answer = try await ada.get(path).json()
      #expect(answer[0]?["last_seen_at"] == nil)
      #expect(try await ada.get("/presence").json() == .array([]))
      let many = Array(repeating: "\(bob.id)", count: PresenceController.mostUsers + 1).joined(separator: ",")
      for wrong in ["x", many] {
        let errors = try await ada.get("/presence?users=" + wrong).expectProblem(.unprocessableContent, "invalid")
        #expect(errors == ["users": "invalid"])
      }
      try await hub.memory.send(.get, "/api/v1/presence").expectProblem(.unauthorized, "unauthenticated")
    }
  }
}
