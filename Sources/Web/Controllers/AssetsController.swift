import HTTP
import HTTPServer

/// `/assets`: scripts, styles and icons.
struct AssetsController: Controller {
  let assets: Assets

  func add(to routes: inout Routes) {
    routes.immediatePage("/assets/*path") { request in
      try assets.response(to: request, path: request.parameters["path"] ?? "")
    }
  }
}
