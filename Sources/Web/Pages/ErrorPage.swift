import HTTP
import HTTPServer

/// A problem as people see it who follow a link that leads nowhere: a page in the app's clothes, without a script.
enum ErrorPage {
  static func response(_ problem: Problem, requestID: String) -> Response {
    var fields: Fields = [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      "content-security-policy": SecurityHeaders.pagePolicy,
    ]
    if let retryAfter = problem.retryAfter { fields.set(.retryAfter, String(retryAfter)) }
    let (title, detail) = words(for: problem)
    // All texts are the program's own and free of characters that HTML escapes, the id is letters and digits. The style
    // sheet's plain address is asked for anew each time: this page is not tied to a version of the assets.
    let page = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · Hubbub</title>
      <link rel="stylesheet" href="/assets/\(Assets.styleSheet)">
      <link rel="icon" type="image/svg+xml" href="/assets/icons/mark.svg">
      </head>
      <body>
      <main class="failure-page">
      <div class="empty">
      <svg class="mark" viewBox="0 0 64 64" aria-hidden="true">
      <path class="second" d="M39 15a9.5 9.5 0 0 1 19 0v43l-9-8h-1a9 9 0 0 1-9-9z"/>
      <path class="first" d="M25 15a9.5 9.5 0 0 0-19 0v43l9-8h1a9 9 0 0 0 9-9v-2h15.5a7.5 7.5 0 0 0 0-15h-15.5z"/>
      </svg>
      <h1 class="what">\(title)</h1>
      <p class="how">\(detail)</p>
      <a class="button primary" href="/chats">To your chats</a>
      <p class="debug code">status \(problem.status.code) · request \(requestID)</p>
      </div>
      </main>
      </body>
      </html>

      """
    return Response(status: problem.status, fields: fields, body: .bytes(Array(page.utf8)))
  }

  /// Title and sentence. A wrong address is the one problem that people meet without having done anything special.
  private static func words(for problem: Problem) -> (title: String, detail: String) {
    guard problem.name == .notFound else { return (problem.name.title, problem.detail) }
    return ("There is nothing here", "The address may be mistyped, or what it led to is gone.")
  }
}
