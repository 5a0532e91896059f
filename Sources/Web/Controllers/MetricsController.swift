import Chat
import Crypto
import HTTP
import HTTPServer

/// `/metrics`: counters in Prometheus' text format, without names.
///
/// For clients on this machine, for admins, and for clients that the operator names by a token or an address; 404 for
/// others. Requests forwarded by a proxy, trusted or not, are not local, nor are requests for another host name, which
/// may have been rebound to this machine.
struct MetricsController: Controller {
  let core: Core
  let metrics: Metrics
  let authentication: Authentication
  let readers: MetricsReaders

  func add(to routes: inout Routes) {
    routes.page("/metrics") { request in
      guard try await mayRead(request) else { throw Problem.notFound }
      return Response(
        fields: [.contentType: MetricsWriter.mediaType, .cacheControl: "no-store"],
        body: .bytes(Array(metrics.page().utf8)))
    }
  }

  private func mayRead(_ request: Request) async throws -> Bool {
    let isForwarded = Self.isForwarded(request.head)
    if Self.isLoopback(request.remoteAddress), !isForwarded, Self.namesThisMachine(request.head) { return true }
    // The address reported by a proxy counts only if that proxy is trusted; an unknown client has no address.
    if !isForwarded || request.isRelayed, let address = NetworkAddress(request.remoteAddress),
      readers.networks.contains(address)
    {
      return true
    }
    if let token = readers.token, Self.hasToken(token, request.head) { return true }
    guard let session = try await authentication.session(of: request) else { return false }
    return try await core.accounts.ownUser(session.userID).isAdmin
  }

  /// Whether the request has been forwarded.
  private static func isForwarded(_ head: RequestHead) -> Bool {
    let marks: [FieldName] = [.forwarded, .xForwardedFor, .xForwardedProto, "x-forwarded-host", "x-real-ip", "via"]
    return marks.contains { head[$0] != nil }
  }

  /// Whether the host is one of this machine's own names.
  private static func namesThisMachine(_ head: RequestHead) -> Bool {
    guard let host = head.host?.lowercased() else { return false }
    let name = host.first == "[" ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name == "localhost" || isLoopback(String(name))
  }

  /// Whether the request has the token, compared in constant time.
  private static func hasToken(_ token: String, _ head: RequestHead) -> Bool {
    guard let field = head["authorization"], field.lowercased().hasPrefix("bearer ") else { return false }
    let key = SymmetricKey(size: .bits256)
    let given = HMAC<SHA256>.authenticationCode(for: Array(field.dropFirst(7).utf8), using: key)
    return HMAC<SHA256>.isValidAuthenticationCode(given, authenticating: Array(token.utf8), using: key)
  }

  static func isLoopback(_ address: String) -> Bool {
    let bare = address.hasPrefix("::ffff:") ? address.dropFirst(7) : address[...]
    return bare.hasPrefix("127.") || bare == "::1"
  }
}
