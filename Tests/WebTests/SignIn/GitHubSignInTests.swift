import Chat
import ChatTesting
import Crypto
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Signing in with GitHub")
struct GitHubSignInTests {
  static let octocat = GitHubAccount.person(583_231, "octocat", "The Octocat")

  @Test(
    "A new person gets an account with GitHub's name; the first is the admin; later it is the same account",
    .shows("A1", "A3"))
  func new() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      #expect(try await browser.signIn(Self.octocat, "?return_to=/people") == "/people")
      let me = try await browser.me()
      #expect(me["login"]?.text == "octocat" && me["github_id"]?.integer == 583_231)
      #expect(me["first_name"]?.text == "The" && me["last_name"]?.text == "Octocat")
      #expect(me["admin"]?.flag == true && me["has_password"]?.flag == false && me["email"] == .null)
      #expect(me["avatar_url"]?.text?.contains("583231") == true)
      #expect(browser.flows.isEmpty)
      let other = Browser(hub, identity)
      // Renamed meanwhile: the id counts.
      #expect(try await other.signIn(.person(583_231, "monalisa", "Mona Lisa Octocat")) == "/chats")
      let again = try await other.me()
      #expect(again["id"]?.text == me["id"]?.text && again["login"]?.text == "monalisa")
      #expect(again["first_name"]?.text == "Mona" && again["last_name"]?.text == "Lisa Octocat")
      // A name chosen here stays.
      try await other.send(.patch, "/api/v1/me", #"{"first_name":"Cat","last_name":""}"#)
      _ = try await other.signIn(.person(583_231, "monalisa", "Somebody Else"))
      #expect(try await other.me()["name"]?.text == "Cat")
      #expect(try await hub.store.accounts().count == 1)
    }
  }

  @Test(
    "The redirect to GitHub: state of 256 bits, S256 of a verifier kept only in the cookie, our own address",
    .shows("A1"))
  func flow() async throws {
    try await withGitHub(publicBase: "https://hub.example") { hub, identity in
      let browser = Browser(hub, identity)
      let answer = try await browser.get("/auth/github?return_to=/news")
      let location = try #require(answer.fields[.location])
      #expect(location.contains("redirect_uri=https://hub.example/auth/github/callback"))
      let cookie = try #require(answer.fields[.setCookie])
      #expect(cookie.hasPrefix("__Host-hubbub_github_"))
      for part in ["Path=/", "Max-Age=600", "Secure", "HttpOnly", "SameSite=Lax"] { #expect(cookie.contains(part)) }
      let flow = try #require(GitHubFlow(text: browser.jar[browser.flows[0]] ?? ""))
      #expect(flow.state.count == 64 && flow.verifier.count == 64 && flow.state != flow.verifier)
      #expect(!location.contains(flow.verifier))
      let digest = Data(SHA256.hash(data: Data(flow.verifier.utf8))).base64EncodedString()
      let challenge = digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      #expect(challenge.count == 43 && location.contains("code_challenge=" + challenge))
      identity.script("code", .success(Self.octocat))
      #expect(try await browser.end(flow.state, code: "code") == "/news")
      #expect(
        identity.asked == [
          .init(code: "code", verifier: flow.verifier, redirectURI: "https://hub.example/auth/github/callback")
        ])
    }
  }

  @Test("Signing in ends the browser's former session and starts another", .shows("control 1"))
  func rotated() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      _ = try await browser.signIn(Self.octocat)
      let before = try #require(browser.session)
      _ = try await browser.signIn(Self.octocat)
      #expect(browser.session != before)
      let old = try await hub.memory.send(
        .get, "/api/v1/session", fields: [.cookie: "hubbub_session=\(before)"])
      #expect(old.status == .unauthorized)
    }
  }

  @Test(
    "Each failure is shown on the sign-in page by name, and ends the flow", .shows("A1"),
    arguments: [
      (GitHubIdentityFailure.denied, "denied"), (.expired, "expired"), (.unverifiedEmail, "unverified"),
      (.misconfigured("incorrect_client_credentials"), "misconfigured"),
      (.unavailable(DirectoryFailure(kind: .rateLimited(resetAt: nil), status: 403, message: "slow")), "unavailable"),
    ])
  func failures(failure: GitHubIdentityFailure, name: String) async throws {
    let log = RecordedLog()
    try await withGitHub(logger: log) { hub, identity in
      let browser = Browser(hub, identity)
      identity.script("code", .failure(failure))
      let state = try await browser.begin("?return_to=/news")
      #expect(try await browser.end(state, code: "code") == "/sign-in?return_to=%2Fnews&github=\(name)")
      #expect(browser.flows.isEmpty && browser.session == nil)
      #expect(log.lines.contains { $0.contains(name) })
      #expect(!log.lines.joined().contains(state))
    }
  }

  @Test("Errors in GitHub's redirect are shown in our words, never verbatim", .shows("A1"))
  func errors() async throws {
    let log = RecordedLog()
    try await withGitHub(logger: log) { hub, identity in
      let browser = Browser(hub, identity)
      for (error, name) in [
        ("access_denied", "denied"), ("redirect_uri_mismatch", "misconfigured"),
        ("application_suspended", "misconfigured"), ("%0A%0Dcanary", "misconfigured"), ("server_error", "unavailable"),
      ] {
        let state = try await browser.begin()
        let answer = try await browser.get(
          "/auth/github/callback?error=\(error)&error_description=canary&state=\(state)")
        #expect(answer.fields[.location] == "/sign-in?github=\(name)")
      }
      #expect(identity.asked.isEmpty && !log.lines.joined().contains("canary"))
    }
  }

  @Test("A foreign, missing, old or used state leads nowhere, without a request to GitHub", .shows("A1"))
  func state() async throws {
    try await withGitHub { hub, identity in
      let (browser, other) = (Browser(hub, identity), Browser(hub, identity))
      identity.script("code", .success(Self.octocat))
      let foreign = try await other.begin()
      let own = try await browser.begin()
      #expect(try await browser.end(foreign, code: "code") == "/sign-in?github=state")
      #expect(try await browser.end("", code: "code") == "/sign-in?github=state")
      #expect(try await browser.end(own, code: "") == "/sign-in?github=state")
      // The response cleared its cookie.
      #expect(try await browser.end(own, code: "code") == "/sign-in?github=state")
      let late = try await browser.begin()
      hub.clock.advance(by: .seconds(601))
      #expect(try await browser.end(late, code: "code") == "/sign-in?github=expired")
      #expect(identity.asked.isEmpty)
      let name = try #require(other.flows.first)
      other.jar[name] = "nonsense"
      #expect(try await other.end(foreign, code: "code") == "/sign-in?github=state")
    }
  }

  @Test("Two tabs do not interfere; a browser keeps a few flows and drops the oldest", .shows("A1"))
  func tabs() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      let (first, second) = (try await browser.begin("?return_to=/news"), try await browser.begin("?return_to=/people"))
      identity.script("one", .success(Self.octocat))
      identity.script("two", .success(Self.octocat))
      #expect(try await browser.end(second, code: "two") == "/people")
      #expect(try await browser.end(first, code: "one") == "/news")
      for _ in 0..<8 {
        hub.clock.advance(by: .seconds(1))
        _ = try await browser.begin()
      }
      #expect(browser.flows.count == 4)
    }
  }

  @Test(
    "By invite, an invitation is required, used up, and leads to its room; existing accounts need none",
    .shows("A3"))
  func invite() async throws {
    try await withGitHub(.invite) { hub, identity in
      let made = try await hub.core.accounts.invitations.createForOperator(maxUses: 2)
      let admin = Browser(hub, identity)
      #expect(try await admin.signIn(Self.octocat) == "/sign-in?github=invite")
      #expect(try await admin.signIn(Self.octocat, "?invitation=nonsense") == "/sign-in?github=invite")
      let query = "?return_to=/invite/\(made.token)&invitation=\(made.token)"
      #expect(try await admin.signIn(Self.octocat, query) == "/chats")
      #expect(try await admin.me()["admin"]?.flag == true)
      let group = try await admin.send(.post, "/api/v1/rooms", #"{"kind":"group","name":"Engine"}"#).json()
      let room = try #require(group["id"]?.text)
      let invited = try await admin.send(.post, "/api/v1/rooms/\(room)/invitations", #"{"max_uses":1}"#).json()
      let token = String(try #require(invited["url"]?.text?.split(separator: "/").last))
      let guest = Browser(hub, identity)
      let hubot = GitHubAccount.person(480_938, "hubot")
      #expect(
        try await guest.signIn(hubot, "?return_to=/invite/\(token)&invitation=\(token)") == "/chats/\(room)")
      #expect(try await guest.me()["name"]?.text == "hubot")
      // Used up; its owner can sign in nevertheless, and goes where they wanted.
      let third = Browser(hub, identity)
      #expect(try await third.signIn(.person(3, "defunkt"), "?invitation=\(token)") == "/sign-in?github=invite")
      #expect(try await guest.signIn(hubot, "?return_to=/invite/\(token)&invitation=\(token)") == "/invite/\(token)")
    }
  }

  @Test("Closed: no new accounts, existing ones can sign in; by GitHub: new ones only with GitHub", .shows("A3"))
  func modes() async throws {
    try await withGitHub(.closed) { hub, identity in
      let browser = Browser(hub, identity)
      #expect(try await browser.signIn(Self.octocat) == "/sign-in?github=closed")
      #expect(try await hub.store.accounts().isEmpty)
      let person = GitHubArrival(
        account: Self.octocat, newID: UserID(at: hub.clock.now), door: .open(invitation: nil), time: hub.clock.now)
      _ = try await hub.store.enter(person)
      let back = try await browser.signIn(Self.octocat)
      #expect(back == "/chats")
    }
    try await withGitHub(.github) { hub, identity in
      let browser = Browser(hub, identity)
      let led = try await browser.signIn(Self.octocat, "?invitation=unknown")
      let me = try await browser.me()
      #expect(led == "/chats" && me["admin"]?.flag == true)
    }
  }

  @Test("Messages sent before a person joined are found by GitHub's id, under another login, unread", .shows("D7"))
  func waiting() async throws {
    try await withGitHub { hub, identity in
      let ada = try await hub.signUp("Ada")
      let script = try #require(hub.directory as? ScriptedDirectory)
      script.script.accounts["octocat"] = .success(Self.octocat)
      let made = try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"octocat"}"#).json()
      let room = try #require(made["id"]?.text)
      #expect(made["peer"]?["member"]?.flag == false)
      for text in ["one", "two"] { try await ada.say(text, in: room) }
      let before = try await hub.store.lastEventID()
      let browser = Browser(hub, identity)
      #expect(try await browser.signIn(.person(583_231, "monalisa", "The Octocat")) == "/chats")
      let rooms = try await browser.get("/api/v1/rooms").json().array
      #expect(rooms.count == 1 && rooms[0]["id"]?.text == room && rooms[0]["unread_count"]?.integer == 2)
      let told = try await ada.told(after: before)
      let last = try #require(told.last)
      #expect(last.name == "user.updated" && last.data["member"]?.flag == true)
      #expect(last.data["login"]?.text == "monalisa")
      let seen = try await ada.get("/rooms/\(room)").json()
      #expect(seen["peer"]?["member"]?.flag == true)
      let read = try await browser.send(.put, "/api/v1/rooms/\(room)/receipt", #"{"read_seq":2}"#)
      #expect(read.status == .ok)
      let receipts = try await ada.get("/rooms/\(room)/receipts").json().array
      #expect(receipts.contains { $0["user_id"] == rooms[0]["peer"]?["id"] || $0["read_seq"]?.integer == 2 })
    }
  }

  @Test(
    "A callback that this browser did not start does not count; made-up codes do", .shows("control 6"))
  func throttled() async throws {
    try await withGitHub(throttle: Throttle.Limits()) { hub, identity in
      let browser = Browser(hub, identity)
      for _ in 0..<30 {
        #expect(try await browser.end(String(repeating: "0", count: 64), code: "x") == "/sign-in?github=state")
      }
      #expect(try await browser.signIn(Self.octocat) == "/chats")
      let guesser = Browser(hub, identity)
      identity.script("guess", .failure(.expired))
      for _ in 0..<20 {
        let state = try await guesser.begin()
        #expect(try await guesser.end(state, code: "guess") == "/sign-in?github=expired")
      }
      let refused = try await guesser.get("/auth/github")
      #expect(refused.status == .tooManyRequests && refused.fields[.retryAfter] != nil)
      hub.clock.advance(by: .seconds(61))
      #expect(try await Browser(hub, identity).signIn(Self.octocat) == "/chats")
    }
  }

  @Test("A page on another site cannot start it: its visitor gets the sign-in page", .shows("control 2"))
  func crossSite() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      for site in ["cross-site", "same-site"] {
        let answer = try await browser.get("/auth/github?return_to=/news", fields: ["sec-fetch-site": site])
        #expect(answer.fields[.location] == "/sign-in?return_to=%2Fnews" && browser.flows.isEmpty)
      }
      for site in ["same-origin", "none"] {
        #expect(
          try await browser.get("/auth/github", fields: ["sec-fetch-site": site]).fields[.location]?.hasPrefix(
            "https://github.example/") == true)
      }
    }
  }

  @Test(
    "The redirect address is ours, whatever Host says; other names of ours lead there first",
    .shows("control 14"))
  func host() async throws {
    try await withGitHub { hub, identity in
      let browser = Browser(hub, identity)
      let answer = try await browser.get("/auth/github?return_to=/news", fields: [.host: "localhost"])
      #expect(answer.fields[.location] == "http://hub.example/auth/github?return_to=/news" && browser.flows.isEmpty)
    }
    try await withGitHub(publicBase: "https://hub.example") { hub, identity in
      let browser = Browser(hub, identity)
      let answer = try await browser.get("/auth/github", fields: [.host: "evil.example"])
      #expect(answer.fields[.location]?.contains("redirect_uri=https://hub.example/auth/github/callback") == true)
      #expect(answer.fields[.location]?.contains("evil") == false)
    }
  }

  @Test("Without configuration or a known address, the sign-in page says so and does not offer it", .shows("A1"))
  func off() async throws {
    try await TestHub.with { hub in
      let browser = Browser(hub, ScriptedIdentity())
      #expect(try await browser.get("/auth/github").fields[.location] == "/sign-in?github=misconfigured")
      #expect(try await browser.get("/sign-in").text.contains(#"data-github-sign-in="no""#))
      let ada = try await hub.signUp("Ada")
      #expect(try await ada.send(.post, "/me/github", "{}").status == .conflict)
    }
    var options = TestHub.Options()
    (options.identity, options.origin) = (ScriptedIdentity(), nil)
    try await TestHub.with(options) { hub in
      let browser = Browser(hub, ScriptedIdentity())
      let answer = try await browser.get("/auth/github")
      #expect(answer.fields[.location] == "/sign-in?github=misconfigured")
    }
    try await withGitHub { hub, _ in
      let page = try await hub.memory.send(.get, "/sign-in")
      #expect(page.text.contains(#"data-github-sign-in="yes""#))
    }
  }

  @Test("A restart in between has no effect: the browser has all the state", .shows("A1"))
  func restart() async throws {
    let identity = ScriptedIdentity()
    var options = TestHub.Options()
    options.identity = identity
    var jar: [String: String] = [:]
    var state = ""
    try await TestHub.with(options) { hub in
      let browser = Browser(hub, identity)
      state = try await browser.begin("?return_to=/news")
      jar = browser.jar
    }
    try await TestHub.with(options) { hub in
      let browser = Browser(hub, identity)
      browser.jar = jar
      identity.script("code", .success(Self.octocat))
      let led = try await browser.end(state, code: "code")
      #expect(led == "/news")
    }
  }
}
