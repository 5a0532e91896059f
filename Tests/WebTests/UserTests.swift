import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("People")
struct UserTests {
  @Test("People are listed by name, found by a part of it, and paged by Link to the end")
  func lists() async throws {
    try await TestHub.with { hub in
      let names = ["Ada", "Bob", "Cleo", "Dan", "Eve"]
      var people: [Person] = []
      for name in names { people.append(try await hub.signUp(name, "Test")) }
      let ada = people[0]
      let all = try await ada.get("/users").json().array
      #expect(all.map { $0["first_name"]?.text } == names)
      #expect(
        all[0].names == ["id", "first_name", "last_name", "name", "avatar_url", "member", "online", "handle"])
      #expect(
        try await ada.get("/users?query=%20cle%20&sort=name").json().array.map { $0["name"]?.text } == ["Cleo Test"])
      #expect(try await ada.get("/users?query=nobody").json() == .array([]))
      for limit in 1...6 {
        var seen: [String?] = []
        var pages = 0
        var path: String? = "/api/v1/users?query=test&limit=\(limit)"
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: ada.cookie])
          seen += try page.json().array.map { $0["first_name"]?.text }
          path = page.link("next")
          pages += 1
        }
        #expect(seen == names && pages == (5 + limit - 1) / limit)
      }
      let wrong = ["sort=age": "sort", "limit=x": "limit", "cursor=x": "cursor"]
      for (query, field) in wrong {
        let errors = try await ada.get("/users?" + query).expectProblem(.unprocessableContent, "invalid")
        #expect(errors == [field: "invalid"])
      }
    }
  }

  @Test("One person as others see them: without address and settings")
  func shows() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let user = try await ada.get("/users/\(bob.id)").json()
      #expect(user["name"]?.text == "Bob" && user["email"] == nil && user["settings"] == nil)
      try await ada.get("/users/\(UserID(at: hub.clock.now))").expectProblem(.notFound, "not-found")
    }
  }

  @Test("A new name is stored and announced; errors are reported by field", .shows("A4"))
  func renames() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let before = try await hub.store.lastEventID()
      let answer = try await ada.send(
        .patch, "/me", #"{"first_name":" Augusta ","last_name":"King","settings":{"theme":"dark"}}"#)
      #expect(answer.status == .ok)
      #expect(try answer.json()["name"]?.text == "Augusta King" && answer.json()["email"]?.text == ada.email)
      #expect(try await bob.get("/users/\(ada.id)").json()["name"]?.text == "Augusta King")
      let events = try await bob.get("/sync?after=\(before)").json()["events"]?.array ?? []
      #expect(events.map { $0["event"]?.text } == ["user.updated"])
      #expect(events.first?["data"]?["name"]?.text == "Augusta King")
      #expect(try await ada.send(.patch, "/me", #"{"last_name":""}"#).json()["name"]?.text == "Augusta")
      #expect(try await ada.send(.patch, "/me", "{}").status == .ok)
      let wrong = try await ada.send(.patch, "/me", #"{"first_name":1,"last_name":[],"settings":"x"}"#)
      #expect(
        try wrong.expectProblem(.unprocessableContent, "invalid")
          == ["first_name": "wrong_type", "last_name": "wrong_type", "settings": "wrong_type"])
      let empty = try await ada.send(.patch, "/me", #"{"first_name":" "}"#)
      #expect(try empty.expectProblem(.unprocessableContent, "invalid") == ["first_name": "required"])
    }
  }

  @Test("healthz and readyz respond without a session")
  func health() async throws {
    try await TestHub.with { hub in
      let health = try await hub.memory.send(.get, "/healthz")
      #expect(try health.status == .ok && health.json() == .object(["status": .text("ok")]))
      let ready = try await hub.memory.send(.get, "/readyz")
      #expect(try ready.status == .ok && ready.json() == .object(["status": .text("ready"), "writing": .text("ok")]))
    }
  }
}
