/// The full name of a repository on GitHub, `owner/name`, as GitHub spells it. Made of what such names are made of, so
/// that it may stand in an address.
public struct RepositoryName: Hashable, Sendable {
  /// The login of the person or organisation that owns it.
  public let owner: String
  /// Its own name.
  public let name: String

  /// A name from its two parts, or nil: an owner has letters, digits, `-` and `_`, up to 100 characters; a repository
  /// `.` too, but is neither `.` nor `..`.
  public init?(owner: some StringProtocol, name: some StringProtocol) {
    guard Self.isWord(owner, and: []), Self.isWord(name, and: [UInt8(ascii: ".")]), name != ".", name != ".." else {
      return nil
    }
    self.owner = String(owner)
    self.name = String(name)
  }

  /// The name that `text` writes, `owner/name`, or nil.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(owner: parts[0], name: parts[1])
  }

  /// `owner/name`.
  public var text: String { owner + "/" + name }

  /// Whether both name one repository: case does not count at GitHub.
  public func isSame(as other: RepositoryName) -> Bool { text.lowercased() == other.text.lowercased() }

  private static func isWord(_ text: some StringProtocol, and others: Set<UInt8>) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: others.contains(byte)
        }
      }
  }
}
