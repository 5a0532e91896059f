/// A request method: a case-sensitive token (RFC 9110 section 9.1).
package struct Method: Hashable, Sendable, CustomStringConvertible {
  /// The token in the request line.
  package let name: String
  /// A number for each well-known method, for comparison without strings; 0 for all others.
  @usableFromInline let number: UInt8

  /// A method of any name; nil when `token` is not a token (RFC 9110 section 5.6.2).
  package init?(_ token: String) {
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

  @inlinable
  package static func == (left: Method, right: Method) -> Bool {
    left.number == right.number && (left.number != 0 || left.name == right.name)
  }

  /// GET (RFC 9110 section 9.3.1).
  package static var get: Method { Method("GET", 1) }
  /// HEAD (RFC 9110 section 9.3.2).
  package static var head: Method { Method("HEAD", 2) }
  /// POST (RFC 9110 section 9.3.3).
  package static var post: Method { Method("POST", 3) }
  /// PUT (RFC 9110 section 9.3.4).
  package static var put: Method { Method("PUT", 4) }
  /// DELETE (RFC 9110 section 9.3.5).
  package static var delete: Method { Method("DELETE", 5) }
  /// CONNECT (RFC 9110 section 9.3.6); for proxies, so always refused here.
  package static var connect: Method { Method("CONNECT", 6) }
  /// OPTIONS (RFC 9110 section 9.3.7).
  package static var options: Method { Method("OPTIONS", 7) }
  /// TRACE (RFC 9110 section 9.3.8).
  package static var trace: Method { Method("TRACE", 8) }
  /// PATCH (RFC 5789).
  package static var patch: Method { Method("PATCH", 9) }

  /// Whether the method is one of RFC 9110's or PATCH. An unknown method gets 501; a known one that a resource does not
  /// allow gets 405 (RFC 9110 section 9.1).
  package var isKnown: Bool { number != 0 }

  /// Whether the method is safe (RFC 9110 section 9.2.1).
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }

  /// The token.
  package var description: String { name }
}
