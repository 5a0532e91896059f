/// The full name of a repository on GitHub, `owner/name`, in GitHub's spelling. Contains only characters that are valid
/// in such names, so that it is safe in a URL.
package struct RepositoryName: Hashable, Sendable {
  /// The login of the person or organisation that owns it.
  package let owner: String
  /// The repository's own name.
  package let name: String

  /// Validates the two parts: an owner has letters, digits, `-` and `_`, up to 100 characters; a repository also `.`,
  /// but is neither `.` nor `..`. Nil if one is invalid.
  package init?(owner: some StringProtocol, name: some StringProtocol) {
    guard Self.isWord(owner, and: []), Self.isWord(name, and: [UInt8(ascii: ".")]), name != ".", name != ".." else {
      return nil
    }
    self.owner = String(owner)
    self.name = String(name)
  }

  /// Parses `owner/name`; nil if it is invalid.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(owner: parts[0], name: parts[1])
  }

  /// `owner/name`.
  package var text: String { owner + "/" + name }

  /// Whether both name the same repository; GitHub ignores case.
  package func isSame(as other: RepositoryName) -> Bool { text.lowercased() == other.text.lowercased() }

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
