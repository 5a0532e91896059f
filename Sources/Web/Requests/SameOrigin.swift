import HTTP
import HTTPServer

/// Refuses requests that change something and come from a page of another site (SECURITY 2), signing in included.
///
/// Browsers send `Sec-Fetch-Site` (on https and localhost) and `Origin` (with each request of an unsafe method) by
/// themselves, and no page can forge them. A request with neither comes from a program, which has no other's cookies.
/// Nor can a page of another site send JSON without asking first (a "preflight", which is never granted here), so
/// `JSONInput` refuses other types; DELETE without a body needs none, for it is always asked about.
struct SameOrigin: Middleware {
  /// The origin that people see, where it is configured; a proxy may rewrite Host.
  let publicOrigin: String?

  func wrap(_ next: Responder, pattern: String) -> Responder {
    next.guarded { request in
      try check(request.head)
      return request
    }
  }

  private func check(_ head: RequestHead) throws(Problem) {
    if head.method.isSafe { return }
    if let site = head["sec-fetch-site"], site != "same-origin", site != "none" { throw .crossSite }
    if let origin = head[.origin], !isOwn(origin.lowercased(), head) { throw .crossSite }
  }

  /// Comparing with Host is safe here: a browser sends our cookie to our host alone, under whichever name it knows it.
  private func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
    if origin == publicOrigin { return true }
    guard let host = head.host?.lowercased() else { return false }
    return origin == "http://" + host || origin == "https://" + host
  }
}
