import Chat
import HTTP
import HTTPServer

/// `/healthz` and `/readyz`, for operators and their tools.
struct HealthController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.page("/healthz") { _ in Answer.json { $0.object { $0.member("status", "ok") } } }
    routes.page("/readyz") { _ in
      // The program answers; now the store as well.
      _ = try await core.store.lastEventID()
      return Answer.json { $0.object { $0.member("status", "ready") } }
    }
  }
}
