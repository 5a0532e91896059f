import HTTP
import HTTPServer

/// The fields that every answer carries, errors included (SECURITY 3). What a responder has set stands. The server adds
/// `X-Content-Type-Options: nosniff` itself.
struct SecurityHeaders: Middleware {
  /// What pages may load: everything from here and nothing from elsewhere, no inline script or style.
  static let pagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hubbub"

  private let fields: Fields

  /// `isSecure`: whether people reach this server by https.
  init(isSecure: Bool) {
    var fields: Fields = [
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      .cacheControl: "no-store",
    ]
    if isSecure { fields.set("strict-transport-security", "max-age=31536000") }
    self.fields = fields
  }

  /// Adds what is missing.
  func complete(_ response: Response) -> Response {
    var response = response
    for line in fields where !response.fields.contains(line.name) { response.fields.add(line.name, line.value) }
    return response
  }

  func wrap(_ next: Responder, pattern: String) -> Responder {
    next.transformed { complete($1) }
  }
}
