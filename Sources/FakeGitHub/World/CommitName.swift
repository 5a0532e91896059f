/// The hexadecimal name of a commit. It carries its own number in its repository, so that each can be told from names
/// that belong to none, whole or abbreviated.
struct CommitName: Equatable {
  /// Which commit of its repository.
  let number: Int64
  /// Forty hexadecimal digits.
  let text: String

  /// The number-th commit of a repository.
  init(in repository: Repository, number: Int64) {
    self.number = number & 0xFF_FFFF
    let head = String((self.number ^ Self.mask(repository)) | 1 << 24, radix: 16).dropFirst()
    text = head + StableHash.hexadecimal(Array("\(repository.id) \(self.number)".utf8)) + "c0"
  }

  /// The commit of a repository that is named by at least seven digits, or nil.
  init?(in repository: Repository, named name: String) {
    let name = name.lowercased()
    guard (7...40).contains(name.utf8.count), let head = Int64(name.prefix(6), radix: 16) else { return nil }
    self.init(in: repository, number: head ^ Self.mask(repository))
    guard text.hasPrefix(name) else { return nil }
  }

  /// What the commit did.
  var message: String { Self.messages[Int(StableHash.mix(UInt64(bitPattern: number)) % UInt64(Self.messages.count))] }

  private static let messages = [
    "Tidy up", "Fix the build on Linux", "Say what went wrong", "Make the tests faster\n\nThey waited for nothing.",
    "Bump the version", "Rename for clarity", "Handle empty input", "Write the example anew", "Add a missing comma",
    "Cache what does not change", "Drop support for the old format", "Merge branch 'main' into topic",
  ]

  private static func mask(_ repository: Repository) -> Int64 {
    Int64(StableHash.mix(UInt64(bitPattern: repository.id)) & 0xFF_FFFF)
  }
}
