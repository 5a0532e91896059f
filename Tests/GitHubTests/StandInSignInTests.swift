import FakeGitHub
import Foundation
import TestSupport
import Testing

@Suite("Sign-in at the stand-in")
struct StandInSignInTests {
  @Test("The page offers people, explains itself, preselects by login, and needs no script")
  func page() {
    let standIn = StandIn()
    let answer = standIn.get(standIn.authorize(["login": "DEFUNKT", "scope": "read:user"]))
    #expect(answer.status == 200 && answer.fields["content-type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("Not GitHub."))
    #expect(answer.text.contains("value=\"octocat\">") && answer.text.contains("value=\"defunkt\" checked>"))
    #expect(answer.text.components(separatedBy: " checked").count == 2)
    #expect(answer.text.contains("<form method=\"post\">") && !answer.text.contains("<script"))
    #expect(answer.text.contains("It asks for read:user."))
    let policy = answer.fields["content-security-policy"] ?? ""
    #expect(policy.contains("form-action 'self' http://127.0.0.1:8080;") && policy.contains("frame-ancestors 'none'"))
    let other = standIn.get(standIn.authorize(["login": "<i>\"x'&"])).text
    #expect(other.contains("name=\"other\" value=\"&lt;i&gt;&quot;x&#39;&amp;\"") && !other.contains("<i>"))
    #expect(standIn.get(standIn.authorize()).text.contains("value=\"octocat\" checked>"))
  }

  @Test("Consent redirects with a code and the state, and the code can be exchanged for a token once")
  func webFlow() throws {
    let standIn = StandIn()
    let answer = standIn.post(standIn.authorize(), ["login": "octocat", "decision": "authorize"])
    #expect(answer.status == 302 && answer.fields["location"]?.hasPrefix(StandIn.callback + "?code=") == true)
    let items = StandIn.items(answer)
    #expect(items["state"] == "s t&1")
    let code = try #require(items["code"])
    let token = standIn.exchange(code).object
    #expect(token["token_type"] as? String == "bearer" && token["scope"] as? String == "")
    let text = try #require(token["access_token"] as? String)
    #expect(text.hasPrefix("gho_") && text.count == 40)
    let me = standIn.get("/user", token: text)
    #expect(me.object["login"] as? String == "octocat" && me.object["id"] as? Int == 583_231)
    #expect(me.object.keys.contains("notification_email") && me.object["plan"] == nil)
    #expect(me.fields["x-oauth-scopes"] == "" && me.fields["x-ratelimit-limit"] == "5000")
    #expect(standIn.exchange(code).object["error"] as? String == "bad_verification_code")
  }

  @Test("Other logins can be entered, in any case; unknown ones, organisations and bots cannot sign in")
  func somebodyElse() {
    let standIn = StandIn()
    let typed = standIn.post(standIn.authorize(), ["login": "", "other": " RTyler ", "decision": "authorize"])
    #expect(StandIn.items(typed)["code"]?.isEmpty == false)
    for other in ["nobody-at-all", "github", "shipit[bot]", ""] {
      let answer = standIn.post(standIn.authorize(), ["login": "", "other": other, "decision": "authorize"])
      #expect(answer.status == 422 && answer.text.contains("role=\"alert\""), "\(other)")
    }
    #expect(standIn.post(standIn.authorize(), ["login": "octocat"]).status == 422)
  }

  @Test("Refusal redirects with access_denied; other errors can be configured, and approval be automatic")
  func refusals() {
    let standIn = StandIn()
    let denied = StandIn.items(standIn.post(standIn.authorize(), ["login": "octocat", "decision": "cancel"]))
    #expect(denied["error"] == "access_denied" && denied["state"] == "s t&1" && denied["code"] == nil)
    #expect(denied["error_description"]?.isEmpty == false && denied["error_uri"]?.isEmpty == false)
    standIn.simulation.approval = .error("application_suspended")
    #expect(StandIn.items(standIn.get(standIn.authorize()))["error"] == "application_suspended")
    standIn.simulation.approval = .login("mojombo")
    #expect(StandIn.items(standIn.get(standIn.authorize()))["code"] != nil)
    standIn.simulation.approval = .login("nobody-at-all")
    #expect(standIn.get(standIn.authorize()).status == 200)
  }

