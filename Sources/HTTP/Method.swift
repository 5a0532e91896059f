/// A request method: a case-sensitive token (RFC 9110 section 9.1).
public struct Method: Hashable, Sendable, CustomStringConvertible {
  /// The token as it stands in the request line.
  public let name: String

  /// A method of any name, or nil when `token` is not a token (RFC 9110 section 5.6.2).
  public init?(_ token: String) {
    guard !token.isEmpty, token.utf8.allSatisfy(Characters.isToken) else { return nil }
    name = token
  }

  /// For names known to be tokens: literals here, and bytes the parser has checked.
  init(verified name: String) {
    self.name = name
  }

  /// GET (RFC 9110 section 9.3.1).
  public static var get: Method { Method(verified: "GET") }
  /// HEAD (RFC 9110 section 9.3.2).
  public static var head: Method { Method(verified: "HEAD") }
  /// POST (RFC 9110 section 9.3.3).
  public static var post: Method { Method(verified: "POST") }
  /// PUT (RFC 9110 section 9.3.4).
  public static var put: Method { Method(verified: "PUT") }
  /// DELETE (RFC 9110 section 9.3.5).
  public static var delete: Method { Method(verified: "DELETE") }
  /// CONNECT (RFC 9110 section 9.3.6); for proxies, so always refused here.
  public static var connect: Method { Method(verified: "CONNECT") }
  /// OPTIONS (RFC 9110 section 9.3.7).
  public static var options: Method { Method(verified: "OPTIONS") }
  /// TRACE (RFC 9110 section 9.3.8).
  public static var trace: Method { Method(verified: "TRACE") }
  /// PATCH (RFC 5789).
  public static var patch: Method { Method(verified: "PATCH") }

  /// Whether the name is one of RFC 9110's or PATCH: an unknown method is answered 501, a known one that is not
  /// allowed for a resource 405 (RFC 9110 section 9.1).
  public var isKnown: Bool {
    switch name {
    case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH": true
    default: false
    }
  }

  /// Whether the method asks for nothing but reading (RFC 9110 section 9.2.1).
  public var isSafe: Bool {
    switch name {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }

  /// The token.
  public var description: String { name }
}
