import Chat
import HTTP
import HTTPServer

/// The addresses that people see (`BROWSER.md`). All show the same shell; whoever is not signed in is asked to sign in
/// first and then comes back.
struct PagesController: Controller {
  let shell: Shell
  let authentication: Authentication

  func add(to routes: inout Routes) {
    for (pattern, title) in [
      ("/chats", "Chats"), ("/chats/:room", "Chats"), ("/people", "People"), ("/people/:login/followers", "People"),
      ("/people/:login/following", "People"), ("/orgs/:login", "People"), ("/news", "News"), ("/settings", "Settings"),
      ("/chats/:room/info", "Chats"), ("/rooms", "Public rooms"), ("/rooms/new", "New group"), ("/search", "Search"),
      ("/people/:login", "People"), ("/github/:owner/:repo", "News"), ("/github/:owner/:repo/issues/:number", "News"),
      ("/github/:owner/:repo/pulls/:number", "News"), ("/github/:owner/:repo/releases/:tag", "News"),
      ("/github/:owner/:repo/commits/:sha", "News"),
    ] {
      let start: Shell.Start = pattern == "/chats/:room" ? .conversation : .app
      let page = Page(shell.render(title: title + " · Hubbub", start: start))
      routes.page(pattern) { request in
        if try await authentication.session(of: request) == nil { return signInFirst(request) }
        return page.response(to: request)
      }
    }
    for (pattern, title) in [("/sign-in", "Sign in"), ("/sign-up", "Create account")] {
      let page = Page(shell.render(title: title + " · Hubbub", start: .signedOut))
      routes.page(pattern) { request in
        if try await authentication.session(of: request) != nil { return redirect(to: "/chats") }
        return page.response(to: request)
      }
    }
    addInvitation(to: &routes)
    routes.page("/") { request in
      redirect(to: try await authentication.session(of: request) == nil ? "/sign-in" : "/chats")
    }
  }

  /// An invitation's page is open to everybody (R1): who is not signed in sees where it leads before signing in. The
  /// page itself tells nothing of the token, which the browser asks about.
  private func addInvitation(to routes: inout Routes) {
    let title = "Invitation · Hubbub"
    let page = Page(shell.render(title: title, start: .app))
    let door = Page(shell.render(title: title, start: .signedOut))
    routes.page("/invite/:token") { request in
      try await authentication.session(of: request) == nil ? door.response(to: request) : page.response(to: request)
    }
  }

  /// The way back is path and query of this very request, so it cannot lead elsewhere (SECURITY 14).
  private func signInFirst(_ request: Request) -> Response {
    var back = String(decoding: request.head.encodedPath, as: UTF8.self)
    if !request.head.query.isEmpty { back += "?" + request.head.query.raw }
    return redirect(to: "/sign-in?return_to=" + HTTP.PercentEncoding.encode(back))
  }

  private func redirect(to path: String) -> Response {
    Response(status: .seeOther, fields: [.location: path, .cacheControl: "no-store"])
  }
}

/// A rendered page with its validator.
private struct Page: Sendable {
  let bytes: [UInt8]
  let etag: ETag

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    etag = ETag(Answer.hash(bytes))
  }

  func response(to request: Request) -> Response {
    Answer.conditional(
      request, bytes: bytes, etag: etag,
      fields: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-cache", .vary: "Cookie",
        "content-security-policy": SecurityHeaders.pagePolicy,
      ])
  }
}
