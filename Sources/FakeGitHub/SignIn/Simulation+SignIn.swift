import Base
import FoundationEssentials
import HTTP

extension Simulation {
  /// Whether the path belongs to OAuth. These paths are outside the API, wherever that is mounted.
  static func isSignIn(_ path: String) -> Bool { path == "/login" || path.hasPrefix("/login/") }

  /// Whether the path is a page for browsers rather than an endpoint for programs.
  static func isPage(_ path: String) -> Bool { path == "/login/oauth/authorize" || path == "/login/device" }

  /// The response to a request below `/login`.
  func signIn(_ path: String, query: Query, request: Request) -> Answer {
    switch (request.method, path) {
    case ("GET", "/login/oauth/authorize"), ("HEAD", "/login/oauth/authorize"):
      return authorize(query, answered: nil)
    case ("POST", "/login/oauth/authorize"): return authorize(query, answered: request.form)
    case ("GET", "/login/device"), ("HEAD", "/login/device"):
      return devicePage(code: query["user_code"] ?? "")
    case ("POST", "/login/device"): return decideDevice(request.form)
    case ("POST", "/login/oauth/access_token"): return accessToken(request)
    case ("POST", "/login/device/code"): return deviceCode(request)
    default: return Self.lost("Not found", "There is no such page here.", status: 404)
    }
  }

  /// A page with a message.
  static func lost(_ title: String, _ text: String, status: Int) -> Answer {
    SignInPage(kind: .notice(title: title, text: text)).answer(status: status)
  }

  // MARK: The authorize page

  /// An application's request, once it is known to be safe to redirect back.
  private struct Consent {
    var redirect: String
    var state: String?
    var scopes: [String]
    var challenge: String?
  }

  private func authorize(_ query: Query, answered form: Query?) -> Answer {
    let application = options.application
    guard query["client_id"] == application.id else {
      return Self.lost("Not found", "No application has that client id.", status: 404)
    }
    guard let redirect = query["redirect_uri"] ?? application.callback else {
      return Self.lost("Nowhere to go back to", "The application named no redirect_uri.", status: 400)
    }
    let scopes = (query["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    var consent = Consent(
      redirect: redirect, state: query["state"], scopes: scopes, challenge: query["code_challenge"])
    guard application.accepts(redirect: redirect) else {
      guard let callback = application.callback else {
        return Self.lost("Nowhere to go back to", "The redirect_uri is not one of this application.", status: 400)
      }
      consent.redirect = callback
      return back(consent, error: "redirect_uri_mismatch")
    }
    // RFC 7636: the two parameters go together, and `plain` is refused.
    let isPaired =
      consent.challenge == nil ? query["code_challenge_method"] == nil : query["code_challenge_method"] == "S256"
    guard isPaired, consent.challenge.map({ $0.utf8.count == 43 }) ?? true else {
      return back(consent, error: "invalid_request")
    }
    switch approval {
    case .error(let error): return back(consent, error: error)
    case .login(let login):
      guard let person = population.person(login: login) else { break }
      return back(consent, as: person)
    case .page: break
    }
    return ask(consent, login: query["login"] ?? "", answered: form)
  }

  private func ask(_ consent: Consent, login: String, answered form: Query?) -> Answer {
    var page = SignInPage(
      kind: .authorize(
        application: options.application.name, redirectOrigin: Self.origin(of: consent.redirect),
        scopes: consent.scopes), people: offered, chosen: login)
    guard let form else { return page.answer() }
    if form["decision"] == "cancel" { return back(consent, error: "access_denied") }
    let chosen = Self.chosen(form)
    guard let person = person(chosen), form["decision"] == "authorize" else {
      page.chosen = chosen
      page.complaint = Self.complaint(chosen)
      return page.answer(status: 422)
    }
    return back(consent, as: person)
  }

  /// Redirects to the application with a code.
  private func back(_ consent: Consent, as person: Person) -> Answer {
    let grant = SignIns.Grant(person: person.id, scope: Self.normalised(consent.scopes))
    let code = withSignIns { signIns, now in
      signIns.code(for: grant, redirect: consent.redirect, challenge: consent.challenge, now: now)
    }
    return back(consent, with: [("code", code)])
  }

  /// Redirects to the application with an error.
  private func back(_ consent: Consent, error: String) -> Answer {
    let words = OAuthAnswer.words[error]
    return back(
      consent, with: [("error", error), ("error_description", words?.0 ?? error), ("error_uri", words?.1 ?? "")])
  }

  private func back(_ consent: Consent, with items: [(String, String)]) -> Answer {
    var items = items
    if let state = consent.state { items.append(("state", state)) }
    let query = items.map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
    let location = consent.redirect + (consent.redirect.contains("?") ? "&" : "?") + query
    return Answer(
      status: 302, fields: ["location": location, "cache-control": "no-store", "referrer-policy": "no-referrer"])
  }

  // MARK: Choosing

  /// The accounts offered on the pages.
  var offered: [Person] { options.offeredLogins.compactMap(population.person(login:)) }

  /// The login chosen in a form.
  static func chosen(_ form: Query) -> String {
    let login = form["login"] ?? ""
    let other = (form["other"] ?? "").split(whereSeparator: \.isWhitespace).joined()
    return login.isEmpty ? other : login
  }

  /// An account that can sign in: not an organisation or a bot.
  func person(_ login: String) -> Person? {
    population.person(login: login).flatMap { $0.type == "User" ? $0 : nil }
  }

  /// The message for an unknown login.
  static func complaint(_ login: String) -> String {
    login.isEmpty ? "Choose somebody first." : "Nobody here has the login “\(login)”."
  }

  private static func origin(of address: String) -> String {
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count > 2 ? parts[0] + "//" + parts[2].prefix { !"?#".contains($0) } : address
  }

  /// The scopes comma-separated, without duplicates and without those that `user` includes.
  static func normalised(_ scopes: [String]) -> String {
    let all = Set(scopes)
    return all.filter { !all.contains("user") || !$0.hasSuffix(":user") && !$0.hasPrefix("user:") }.sorted()
      .joined(separator: ",")
  }
}
