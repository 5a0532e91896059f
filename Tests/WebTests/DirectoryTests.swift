import Chat
import ChatTesting
import FakeGitHub
import Foundation
import GitHub
import HTTP
import HTTPServer
import HTTPServerTesting
import Logging
import TestSupport
import Testing

@testable import Web

@Suite("The GitHub directory and avatars")
struct DirectoryTests {
  private static func account(_ id: Int64, _ login: String, user: UserID? = nil) -> GitHubAccount {
    GitHubAccount(
      id: id, login: login, type: "User", name: id == 1 ? "Tom" : nil, avatarURL: "x", userID: user,
      isMember: user != nil)
  }

  private func withScript(_ body: (TestHub, Person, ScriptedDirectory) async throws -> Void) async throws {
    try await TestHub.with { hub in
      try await body(hub, try await hub.signUp("Ada"), try #require(hub.directory as? ScriptedDirectory))
    }
  }

  @Test(
    "That somebody has written to a GitHub account that nobody has signed in with is told to nobody else", .shows("D7"))
  func guests() async throws {
    try await withScript { hub, ada, directory in
      let eve = try await hub.signUp("Eve")
      directory.script.accounts["octocat"] = .success(Self.account(1, "octocat"))
      let start = try await hub.store.lastEventID()
      let room = try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"octocat"}"#).json()
      let guest = try #require(room["peer"]?["id"]?.text.flatMap { UserID($0) })
      try await ada.say("hello", in: try #require(room["id"]?.text))
      directory.script.page = .success(
        DirectoryPage(
          accounts: [try #require(try await hub.store.githubAccount(id: 1))], fetchedAt: hub.clock.now))
      for person in [ada, eve] {
        let seen = try await person.get("/github/users").json().array
        #expect(seen[0]["login"]?.text == "octocat")
        #expect(seen[0]["user_id"] == .null && seen[0]["member"]?.flag == false && seen[0]["online"]?.flag == false)
      }
      let lists = ["/users?query=octocat", "/search?q=octocat", "/github/users"]
      for path in lists { #expect(try await !eve.get(path).text.contains("\(guest)"), "\(path)") }
      // Nor by what they are called at GitHub from now on.
      try await hub.store.saveGitHubAccount(Self.account(1, "hubot"), at: hub.clock.now)
      #expect(try await ada.told(after: start).last?.data["login"]?.text == "hubot")
      #expect(try await eve.told(after: start).isEmpty)
      let arrival = GitHubArrival(
        account: Self.account(1, "hubot"), newID: UserID(at: hub.clock.now), door: .open(invitation: nil),
        time: hub.clock.now)
      #expect(try await hub.store.enter(arrival).own.user.id == guest)
      directory.script.page = .success(
        DirectoryPage(
          accounts: [try #require(try await hub.store.githubAccount(id: 1))], fetchedAt: hub.clock.now))
      #expect(try await eve.get("/github/users").json().array[0]["user_id"]?.text == "\(guest)")
    }
  }

  @Test("A page says when GitHub last confirmed it, who is here, and where the next one is", .shows("D1", "D6"))
  func page() async throws {
    try await withScript { hub, ada, directory in
      directory.script.page = .success(
        DirectoryPage(
          accounts: [Self.account(1, "mojombo"), Self.account(2, "defunkt", user: ada.id)], next: "46&x",
          fetchedAt: hub.clock.now))
      let answer = try await ada.get("/github/users?since=3&limit=2")
      #expect(answer.status == .ok && answer.fields["hubbub-fetched-at"] == hub.clock.now.description)
      #expect(answer.fields["hubbub-stale"] == nil && answer.fields[.etag] != nil)
      #expect(answer.link("next") == "/api/v1/github/users?limit=2&since=46%26x")
      let accounts = try answer.json().array
      #expect(accounts[0].names == ["github_id", "login", "type", "name", "avatar_url", "user_id", "member", "online"])
      #expect(accounts[0]["avatar_url"]?.text == "/api/v1/avatars/github-1" && accounts[0]["user_id"] == .null)
      #expect(accounts[1]["user_id"]?.text == ada.id.description && accounts[1]["member"]?.flag == true)
      #expect(accounts[1]["online"]?.flag == false && accounts[1]["name"] == nil)
      let tag = try #require(answer.fields[.etag])
      #expect(try await ada.get("/github/users?since=3", fields: [.ifNoneMatch: tag]).status == .notModified)
      for path in [
        "/github/users/tom/followers?cursor=2", "/github/users/tom/following", "/github/orgs/github/members",
        "/github/search/users?q=%20tom%20",
      ] {
        let list = try await ada.get(path)
        #expect(list.status == .ok && list.link("next")?.contains("cursor=46%26x") == true)
      }
      #expect(
        Array(directory.script.asked.suffix(4)) == [
          "followers(of: \"tom\") 2", "following(of: \"tom\") ", "members(of: \"github\") ", "search(\"tom\") ",
        ])
      #expect(
        try await ada.get("/github/search/users?q=%20").expectProblem(.unprocessableContent, "invalid")
          == ["q": "required"])
      #expect(
        try await ada.get("/github/users?since=x").expectProblem(.unprocessableContent, "invalid")
          == ["since": "invalid"])
      for login in ["a%2Fb", "a%20b", String(repeating: "a", count: 101)] {
        try await ada.get("/github/users/\(login)/followers").expectProblem(.notFound, "not-found")
      }
    }
  }

  @Test("With stored=1 only the store is read, at once, with an empty page if nothing is stored", .shows("D5"))
  func stored() async throws {
    try await withScript { hub, ada, directory in
      directory.script.storedPage = .some(nil)
      let empty = try await ada.get("/github/users?stored=1")
      #expect(empty.status == .ok && empty.fields["hubbub-fetched-at"] == nil)
      #expect(try empty.json() == .array([]))
      directory.script.storedPage = .some(
        DirectoryPage(accounts: [Self.account(1, "mojombo")], next: "1", fetchedAt: hub.clock.now))
      let page = try await ada.get("/github/users?stored=1")
      #expect(try page.json().array.count == 1 && page.fields["hubbub-fetched-at"] == hub.clock.now.description)
      #expect(page.link("next") == "/api/v1/github/users?stored=1&since=1")
    }
  }

  @Test(
    "A stored page is marked as stale; without one the response is a problem with a debug line", .shows("D3", "D4"))
  func failures() async throws {
    try await withScript { hub, ada, directory in
      let reset = hub.clock.now.adding(seconds: 90)
      let limited = DirectoryFailure(
        kind: .rateLimited(resetAt: reset), status: 403, requestID: "AB:CD", message: "API rate limit exceeded")
      directory.script.page = .success(
        DirectoryPage(accounts: [Self.account(1, "mojombo")], fetchedAt: hub.clock.now, failure: limited))
      let stale = try await ada.get("/github/users")
      #expect(stale.status == .ok && stale.fields["hubbub-stale"] == "1")
      #expect(stale.fields["hubbub-stale-reason"] == "github-rate-limited")
      #expect(stale.fields["hubbub-reset-at"] == reset.description)

      directory.script.page = .failure(limited)
      let problem = try await ada.get("/github/users")
      try problem.expectProblem(.tooManyRequests, "github-rate-limited")
      #expect(problem.fields[.retryAfter] == "90")
      let members = try problem.json()
      #expect(members["reset_at"]?.text == reset.description && members["github_status"]?.integer == 403)
      #expect(members["github_request_id"]?.text == "AB:CD")
      #expect(members["github_message"]?.text == "API rate limit exceeded")

      directory.script.page = .failure(DirectoryFailure(kind: .unreachable, message: "No route"))
      let unavailable = try await ada.get("/github/users")
      try unavailable.expectProblem(.serviceUnavailable, "github-unavailable")
      #expect(try unavailable.json().names.isDisjoint(with: ["reset_at", "github_status", "github_request_id"]))
      directory.script.page = .failure(DirectoryFailure(kind: .notFound, status: 404, message: "Not Found"))
      try await ada.get("/github/users/nobody/followers").expectProblem(.notFound, "not-found")
    }
  }

  @Test("Avatars: pictures with a validator, initials drawn from the key, anything else 404", .shows("D8"))
  func avatars() async throws {
    try await withScript { hub, ada, directory in
      directory.script.avatars = [
        7: .success(AvatarImage(bytes: [1, 2, 3], mediaType: "image/png", etag: "abc")),
        8: .failure(DirectoryFailure(kind: .notFound, message: "x")),
      ]
      let picture = try await ada.get("/avatars/github-7?s=9999")
      #expect(picture.status == .ok && picture.body == [1, 2, 3] && picture.fields[.contentType] == "image/png")
      #expect(picture.fields[.etag] == "\"abc\"" && directory.script.asked == ["avatar 7 512"])
      #expect(try await ada.get("/avatars/github-7", fields: [.ifNoneMatch: "\"abc\""]).status == .notModified)
      let initials = try await ada.get("/avatars/initials-3-%3C%26")
      #expect(initials.fields[.contentType] == "image/svg+xml")
      #expect(initials.text.contains(">&lt;&amp;</text>") && initials.text.contains("#5f6300"))
      #expect(initials.fields.all("content-security-policy") == ["default-src 'none'; sandbox"])
      for key in ["github-8", "github-x", "initials-12-AB", "initials-1-ABC", "x%2Fy", "else"] {
        try await ada.get("/avatars/" + key).expectProblem(.notFound, "not-found")
      }
      #expect(try await hub.memory.send(.get, "/api/v1/avatars/github-7").status == .unauthorized)
      let own = try #require(try await ada.get("/session").json()["avatar_url"]?.text)
      #expect(try await hub.memory.send(.get, own, fields: [.cookie: ada.cookie]).status == .ok)
    }
  }

  @Test("With a failing GitHub: pages, then stored ones, then problems", .shows("D1", "D3", "D4", "D5"))
  func overHTTP() async throws {
    let folder = try TemporaryFolder()
    let simulation = SimulationAddress()
    var options = TestHub.Options()
    options.directory = { store, clock in
      LateDirectory {
        GitHubDirectory(
          configuration: GitHubConfiguration(base: simulation.base), store: store, cacheFolder: folder.path,
          clock: clock, logger: .silent)
      }
    }
    try await TestHub.with(options) { hub in
      var choice = Simulation.Options()
      let clock = hub.clock
      choice.now = { clock.now.milliseconds / 1000 }
      let gitHub = FakeGitHub(group: hub.group, options: choice)
      simulation.base = try await gitHub.start()
      let ada = try await hub.signUp("Ada")
      let first = try await ada.get("/github/users")
      #expect(first.status == .ok)
      let next = try #require(first.link("next"))
      let second = try await hub.memory.send(.get, next, fields: [.cookie: ada.cookie])
      #expect(try second.status == .ok && !second.json().array.isEmpty && second.body != first.body)
      let key = try #require(try first.json()[0]?["avatar_url"]?.text)
      let picture = try await hub.memory.send(.get, key + "?s=64", fields: [.cookie: ada.cookie])
      #expect(picture.status == .ok && picture.fields[.contentType] == "image/png")

      hub.clock.advance(by: .seconds(120))
      gitHub.faults = Faults(.rateLimit, resetInSeconds: 60)
      let stale = try await ada.get("/github/users")
      #expect(stale.fields["hubbub-stale"] == "1" && stale.body == first.body)
      let limited = try await ada.get("/github/users/octocat/followers")
      try limited.expectProblem(.tooManyRequests, "github-rate-limited")
      #expect(limited.fields[.retryAfter] == "60")
      #expect(try limited.json()["reset_at"]?.text == hub.clock.now.adding(seconds: 60).description)
      await gitHub.stop()
    }
  }
}
