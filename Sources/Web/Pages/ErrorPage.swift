import HTTP
import HTTPServer

/// A problem as an HTML page, for people who follow a broken link: styled like the app, without a script.
struct ErrorPage: Sendable {
  let languages: Languages

  /// The page in the browser's language; the person may not be known.
  func response(_ problem: Problem, to request: Request) -> Response {
    let language = languages.language(for: request.head)
    var fields: Fields = [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      "content-security-policy": SecurityHeaders.pagePolicy(), .vary: "Accept-Language",
      "content-language": language.tag,
    ]
    if let retryAfter = problem.retryAfter { fields.set(.retryAfter, String(retryAfter)) }
    let words = language.problems[problem.name.rawValue] ?? (title: problem.name.title, detail: problem.detail)
    let (title, detail) = (ErrorPage.escaped(words.title), ErrorPage.escaped(words.detail))
    // The id consists of letters and digits. The style sheet's plain address is revalidated each time, because this
    // page is not tied to a version of the assets.
    let page = """
      <!doctype html>
      <html lang="\(language.tag)" dir="\(language.direction)">
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
      <a class="button primary" href="/chats">\(ErrorPage.escaped(language.toChats))</a>
      <p class="debug code">status \(problem.status.code) · request \(request.id)</p>
      </div>
      </main>
      </body>
      </html>

      """
    return Response(status: problem.status, fields: fields, body: .bytes(Array(page.utf8)))
  }

  /// A translated text escaped for HTML.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
