import HTTP
import HTTPServer

/// The cookie with a session's secret.
struct SessionCookie: Sendable {
  /// `hubbub_session`, or over https `__Host-hubbub_session`, which browsers accept only for this host and path `/`.
  let name: String
  private let isSecure: Bool
  private let lifetime: Int

  /// `lifetime` in seconds.
  init(isSecure: Bool, lifetime: Int) {
    name = (isSecure ? "__Host-" : "") + "hubbub_session"
    self.isSecure = isSecure
    self.lifetime = lifetime
  }

  /// The secret in a request; nil if there is none or it cannot be one of ours.
  func secret(of head: RequestHead) -> String? {
    guard let secret = Cookies(head)[name], (16...128).contains(secret.utf8.count) else { return nil }
    return secret
  }

  /// Sets the cookie.
  func set(_ secret: String, in fields: inout Fields) {
    fields.add(.setCookie, SetCookie(name: name, value: secret, maxAge: lifetime, isSecure: isSecure).description)
  }

  /// Clears the cookie.
  func clear(in fields: inout Fields) {
    fields.add(.setCookie, SetCookie(name: name, value: "", maxAge: 0, isSecure: isSecure).description)
  }
}

/// The cookie with a device's token (`DeviceToken`), which shows that somebody has signed in to an account on it
/// before. It outlives the session: it grants no access, and only keeps strangers' wrong guesses from slowing this
/// device down.
struct DeviceCookie: Sendable {
  /// 400 days, in seconds: the longest lifetime that browsers allow.
  private static let lifetime = 400 * 86_400
  private let name: String
  private let isSecure: Bool

  init(isSecure: Bool) {
    name = (isSecure ? "__Host-" : "") + "hubbub_device"
    self.isSecure = isSecure
  }

  func token(of head: RequestHead) -> String? { Cookies(head)[name] }

  func set(_ token: String, in fields: inout Fields) {
    let cookie = SetCookie(name: name, value: token, maxAge: DeviceCookie.lifetime, isSecure: isSecure)
    fields.add(.setCookie, cookie.description)
  }
}
