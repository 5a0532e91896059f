import Base
import HTTP

/// Where to go after signing in: always a path on this site.
///
/// It is an allow-list, because browsers treat other characters differently: they turn `\` into `/`, drop tabs and line
/// ends, and resolve dots. What remains here is the same path for every reader.
struct ReturnAddress: Hashable, Sendable {
  /// The default.
  static let chats = ReturnAddress(path: "/chats")
  /// Where linking starts and ends.
  static let settings = ReturnAddress(path: "/settings")
  /// The maximum length in bytes, since it is stored in a cookie.
  private static let limit = 1024

  /// The path with its query, as written in `Location`.
  let path: String

  private init(path: String) { self.path = path }

  /// Validates `wanted`; nil if it could lead away.
  init?(_ wanted: String?) {
    guard let wanted, wanted.utf8.count <= ReturnAddress.limit, wanted.utf8.first == UInt8(ascii: "/"),
      wanted.utf8.allSatisfy(ReturnAddress.isAllowed)
    else { return nil }
    let path = wanted.prefix { $0 != "?" }
    // Decoded completely: no later reader must find a different path in it.
    var decoded = Array(path.utf8)
    while decoded.contains(UInt8(ascii: "%")) {
      guard let next = PercentEncoding.decode(decoded) else { return nil }
      decoded = next
    }
    let parts = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.dropFirst().allSatisfy { part in
      !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        && part.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
    let slashes = path.utf8.filter { $0 == UInt8(ascii: "/") }.count
    guard isPlain, parts.count == slashes + 1, !parts.dropFirst().dropLast().contains(where: \.isEmpty),
      // Neither the sign-in routes, which would cause a loop, nor the API.
      !["auth", "api"].contains(where: { parts[1].elementsEqual($0.utf8) })
    else { return nil }
    self.path = wanted
  }

  /// The address with one more parameter; both are fixed words.
  func adding(_ name: String, _ value: String) -> String {
    path + (path.contains("?") ? "&" : "?") + name + "=" + value
  }

  /// unreserved, `%`, sub-delims except `'`, `:`, `@`, `/` and `?` (RFC 3986 section 3.3).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~%!$&()*+,;=:@/?".utf8.contains(byte)
    }
  }
}
