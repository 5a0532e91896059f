import HTTP
import HTTPServer

/// `/problems/{name}`: the page that a problem's `type` links to.
struct ProblemsController: Controller {
  func add(to routes: inout Routes) {
    routes.immediatePage("/problems/:name") { request in
      guard let name = Problem.Name(rawValue: request.parameters["name"] ?? "") else { throw Problem.notFound }
      return Answer.conditional(
        request, bytes: Array("\(name.title).\n".utf8),
        fields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"])
    }
  }
}