  @Test("The controls accept valid JSON over HTTP only")
  func switches() {
    let standIn = StandIn()
    func set(_ path: String, _ json: String) -> (Int, String) {
      let answer = standIn.simulation.answer(.init(method: "POST", target: path, body: Array(json.utf8)))
      return (answer.status, answer.text)
    }
    #expect(set("/_sign_in", #"{"login":"octocat"}"#) == (200, #"{"login":"octocat"}"#))
    #expect(standIn.simulation.approval == .login("octocat"))
    #expect(set("/_sign_in", #"{"error":"access_denied"}"#) == (200, #"{"error":"access_denied"}"#))
    #expect(set("/_sign_in", "[]").0 == 422)
    #expect(set("/_sign_in", "{}") == (200, "{}"))
    #expect(set("/_clock", #"{"ahead_s":900}"#) == (200, #"{"ahead_s":900}"#))
    #expect(set("/_clock", #"{"ahead_s":-1}"#).0 == 422)
    #expect(standIn.get("/_clock").text == #"{"ahead_s":900}"#)
    #expect(set("/_other", "{}").0 == 404)
    #expect(standIn.simulation.requestCount == 0)
  }

  @Test("A request without a safe redirect stays on a page; otherwise errors are redirected")
  func wrongRequests() {
    let standIn = StandIn()
    for (changes, status) in [
      (["client_id": "other"], 404), (["redirect_uri": "https://elsewhere.example/cb"], 400),
      (["redirect_uri": nil], 400),
      (["redirect_uri": "javascript:alert(1)"], 400), (["redirect_uri": "http://127.0.0.1@elsewhere.example/"], 400),
    ] as [([String: String?], Int)] {
      let answer = standIn.get(standIn.authorize(changes))
      #expect(answer.status == status && answer.fields["location"] == nil, "\(changes)")
    }
    for changes in [
      ["code_challenge_method": nil], ["code_challenge_method": "plain"], ["code_challenge": nil],
      ["code_challenge": "short"],
    ] as [[String: String?]] {
      #expect(StandIn.items(standIn.get(standIn.authorize(changes)))["error"] == "invalid_request", "\(changes)")
    }
    let bare = standIn.authorize(["code_challenge": nil, "code_challenge_method": nil])
    #expect(standIn.get(bare).status == 200)
    let registered = StandIn { $0.application.callback = "https://chat.example/auth" }
    #expect(registered.get(registered.authorize(["redirect_uri": "https://a.chat.example/auth/x"])).status == 200)
    #expect(registered.get(registered.authorize(["redirect_uri": nil])).status == 200)
    for wrong in ["https://chat.example/authority", "https://chat.example:1/auth", "http://chat.example/auth"] {
      let answer = registered.get(registered.authorize(["redirect_uri": wrong]))
      #expect(answer.fields["location"]?.hasPrefix("https://chat.example/auth?error=redirect_uri_mismatch") == true)
    }
    #expect(standIn.get("/login").status == 404)
    #expect(standIn.get("/login/oauth/access_token").status == 404)
  }

