/// A cookie to be stored by the client (RFC 6265 section 4.1). Without a Domain it belongs to this host alone.
public struct SetCookie: Sendable, Hashable, CustomStringConvertible {
  /// Which requests from other sites carry the cookie (RFC 6265bis section 4.1.2.7).
  public enum SameSite: String, Sendable, Hashable {
    /// None but links followed to this site.
    case lax = "Lax"
    /// None at all.
    case strict = "Strict"
    /// All; only with Secure.
    case none = "None"
  }

  /// The name, a token.
  public let name: String
  /// The value.
  public let value: String
  /// Seconds to keep it; 0 removes it; nil keeps it until the browser is closed.
  public var maxAge: Int?
  /// Which paths it is sent to.
  public var path = "/"
  /// Hidden from scripts.
  public var isHTTPOnly = true
  /// Only sent over https.
  public var isSecure = false
  /// Which requests from other sites carry it.
  public var sameSite = SameSite.lax

  /// A cookie for the whole host, hidden from scripts, `SameSite=Lax`. A name or value that a cookie cannot have is a
  /// mistake in the program and traps: encode what comes from outside first.
  public init(name: String, value: String, maxAge: Int? = nil, isSecure: Bool = false) {
    precondition(!name.isEmpty && name.utf8.allSatisfy(Characters.isToken), "not a cookie's name")
    precondition(value.utf8.allSatisfy(SetCookie.isCookieOctet), "not a cookie's value")
    self.name = name
    self.value = value
    self.maxAge = maxAge
    self.isSecure = isSecure
  }

  /// The value of the Set-Cookie field.
  public var description: String {
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
