import HTTP
import HTTPServer

/// A problem as people see it who follow a link that leads nowhere.
enum ErrorPage {
  static func response(_ problem: Problem, requestID: String) -> Response {
    var fields: Fields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
    if let retryAfter = problem.retryAfter { fields.set(.retryAfter, String(retryAfter)) }
    // All texts are the program's own and free of characters that HTML escapes, the id is letters and digits.
    let page = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(problem.name.title) · Hubbub</title>
      </head>
      <body>
      <main>
      <h1>\(problem.name.title)</h1>
      <p>\(problem.detail)</p>
      <p><a href="/">To your chats</a></p>
      <p><small>\(problem.status.code) · request \(requestID)</small></p>
      </main>
      </body>
      </html>

      """
    return Response(status: problem.status, fields: fields, body: .bytes(Array(page.utf8)))
  }
}
