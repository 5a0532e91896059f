import HTTP
import HTTPServer

/// Rejects state-changing requests from pages on other sites, including sign-in.
///
/// Browsers send `Sec-Fetch-Site` (on https and localhost) and `Origin` (with every unsafe method) themselves, and no
/// page can forge them. A request with neither comes from a program, which does not have anyone else's cookies. A page
/// on another site also cannot send JSON without a preflight request, which is never granted here, so `JSONInput`
/// rejects other types; DELETE without a body is exempt, because it always requires a preflight.
struct SameOrigin: Sendable {
  /// The public origin, if configured; a proxy may rewrite Host.
  let publicOrigin: String?

  /// Throws `.crossSite` if a state-changing request comes from a page on another site. Of two Origin fields, one is
  /// not the browser's.
  func check(_ head: RequestHead) throws(Problem) {
    if head.method.isSafe { return }
    if let site = head[.secFetchSite], site != "same-origin", site != "none" { throw .crossSite }
    let origins = head.all(.origin)
    if origins.count > 1 { throw .crossSite }
    if let origin = origins.first, !isOwn(origin.lowercased(), head) { throw .crossSite }
  }

  /// Comparing with Host is safe here: a browser sends our cookie only to our host, whatever name it uses.
  private func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
    if origin == publicOrigin { return true }
    guard let host = head.host?.lowercased() else { return false }
    return origin == "http://" + host || origin == "https://" + host
  }
}
