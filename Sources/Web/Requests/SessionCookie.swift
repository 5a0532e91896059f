import HTTP
import HTTPServer

/// The cookie that carries a session's secret (SECURITY 1).
struct SessionCookie: Sendable {
  /// `hubbub_session`, and over https `__Host-hubbub_session`, which browsers take from this host and path alone.
  let name: String
  private let isSecure: Bool
  private let lifetime: Int

  /// `lifetime` in seconds.
  init(isSecure: Bool, lifetime: Int) {
    name = (isSecure ? "__Host-" : "") + "hubbub_session"
    self.isSecure = isSecure
    self.lifetime = lifetime
  }

  /// The secret that came with a request; nil when there is none or it cannot be one of ours.
  func secret(of head: RequestHead) -> String? {
    guard let secret = Cookies(head)[name], (16...128).contains(secret.utf8.count) else { return nil }
    return secret
  }

  /// Has the browser keep the secret.
  func set(_ secret: String, in fields: inout Fields) {
    fields.add(.setCookie, SetCookie(name: name, value: secret, maxAge: lifetime, isSecure: isSecure).description)
  }

  /// Has the browser forget it.
  func clear(in fields: inout Fields) {
    fields.add(.setCookie, SetCookie(name: name, value: "", maxAge: 0, isSecure: isSecure).description)
  }
}
