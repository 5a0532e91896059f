import Chat
import HTTP
import HTTPServer

/// `/healthz` and `/readyz`, for operators and their tools.
struct HealthController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    let healthy = Answer.json { $0.object { $0.member("status", "ok") } }
    routes.immediatePage("/healthz") { _ in healthy }
    routes.page("/readyz") { _ in
      // Checks the store too.
      _ = try await core.store.lastEventID()
      let refusesWrites = core.store.refusesWrites
      return Answer.json {
        $0.object {
          $0.member("status", "ready")
          $0.member("writing", refusesWrites ? "refused" : "ok")
        }
      }
    }
  }
}
