/// A cookie for the client to store (RFC 6265 section 4.1). Without a Domain it belongs to this host only.
package struct SetCookie: Sendable, Hashable, CustomStringConvertible {
  /// Which requests from other sites carry the cookie (RFC 6265bis section 4.1.2.7).
  package enum SameSite: String, Sendable, Hashable {
    /// Only top-level navigations to this site.
    case lax = "Lax"
    /// None.
    case strict = "Strict"
    /// All; requires Secure.
    case none = "None"
  }

  /// The name, a token.
  package let name: String
  /// The value.
  package let value: String
  /// Lifetime in seconds; 0 removes the cookie, nil keeps it until the browser closes.
  package var maxAge: Int?
  /// The path it is sent to.
  package var path = "/"
  /// Hidden from scripts.
  package var isHTTPOnly = true
  /// Only sent over https.
  package var isSecure = false
  /// Which requests from other sites carry it.
  package var sameSite = SameSite.lax

  /// A cookie for the whole host, HttpOnly and `SameSite=Lax`. Traps on an invalid name or value: encode input first.
  package init(name: String, value: String, maxAge: Int? = nil, isSecure: Bool = false) {
    precondition(!name.isEmpty && name.utf8.allSatisfy(Characters.isToken), "not a cookie's name")
    precondition(value.utf8.allSatisfy(SetCookie.isCookieOctet), "not a cookie's value")
    self.name = name
    self.value = value
    self.maxAge = maxAge
    self.isSecure = isSecure
  }

  /// The value of the Set-Cookie field.
  package var description: String {
    var text = "\(name)=\(value); Path=\(path)"
    if let maxAge { text += "; Max-Age=\(maxAge)" }
    if isSecure { text += "; Secure" }
    if isHTTPOnly { text += "; HttpOnly" }
    return text + "; SameSite=\(sameSite.rawValue)"
  }

  /// cookie-octet: visible ASCII without `"`, `,`, `;`, `\`.
  private static func isCookieOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
    default: (0x21...0x7E).contains(byte)
    }
  }
}
