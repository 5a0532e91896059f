import HTTP
import HTTPServer

/// `/sw.js`: the service worker, at the root because its scope is all pages. Public: it contains no personal data.
struct ServiceWorkerController: Controller {
  let worker: ServiceWorker

  func add(to routes: inout Routes) {
    routes.immediatePage("/sw.js") { request in
      Answer.conditional(
        request, bytes: worker.script(),
        fields: [
          .contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache",
          "content-security-policy": ServiceWorker.policy,
        ])
    }
  }
}
