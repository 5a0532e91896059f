import Base
import Chat
import EventLoop
import HTTP
import HTTPServer

/// The pages of the browser app. All serve the same shell; visitors without a session are redirected to sign in, and
/// then back.
struct PagesController: Controller {
  let shell: Shell
  let authentication: Authentication

  func add(to routes: inout Routes) {
    for (pattern, title) in [
      ("/chats", "chats"), ("/chats/:room", "chats"), ("/people", "people"), ("/people/:login/followers", "people"),
      ("/people/:login/following", "people"), ("/orgs/:login", "people"), ("/news", "news"), ("/settings", "settings"),
      ("/settings/:section", "settings"), ("/chats/:room/info", "chats"), ("/rooms", "rooms"), ("/rooms/new", "group"),
      ("/search", "search"), ("/people/:login", "people"), ("/github/:owner/:repo", "news"),
      ("/github/:owner/:repo/issues/:number", "news"),
      ("/github/:owner/:repo/pulls/:number", "news"), ("/github/:owner/:repo/releases/:tag", "news"),
      ("/github/:owner/:repo/commits/:sha", "news"),
    ] {
      let pages = Pages(shell, title: title, start: pattern == "/chats/:room" ? .conversation : .app)
      routes.page(pattern) { request in
        guard let session = try await authentication.session(of: request) else { return signInFirst(request) }
        return try await pages.response(to: request, of: session, authentication)
      }
    }
    for (pattern, title) in [("/sign-in", "sign_in"), ("/sign-up", "sign_up")] {
      let pages = Pages(shell, title: title, start: .signedOut)
      routes.page(pattern) { request in
        if try await authentication.session(of: request) != nil { return redirect(to: "/chats") }
        return pages.response(to: request)
      }
    }
    addInvitation(to: &routes)
    routes.page("/") { request in
      redirect(to: try await authentication.session(of: request) == nil ? "/sign-in" : "/chats")
    }
  }

  /// An invitation's page is public: visitors see where it leads before they sign in. The page itself does not evaluate
  /// the token; the browser requests it through the API.
  private func addInvitation(to routes: inout Routes) {
    let pages = Pages(shell, title: "invitation", start: .app)
    let doors = Pages(shell, title: "invitation", start: .signedOut)
    routes.page("/invite/:token") { request in
      guard let session = try await authentication.session(of: request) else { return doors.response(to: request) }
      return try await pages.response(to: request, of: session, authentication)
    }
  }

  /// The return address is this request's path and query, so it cannot lead to another site. A cookie that no longer
  /// counts comes from a session that ended, which the sign-in page explains.
  private func signInFirst(_ request: Request) -> Response {
    var back = String(decoding: request.head.encodedPath, as: UTF8.self)
    if !request.head.query.isEmpty { back += "?" + request.head.query.raw }
    let ended = authentication.cookie.secret(of: request.head) == nil ? "" : "ended=yes&"
    return redirect(to: "/sign-in?" + ended + "return_to=" + PercentEncoding.encode(back))
  }

  private func redirect(to path: String) -> Response {
    Response(status: .seeOther, fields: [.location: path, .cacheControl: "no-store"])
  }
}

/// A page in all languages, each with its validator and in its forms. Rendered on first use, since rendering all would
/// take a third of the program's start.
private final class Pages: Sendable {
  private struct Page: Sendable {
    let etag: ETag
    let plain: Response
    let coded: Response
  }

  private let shell: Shell
  private let title: String
  private let start: Shell.Start
  /// By the language's tag.
  private let rendered = Lock<[String: Page]>([:])

  private var languages: Languages { shell.languages }

  init(_ shell: Shell, title: String, start: Shell.Start) {
    self.shell = shell
    self.title = title
    self.start = start
  }

  /// The page in the person's chosen language, otherwise in the browser's.
  func response(to request: Request, of session: Session, _ authentication: Authentication) async throws -> Response {
    let person = try await authentication.accounts.ownUser(session.userID)
    return response(to: request, in: languages.language(chosen: person.language, for: request.head))
  }

  /// The page in the browser's language.
  func response(to request: Request) -> Response {
    response(to: request, in: languages.language(for: request.head))
  }

  private func response(to request: Request, in language: Language) -> Response {
    let page = page(in: language)
    guard Conditions.evaluate(request.head, etag: page.etag) == .proceed else {
      return Answer.conditional(request, bytes: [], etag: page.etag, fields: page.plain.fields)
    }
    return Compression.acceptsGzip(request.head) ? page.coded : page.plain
  }

  /// Concurrent first requests may both render it, to the same bytes.
  private func page(in language: Language) -> Page {
    if let known = rendered.withLock({ $0[language.tag] }) { return known }
    let made = shell.render(title: title, start: start, language: language)
    let etag = ETag(Answer.hash(made.html))
    var response = Response(
      fields: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-cache",
        .vary: "Cookie, Accept-Language", "content-language": language.tag, "content-security-policy": made.policy,
        .etag: etag.description,
      ], body: .bytes(made.html))
    response.isSameForAll = true
    let forms = Compression.forms(of: response)
    let page = Page(etag: etag, plain: forms.plain, coded: forms.coded)
    rendered.withLock { $0[language.tag] = page }
    return page
  }
}