  @Test("The token endpoint refuses with status 200, in the requested encoding")
  func tokenRefusals() throws {
    let standIn = StandIn()
    func error(_ answer: Simulation.Answer) -> String? {
      #expect(answer.status == 200)
      return answer.object["error"] as? String
    }
    #expect(error(standIn.exchange("none")) == "bad_verification_code")
    #expect(error(standIn.exchange(standIn.code(), secret: "x")) == "incorrect_client_credentials")
    #expect(error(standIn.exchange(standIn.code(), redirect: "http://127.0.0.1/x")) == "redirect_uri_mismatch")
    #expect(error(standIn.exchange(standIn.code(), verifier: "wrong")) == "bad_verification_code")
    #expect(error(standIn.exchange(standIn.code("b"))) == "unverified_user_email")
    #expect(error(standIn.post("/login/oauth/access_token", ["client_id": "x"])) == "incorrect_client_credentials")
    let old = standIn.code()
    let fresh = standIn.code()
    standIn.clock.value += 599
    #expect(error(standIn.exchange(fresh)) == nil)
    standIn.simulation.secondsAhead = 1
    #expect(error(standIn.exchange(old)) == "bad_verification_code")
    for (name, accept) in [
      ("bad-verification-code", "application/json"), ("incorrect-client-credentials", "application/json"),
    ] {
      let recorded = name.replacing("-", with: "_")
      let answer = name.hasPrefix("bad") ? standIn.exchange("x") : standIn.exchange("x", secret: "y", accept: accept)
      #expect(Set(answer.object.keys) == ["error", "error_description", "error_uri"])
      #expect(answer.object["error"] as? String == recorded)
      #expect((answer.object["error_uri"] as? String)?.hasSuffix("#" + name) == true)
    }
    let form = standIn.exchange(standIn.code(), accept: "*/*")
    #expect(form.fields["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
    #expect(form.text.hasPrefix("access_token=gho_") && form.text.hasSuffix("&scope=&token_type=bearer"))
    let refused = standIn.exchange("x", accept: "")
    #expect(refused.text.hasPrefix("error=bad_verification_code&error_description=The%20code%20passed"))
    let xml = standIn.exchange("x", accept: "application/xml").text
    #expect(xml.hasPrefix("<OAuth><error>bad_verification_code</error>"))
    let json = standIn.simulation.answer(
      .init(
        method: "POST", target: "/login/oauth/access_token",
        fields: ["content-type": "application/json", "accept": "application/json"],
        body: Array(
          #"{"client_id":"demo-client","client_secret":"demo-secret","code":"\#(standIn.code())","code_verifier":"\#(StandIn.verifier)"}"#
            .utf8)))
    #expect(json.object["access_token"] != nil)
  }

  @Test("Scopes are separated by spaces on input and commas on output, reduced by user, and enforced")
  func scopes() throws {
    let standIn = StandIn()
    let answer = standIn.exchange(standIn.code(scope: "user:email user read:org read:org"))
    #expect(answer.object["scope"] as? String == "read:org,user")
    let token = try #require(answer.object["access_token"] as? String)
    let me = standIn.get("/user", token: token)
    #expect(me.fields["x-oauth-scopes"] == "read:org, user" && me.object["plan"] != nil)
    let emails = standIn.get("/user/emails", token: token).objects
    #expect(emails.first?["primary"] as? Bool == true && emails.first?["verified"] as? Bool == true)
    #expect(standIn.get("/user/emails", token: try standIn.token()).status == 404)
  }

