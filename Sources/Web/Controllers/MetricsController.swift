import Chat
import HTTP
import HTTPServer

/// `/metrics`: what an operator's tools read, in Prometheus' text format (X3). It counts, and names nobody.
///
/// For programs on this machine, and for admins in their browsers; for others it is not there. Where a proxy on this
/// machine is not among the trusted ones, everybody seems to come from here: then let the proxy keep the path to itself.
struct MetricsController: Controller {
  let core: Core
  let metrics: Metrics
  let authentication: Authentication

  func add(to routes: inout Routes) {
    routes.page("/metrics") { request in
      guard try await mayRead(request) else { throw Problem.notFound }
      return Response(
        fields: [.contentType: MetricsWriter.mediaType, .cacheControl: "no-store"],
        body: .bytes(Array(metrics.page().utf8)))
    }
  }

  private func mayRead(_ request: Request) async throws -> Bool {
    if Self.isLoopback(request.remoteAddress) { return true }
    guard let session = try await authentication.session(of: request) else { return false }
    return try await core.accounts.ownUser(session.userID).isAdmin
  }

  static func isLoopback(_ address: String) -> Bool {
    let bare = address.hasPrefix("::ffff:") ? address.dropFirst(7) : address[...]
    return bare.hasPrefix("127.") || bare == "::1"
  }
}
