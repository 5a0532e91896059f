/// What names a picture: the last part of `/api/v1/avatars/<key>`.
public enum AvatarKey: Hashable, Sendable {
  /// The avatar of a GitHub account, from the cache: `github-<id>`.
  case github(id: Int64)
  /// A picture that was uploaded, named by its content: `picture-<SHA-256 in hexadecimal>`.
  case picture(PictureID)
  /// No picture: one or two letters on one of twelve colours: `initials-<colour>-<letters>`.
  ///
  /// All that the drawing needs is in the key, so it is never stored, and a new name is a new address.
  case initials(colour: Int, letters: String)

  /// The key that `text` writes (percent-decoded), or nil.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 2, parts[0] == "github", let id = Int64(parts[1]), id >= 0 {
      self = .github(id: id)
    } else if parts.count == 2, parts[0] == "picture", let id = PictureID(parts[1]) {
      self = .picture(id)
    } else if parts.count == 3, parts[0] == "initials", let colour = Int(parts[1]), (0..<12).contains(colour),
      parts[2].count <= 2
    {
      self = .initials(colour: colour, letters: String(parts[2]))
    } else {
      return nil
    }
  }

  /// One of twelve colours, the same in every client: the low 64 bits of the id modulo 12.
  public static func colour<Subject>(of id: ID<Subject>) -> Int { Int(id.low % 12) }

  /// The first letters of the names, in upper case; at most two.
  public static func letters(first: String, last: String) -> String {
    (first.prefix(1) + last.prefix(1)).uppercased()
  }

  /// The path on this server, percent-encoded: `/api/v1/avatars/initials-7-AL`.
  public var path: String { "/api/v1/avatars/" + PercentEncoding.pathSegment(description) }
}

extension AvatarKey: CustomStringConvertible {
  /// The key as it is written in an address, before percent-encoding.
  public var description: String {
    switch self {
    case .github(let id): "github-\(id)"
    case .picture(let id): "picture-\(id.text)"
    case .initials(let colour, let letters): "initials-\(colour)-\(letters)"
    }
  }
}

/// Percent-encoding of one path segment (RFC 3986 section 2.1): all but unreserved characters.
public enum PercentEncoding {
  /// `text` with every byte outside `A-Z a-z 0-9 - . _ ~` written as `%XX`.
  public static func pathSegment(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
