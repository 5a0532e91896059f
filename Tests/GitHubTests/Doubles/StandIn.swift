import Base
import FakeGitHub
import Foundation
import HTTP
import TestSupport

/// A simulation with the test's own clock, called without sockets.
struct StandIn {
  let simulation: Simulation
  let clock = Box<Int64>(1_800_000_000)
  /// A verifier and its challenge (RFC 7636 appendix B).
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let callback = "http://127.0.0.1:8080/auth/github/callback"

  init(_ change: (inout Simulation.Options) -> Void = { _ in }) {
    var options = Simulation.Options()
    let clock = clock
    options.now = { clock.value }
    change(&options)
    simulation = Simulation(options: options)
    simulation.origin = "http://127.0.0.1:9"
  }

  func get(_ target: String, _ fields: [String: String] = [:], token: String? = nil) -> Simulation.Answer {
    var fields = fields.merging(["user-agent": "test"]) { first, _ in first }
    if let token { fields["authorization"] = "Bearer " + token }
    return simulation.answer(.init(target: target, fields: fields))
  }

  func post(_ target: String, _ form: KeyValuePairs<String, String>, accept: String = "application/json")
    -> Simulation.Answer
  {
    let body = form.map { $0.key + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    return simulation.answer(
      .init(
        method: "POST", target: target,
        fields: ["content-type": "application/x-www-form-urlencoded", "accept": accept], body: Array(body.utf8)))
  }

  /// The address that Hubbub sends people to, with some query items changed; nil removes one.
  func authorize(_ changes: [String: String?] = [:]) -> String {
    var items: [String: String] = [
      "client_id": "demo-client", "redirect_uri": Self.callback, "state": "s t&1", "code_challenge": Self.challenge,
      "code_challenge_method": "S256",
    ]
    for (name, value) in changes { items[name] = value }
    let query = items.sorted { $0.key < $1.key }.map { $0.key + "=" + PercentEncoding.encode($0.value) }
    return "/login/oauth/authorize?" + query.joined(separator: "&")
  }

  /// A code for this login, obtained through the page.
  func code(_ login: String = "octocat", scope: String = "") -> String {
    let answer = post(authorize(["scope": scope]), ["login": login, "decision": "authorize"])
    return Self.items(answer)["code"] ?? ""
  }

  /// A token for this login.
  func token(_ login: String = "octocat", scope: String = "") throws -> String {
    let answer = exchange(code(login, scope: scope))
    return try JSONDecoder().decode([String: String].self, from: Data(answer.body))["access_token"] ?? ""
  }

  func exchange(
    _ code: String, secret: String = "demo-secret", redirect: String = callback, verifier: String = verifier,
    accept: String = "application/json"
  ) -> Simulation.Answer {
    post(
      "/login/oauth/access_token",
      [
        "client_id": "demo-client", "client_secret": secret, "code": code, "redirect_uri": redirect,
        "code_verifier": verifier,
      ], accept: accept)
  }

  /// The query items of a redirect back.
  static func items(_ answer: Simulation.Answer) -> [String: String] {
    let query = answer.fields["location"]?.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
    return Dictionary(Query(query).items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Simulation.Answer {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON object.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  /// The body as a JSON array of objects.
  var objects: [[String: Any]] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [[String: Any]] ?? []
  }
}
