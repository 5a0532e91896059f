import Base

/// Identifies a picture: the last part of `/api/v1/avatars/<key>`.
package enum AvatarKey: Hashable, Sendable {
  /// The avatar of a GitHub account, from the cache: `github-<id>`.
  case github(id: Int64)
  /// An uploaded picture, identified by its content: `picture-<SHA-256 in hexadecimal>`.
  case picture(PictureID)
  /// No picture: one or two letters on one of twelve colours: `initials-<colour>-<letters>`.
  ///
  /// The key contains everything needed for drawing, so the picture is never stored, and a new name has a new address.
  case initials(colour: Int, letters: String)

  /// Parses `text` (percent-decoded); nil if it is invalid.
  package init?(_ text: some StringProtocol) {
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
  package static func colour<Subject>(of id: ID<Subject>) -> Int { Int(id.low % 12) }

  /// The first letters of the names, in upper case; at most two.
  package static func letters(first: String, last: String) -> String {
    (initial(of: first) + initial(of: last)).uppercased()
  }

  /// The first character. One of ASCII before another is a character by itself, which looking for its end would tell later.
  private static func initial(of name: String) -> Substring {
    let start = name.utf8.prefix(2)
    return start.allSatisfy { (0x20..<0x7F).contains($0) } ? Substring(start.prefix(1)) : name.prefix(1)
  }

  /// The path on this server, percent-encoded: `/api/v1/avatars/initials-7-AL`.
  package var path: String {
    let folder = "/api/v1/avatars/"
    // Only letters may need escaping.
    if case .initials = self { return folder + PercentEncoding.encode(description) }
    return folder + description
  }
}

extension AvatarKey: CustomStringConvertible {
  /// The key as written in an address, before percent-encoding.
  package var description: String {
    switch self {
    case .github(let id): "github-" + String(id)
    case .picture(let id): "picture-" + id.text
    case .initials(let colour, let letters): "initials-" + String(colour) + "-" + letters
    }
  }
}
