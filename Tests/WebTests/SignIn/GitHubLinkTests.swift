import Chat
import ChatTesting
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Linking a GitHub account")
struct GitHubLinkTests {
  static let octocat = GitHubSignInTests.octocat

  @Test("After linking both ways to sign in lead to the account; its name stays, its picture is GitHub's", .shows("A6"))
  func link() async throws {
    try await withGitHub { hub, identity in
      let ada = try await hub.signUp("Ada", "Lovelace")
      let browser = Browser(hub, identity, as: ada)
      identity.script("code", .success(Self.octocat))
      let state = try await browser.beginLink(#"{"return_to":"/settings?tab=github"}"#)
      #expect(try await browser.end(state, code: "code") == "/settings?tab=github")
      let me = try await browser.me()
      #expect(me["login"]?.text == "octocat" && me["name"]?.text == "Ada Lovelace" && me["has_password"]?.flag == true)
      #expect(browser.flows.isEmpty)
      let other = Browser(hub, identity)
      _ = try await other.signIn(Self.octocat)
      #expect(try await other.me()["id"]?.text == "\(ada.id)")
      #expect(try await hub.signIn(ada).get("/session").status == .ok)
      // Already linked.
      #expect(try await browser.send(.post, "/api/v1/me/github", "{}").status == .conflict)
    }
  }

  @Test("What waited for the GitHub account is in the account now; the peer sees one chat", .shows("A6"))
  func merge() async throws {
    try await withGitHub { hub, identity in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let script = try #require(hub.directory as? ScriptedDirectory)
      script.script.accounts["octocat"] = .success(Self.octocat)
      let waiting = try await bob.send(.post, "/rooms", #"{"kind":"direct","github_login":"octocat"}"#).json()
      let old = try #require(waiting["id"]?.text)
      try await bob.say("waits", in: old)
      let room = try await ada.room(with: bob)
      try await ada.say("hello", in: room)
      let before = try await hub.store.lastEventID()
      let browser = Browser(hub, identity, as: ada)
      #expect(try await browser.link(Self.octocat) == "/settings")
      #expect(try await bob.get("/rooms/\(old)").status == .notFound)
      let messages = try await ada.get("/rooms/\(room)/messages").json().array
      #expect(messages.map { $0["text"]?.text } == ["hello", "waits"])
      #expect(messages.map { $0["seq"]?.integer } == [1, 2])
      #expect(try await ada.get("/rooms/\(room)").json()["unread_count"]?.integer == 1)
      let told = try await bob.told(after: before).map(\.name)
      #expect(told.contains("room.removed") && told.contains("message.created") && told.contains("user.updated"))
      #expect(try await bob.get("/rooms").json().array.count == 1)
    }
  }

  @Test("A GitHub account linked to somebody else is refused, even if that happened meanwhile", .shows("A6"))
  func taken() async throws {
    try await withGitHub { hub, identity in
      let owner = Browser(hub, identity)
      _ = try await owner.signIn(Self.octocat)
      let ada = try await hub.signUp("Ada")
      let browser = Browser(hub, identity, as: ada)
      #expect(try await browser.link(Self.octocat) == "/settings?github=taken")
      #expect(try await browser.me()["login"] == nil)
      // Two tabs link two accounts: the second gets an error.
      let (one, two) = (try await browser.beginLink(), try await browser.beginLink())
      identity.script("one", .success(.person(1, "one")))
      identity.script("two", .success(.person(2, "two")))
      #expect(try await browser.end(one, code: "one") == "/settings")
      #expect(try await browser.end(two, code: "two") == "/settings?github=linked")
      #expect(try await browser.me()["login"]?.text == "one")
    }
  }

  @Test(
    "A flow can be completed only by the session that started it", .shows("A6", "control 1"))
  func bound() async throws {
    try await withGitHub { hub, identity in
      let (ada, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Eve"))
      let mine = Browser(hub, identity, as: ada)
      identity.script("code", .success(Self.octocat))
      let state = try await mine.beginLink()
      let flow = try #require(mine.flows.first)
      let cookie = try #require(mine.jar[flow])
      for person in [eve, try await hub.signIn(ada)] {
        let other = Browser(hub, identity, as: person)
        other.jar[flow] = cookie
        #expect(try await other.end(state, code: "code") == "/settings?github=state")
        #expect(try await other.me()["login"] == nil)
      }
      let nobody = Browser(hub, identity)
      nobody.jar[flow] = cookie
      #expect(try await nobody.end(state, code: "code") == "/settings?github=state")
      // A cookie planted by another site, which knows who she is, but not her secret.
      let forged = GitHubFlow(
        purpose: { _ in .link(binding: ada.id.description) }, returnTo: .settings, at: hub.clock.now)
      mine.jar["hubbub_github_x"] = forged.text
      let name = FlowCookies(isSecure: false).named(forged.state)
      mine.jar[name] = forged.text
      #expect(try await mine.end(forged.state, code: "code") == "/settings?github=state")
      #expect(identity.asked.isEmpty)
      // The session ends during the request to GitHub.
      let again = try await mine.beginLink()
      identity.beforeAnswer { _ = try? await ada.send(.delete, "/session") }
      #expect(try await mine.end(again, code: "code") == "/settings?github=state")
      identity.beforeAnswer(nil)
      #expect(try await hub.store.githubAccount(id: Self.octocat.id)?.userID == nil)
    }
  }

  @Test("Unlinking requires an address and a password; then the GitHub account leads to a new account", .shows("A6"))
  func unlink() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      _ = try await browser.signIn(Self.octocat)
      let refused = try await browser.send(.delete, "/api/v1/me/github")
      try refused.expectProblem(.conflict, "conflict")
      #expect(refused.text.contains("address and a password"))
      // The first address and password require no earlier ones.
      let email = try await browser.send(.put, "/api/v1/me/email", #"{"email":"octo@example.org"}"#)
      #expect(try email.json()["email"]?.text == "octo@example.org")
      let password = try await browser.send(.put, "/api/v1/me/password", #"{"new":"correct horse battery"}"#)
      #expect(password.status == .noContent)
      #expect(try await browser.me()["has_password"]?.flag == true)
      let unlinked = try await browser.send(.delete, "/api/v1/me/github").json()
      #expect(unlinked["login"] == nil && unlinked["github_id"] == nil && unlinked["name"]?.text == "The Octocat")
      #expect(try await browser.send(.delete, "/api/v1/me/github").status == .ok)
      let id = try #require(unlinked["id"]?.text)
      _ = try await hub.signIn(
        Person(id: try #require(UserID(id)), email: "octo@example.org", cookie: "", client: hub.memory))
      let other = Browser(hub, identity)
      _ = try await other.signIn(Self.octocat)
      #expect(try await other.me()["id"]?.text != id)
    }
  }

  @Test(
    "The first password requires a sign-in within fifteen minutes, whatever the clock says",
    .shows("A6", "control 20"))
  func recent() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      _ = try await browser.signIn(Self.octocat)
      func put(_ path: String, _ body: String) async throws -> TestResponse {
        try await browser.send(.put, "/api/v1/me/\(path)", body)
      }
      hub.clock.advance(by: .seconds(899))
      #expect(try await put("email", #"{"email":"octo@example.org"}"#).status == .ok)
      hub.clock.advance(by: .seconds(1))
      for (path, body) in [("email", #"{"email":"b@example.org"}"#), ("password", #"{"new":"correct horse battery"}"#)]
      {
        try await put(path, body).expectProblem(.forbidden, "forbidden")
      }
      // After signing in again it is allowed; errors in the new ones are reported as usual.
      _ = try await browser.signIn(Self.octocat, "?return_to=/settings")
      #expect(try await put("password", #"{"new":"short"}"#).status == .unprocessableContent)
      #expect(try await put("email", #"{"email":"nonsense"}"#).status == .unprocessableContent)
      let ada = try await hub.signUp("Ada")
      #expect(try await put("email", #"{"email":"\#(ada.email)"}"#).status == .unprocessableContent)
      #expect(try await put("password", #"{"new":"correct horse battery"}"#).status == .noContent)
      // From now on the password is required.
      #expect(try await put("password", #"{"new":"another horse battery"}"#).status == .unprocessableContent)
      #expect(try await put("email", #"{"email":"c@example.org"}"#).status == .unprocessableContent)
    }
  }

  @Test(
    "Somebody at an open browser cannot link or unlink: an older session requires the password",
    .shows("A6", "control 6"))
  func confirmed() async throws {
    try await withGitHub(throttle: Throttle.Limits(burst: 2)) { hub, identity in
      let ada = try await hub.signUp("Ada")
      let browser = Browser(hub, identity, as: ada)
      hub.clock.advance(by: .seconds(900))
      for method in [HTTP.Method.post, .delete] {
        let missing = try await browser.send(method, "/api/v1/me/github", "{}")
        #expect(missing.status == .unprocessableContent && missing.text.contains(#""code":"required""#))
        let wrong = try await browser.send(method, "/api/v1/me/github", #"{"password":"wrong words"}"#)
        #expect(wrong.status == .unprocessableContent && wrong.text.contains(#""code":"wrong""#))
      }
      // Two wrong passwords are this address's limit for this account.
      let body = #"{"password":"\#(Person.password)"}"#
      try await browser.send(.post, "/api/v1/me/github", body).expectProblem(.tooManyRequests, "rate-limited")
      #expect(browser.flows.isEmpty)
      hub.clock.advance(by: .seconds(120))
      identity.script("code", .success(Self.octocat))
      #expect(try await browser.end(try await browser.beginLink(body), code: "code") == "/settings")
      #expect(try await browser.me()["login"]?.text == "octocat")
      #expect(try await browser.send(.delete, "/api/v1/me/github", body).status == .ok)
      // Without a password, only a new sign-in proves who it is.
      let guest = Browser(hub, identity)
      _ = try await guest.signIn(.person(7, "seven"))
      hub.clock.advance(by: .seconds(900))
      try await guest.send(.delete, "/api/v1/me/github").expectProblem(.forbidden, "forbidden")
    }
  }

  @Test(
    "Linking is refused if GitHub would redirect to a different name of ours; the response says which",
    .shows("control 14"))
  func elsewhere() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity, as: try await hub.signUp("Ada"))
      let answer = try await browser.send(.post, "/api/v1/me/github", "{}", fields: [.host: "localhost"])
      try answer.expectProblem(.conflict, "conflict")
      #expect(answer.text.contains("http://hub.example"))
      #expect(try await browser.send(.post, "/api/v1/me/github", #"{"return_to":5}"#).status == .unprocessableContent)
      _ = try await browser.beginLink(#"{"return_to":"//evil.example"}"#)
      let flow = try #require(GitHubFlow(text: browser.jar[browser.flows[0]] ?? ""))
      #expect(flow.returnTo == .settings)
    }
  }
}
