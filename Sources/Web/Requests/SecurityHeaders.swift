import HTTP

/// The fields that every response has, including errors. Fields set by a responder take precedence. The server itself
/// adds `X-Content-Type-Options: nosniff`.
enum SecurityHeaders {
  /// The content security policy of pages: everything from this origin and nothing from elsewhere, no inline script or
  /// style except an import map with this hash (`sha256-…`).
  static func pagePolicy(importMap hash: String? = nil) -> String {
    "default-src 'none'; script-src 'self'\(hash.map { " '\($0)'" } ?? ""); style-src 'self'; "
      + "img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
      + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hubbub"
  }

  /// `isSecure`: whether people use https.
  static func fields(isSecure: Bool) -> Fields {
    var fields: Fields = [
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      .cacheControl: "no-store",
    ]
    if isSecure { fields.set("strict-transport-security", "max-age=31536000") }
    return fields
  }
}