  @Test("A device waits, is told to slow down, is approved on the page, and its code is used up")
  func device() throws {
    let standIn = StandIn()
    func poll(_ code: String, after seconds: Int64 = 5) -> [String: Any] {
      standIn.clock.value += seconds
      let answer = standIn.post(
        "/login/oauth/access_token",
        [
          "client_id": "demo-client", "device_code": code,
          "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        ])
      #expect(answer.status == 200)
      return answer.object
    }
    func start() throws -> (device: String, user: String) {
      let answer = standIn.post("/login/device/code", ["client_id": "demo-client", "scope": "read:user"]).object
      #expect(answer["verification_uri"] as? String == "http://127.0.0.1:9/login/device")
      #expect(answer["expires_in"] as? Int == 900 && answer["interval"] as? Int == 5)
      return (try #require(answer["device_code"] as? String), try #require(answer["user_code"] as? String))
    }
    let (device, user) = try start()
    #expect(device.count == 40 && user.count == 9 && user.dropFirst(4).first == "-")
    #expect(poll(device)["error"] as? String == "authorization_pending")
    let slow = poll(device, after: 1)
    #expect(slow["error"] as? String == "slow_down" && slow["interval"] as? Int == 10)
    #expect(poll(device, after: 9)["error"] as? String == "slow_down")
    #expect(poll(device, after: 15)["error"] as? String == "authorization_pending")
    let page = standIn.get("/login/device?user_code=\(user)")
    #expect(page.status == 200 && page.text.contains("name=\"user_code\" value=\"\(user)\""))
    let typed = user.lowercased().replacing("-", with: "")
    #expect(standIn.post("/login/device", ["user_code": "AAAA-AAAA", "login": "octocat"]).status == 422)
    #expect(standIn.post("/login/device", ["user_code": typed, "login": "", "other": "nobody-x"]).status == 422)
    let done = standIn.post("/login/device", ["user_code": typed, "login": "defunkt", "decision": "authorize"])
    #expect(done.status == 200 && done.text.contains("connected as defunkt"))
    let token = poll(device, after: 15)
    #expect(token["scope"] as? String == "read:user")
    #expect(standIn.get("/user", token: token["access_token"] as? String).object["login"] as? String == "defunkt")
    #expect(poll(device, after: 15)["error"] as? String == "incorrect_device_code")

    let denied = try start()
    #expect(standIn.post("/login/device", ["user_code": denied.user, "decision": "cancel"]).text.contains("Cancelled"))
    #expect(poll(denied.device)["error"] as? String == "access_denied")
    let late = try start()
    #expect(poll(late.device, after: 900)["error"] as? String == "expired_token")
    #expect(!standIn.simulation.decideDevice(code: late.user, as: "octocat"))
    let scripted = try start()
    #expect(!standIn.simulation.decideDevice(code: scripted.user, as: "nobody-x"))
    standIn.simulation.approval = .login("octocat")
    #expect(poll(scripted.device)["access_token"] != nil)
    standIn.simulation.approval = .error("access_denied")
    #expect(poll(try start().device)["error"] as? String == "access_denied")
  }

  @Test("Errors in a device's request are reported")
  func deviceRefusals() {
    let standIn = StandIn()
    #expect(standIn.post("/login/device/code", ["client_id": "x"]).status == 404)
    func poll(_ standIn: StandIn, grant: String) -> String? {
      standIn.post(
        "/login/oauth/access_token", ["client_id": "demo-client", "device_code": "x", "grant_type": grant]
      ).object["error"] as? String
    }
    let grant = "urn:ietf:params:oauth:grant-type:device_code"
    #expect(poll(standIn, grant: grant) == "incorrect_device_code")
    #expect(poll(standIn, grant: "other") == "unsupported_grant_type")
    let without = StandIn { $0.application.allowsDeviceFlow = false }
    #expect(poll(without, grant: grant) == "device_flow_disabled")
    let answer = without.post("/login/device/code", ["client_id": "demo-client"])
    #expect(answer.status == 400 && answer.object["error"] as? String == "device_flow_disabled")
  }

  @Test(
    "Each credential has its own quota; tokens of an account share one; invalid ones are 401 and anonymous")
  func credentials() throws {
    let standIn = StandIn()
    func remaining(_ answer: Simulation.Answer) -> String? { answer.fields["x-ratelimit-remaining"] }
    let first = try standIn.token()
    let second = try standIn.token(scope: "read:user")
    let other = try standIn.token("defunkt")
    #expect(first != second)
    #expect(remaining(standIn.get("/users", token: first)) == "4999")
    #expect(remaining(standIn.get("/users", token: second)) == "4998")
    #expect(remaining(standIn.get("/users", token: other)) == "4999")
    #expect(remaining(standIn.get("/users", token: "demo-token")) == "4997")
    let basic = "Basic " + Data("demo-client:demo-secret".utf8).base64EncodedString()
    #expect(remaining(standIn.get("/users", ["authorization": basic])) == "4999")
    #expect(standIn.get("/user", ["authorization": basic]).status == 401)
    #expect(standIn.get("/user").status == 401)
    for wrong in ["Bearer x", "Basic eDp5", "Digest x", "Bearer"] {
      let answer = standIn.get("/users", ["authorization": wrong])
      #expect(answer.status == 401 && answer.object["message"] as? String == "Bad credentials", "\(wrong)")
      #expect(answer.fields["x-oauth-scopes"] == nil)
    }
    #expect(remaining(standIn.get("/users")) == "4994", "one /user and four bad ones were nobody's")
  }

  @Test("The eleventh token for the same scopes revokes the oldest")
  func tokenLimit() throws {
    let standIn = StandIn()
    let tokens = try (0..<11).map { _ in try standIn.token() }
    #expect(Set(tokens).count == 11)
    #expect(standIn.get("/user", token: tokens[0]).status == 401)
    #expect(standIn.get("/user", token: tokens[1]).status == 200)
    #expect(standIn.get("/user", token: tokens[10]).status == 200)
  }
}
