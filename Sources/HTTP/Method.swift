/// A request method: a case-sensitive token (RFC 9110 section 9.1).
public struct Method: Hashable, Sendable, CustomStringConvertible {
  /// The token as it stands in the request line.
  public let name: String
  /// Tells the methods that everybody knows from one another without comparing texts; 0 for all others.
  private let number: UInt8

  /// A method of any name, or nil when `token` is not a token (RFC 9110 section 5.6.2).
  public init?(_ token: String) {
    guard !token.isEmpty, token.utf8.allSatisfy(Characters.isToken) else { return nil }
    self.init(verified: token)
  }

  /// For names known to be tokens: literals here, and bytes the parser has checked.
  init(verified name: String) {
    self = Method.known.first { $0.name == name } ?? Method(name, 0)
  }

  private init(_ name: String, _ number: UInt8) {
    self.name = name
    self.number = number
  }

  private static let known: [Method] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]

  /// Whether the names are the same.
  public static func == (left: Method, right: Method) -> Bool {
    left.number == right.number && (left.number != 0 || left.name == right.name)
  }

  /// GET (RFC 9110 section 9.3.1).
  public static var get: Method { Method("GET", 1) }
  /// HEAD (RFC 9110 section 9.3.2).
  public static var head: Method { Method("HEAD", 2) }
  /// POST (RFC 9110 section 9.3.3).
  public static var post: Method { Method("POST", 3) }
  /// PUT (RFC 9110 section 9.3.4).
  public static var put: Method { Method("PUT", 4) }
  /// DELETE (RFC 9110 section 9.3.5).
  public static var delete: Method { Method("DELETE", 5) }
  /// CONNECT (RFC 9110 section 9.3.6); for proxies, so always refused here.
  public static var connect: Method { Method("CONNECT", 6) }
  /// OPTIONS (RFC 9110 section 9.3.7).
  public static var options: Method { Method("OPTIONS", 7) }
  /// TRACE (RFC 9110 section 9.3.8).
  public static var trace: Method { Method("TRACE", 8) }
  /// PATCH (RFC 5789).
  public static var patch: Method { Method("PATCH", 9) }

  /// Whether the name is one of RFC 9110's or PATCH: an unknown method is answered 501, a known one that is not
  /// allowed for a resource 405 (RFC 9110 section 9.1).
  public var isKnown: Bool { number != 0 }

  /// Whether the method asks for nothing but reading (RFC 9110 section 9.2.1).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }

  /// The token.
  public var description: String { name }
}
