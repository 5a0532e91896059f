import Base
import FoundationEssentials
import HTTP

extension Simulation {
  /// `POST /login/oauth/access_token`: exchanges a code or a device code for a token. Errors have status 200 too.
  func accessToken(_ request: Request) -> Answer {
    let form = request.form
    let accept = request.fields["accept"] ?? ""
    guard form["client_id"] == options.application.id else {
      return OAuthAnswer(error: "incorrect_client_credentials").answer(accept: accept)
    }
    let result: Result<SignIns.Grant, SignIns.Refusal>
    if let device = form["device_code"] {
      guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code" else {
        return OAuthAnswer(error: "unsupported_grant_type").answer(accept: accept)
      }
      guard options.application.allowsDeviceFlow else {
        return OAuthAnswer(error: "device_flow_disabled").answer(accept: accept)
      }
      result = poll(device)
    } else {
      // The secret is required even with PKCE.
      guard form["client_secret"] == options.application.secret else {
        return OAuthAnswer(error: "incorrect_client_credentials").answer(accept: accept)
      }
      result = withSignIns { signIns, now in
        Result { () throws(SignIns.Refusal) in
          try signIns.redeem(
            form["code"] ?? "", redirect: form["redirect_uri"], verifier: form["code_verifier"], now: now)
        }
      }
    }
    switch result {
    case .success(let grant): return token(for: grant).answer(accept: accept)
    case .failure(.slowDown):
      let interval = withSignIns { signIns, _ in signIns.interval(of: form["device_code"] ?? "") }
      return OAuthAnswer(error: "slow_down", interval: interval).answer(accept: accept)
    case .failure(let refusal): return OAuthAnswer(error: refusal.rawValue).answer(accept: accept)
    }
  }

  private func token(for grant: SignIns.Grant) -> OAuthAnswer {
    let login = population.person(id: grant.person)?.login.lowercased() ?? ""
    if options.unverifiedLogins.contains(login) { return OAuthAnswer(error: "unverified_user_email") }
    let token = withSignIns { signIns, _ in signIns.token(for: grant) }
    return OAuthAnswer([
      "access_token": .string(token), "scope": .string(grant.scope), "token_type": .string("bearer"),
    ])
  }

  // MARK: Device flow

  /// `POST /login/device/code`.
  func deviceCode(_ request: Request) -> Answer {
    let form = request.form
    let accept = request.fields["accept"] ?? ""
    guard form["client_id"] == options.application.id else {
      return OAuthAnswer(error: "Not Found").answer(accept: accept, status: 404)
    }
    guard options.application.allowsDeviceFlow else {
      return OAuthAnswer(error: "device_flow_disabled").answer(accept: accept, status: 400)
    }
    let scopes = (form["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    let codes = withSignIns { signIns, now in signIns.device(scope: Self.normalised(scopes), now: now) }
    return OAuthAnswer([
      "device_code": .string(codes.device), "user_code": .string(codes.user),
      "verification_uri": .string(origin + "/login/device"), "expires_in": .integer(SignIns.deviceSeconds),
      "interval": .integer(5),
    ]).answer(accept: accept)
  }

  private func poll(_ device: String) -> Result<SignIns.Grant, SignIns.Refusal> {
    let approval = approval
    var decision: SignIns.Decision?
    switch approval {
    case .page: break
    case .login(let login): decision = population.person(login: login).map { .approved($0.id) }
    case .error: decision = .denied
    }
    return withSignIns { signIns, now in
      if let decision { signIns.decide(device: device, decision) }
      return Result { () throws(SignIns.Refusal) in try signIns.poll(device, now: now) }
    }
  }

  /// `GET /login/device`: the page for entering the code.
  func devicePage(code: String, chosen: String = "", complaint: String = "") -> Answer {
    let page = SignInPage(kind: .device(code: code), people: offered, chosen: chosen, complaint: complaint)
    return page.answer(status: complaint.isEmpty ? 200 : 422)
  }

  /// `POST /login/device`: the code that was entered.
  func decideDevice(_ form: Query) -> Answer {
    let code = form["user_code"] ?? ""
    let chosen = Self.chosen(form)
    let isDenied = form["decision"] == "cancel"
    guard let person = person(chosen) ?? (isDenied ? offered.first : nil) else {
      return devicePage(code: code, chosen: chosen, complaint: Self.complaint(chosen))
    }
    guard decideDevice(code: code, as: isDenied ? nil : person.login) else {
      return devicePage(code: code, chosen: chosen, complaint: "No device waits with that code.")
    }
    let words =
      isDenied
      ? Self.lost("Cancelled", "The device was not connected.", status: 200)
      : Self.lost("Connected", "The device is connected as \(person.login). You can close this page.", status: 200)
    return words
  }

  /// Decides about the device that shows `code` without the page: approves it as the account with this login, or
  /// refuses it if `login` is nil. Returns false if no device is waiting with that code or the login is unknown.
  @discardableResult
  package func decideDevice(code: String, as login: String?) -> Bool {
    let person = login.flatMap(person(_:))
    if login != nil, person == nil { return false }
    let decision = person.map { SignIns.Decision.approved($0.id) } ?? .denied
    return withSignIns { signIns, now in signIns.decide(userCode: code, decision, now: now) }
  }
}

extension Simulation.Request {
  /// The body's members, from a form or from JSON as its content type says.
  var form: Query {
    guard fields["content-type"]?.contains("json") == true, case .object(let members)? = JSONValue(body) else {
      return Query(bytes: body[...])
    }
    let pairs = members.compactMap { name, value in
      value.string.map { PercentEncoding.encode(name) + "=" + PercentEncoding.encode($0) }
    }
    return Query(pairs.sorted().joined(separator: "&"))
  }
}
