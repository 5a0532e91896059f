/// A commit's hash. It encodes the commit's number within its repository, so that valid hashes, full or abbreviated,
/// can be told from invalid ones.
struct CommitName: Equatable {
  /// The commit's number within its repository.
  let number: Int64
  /// Forty hexadecimal digits.
  let text: String

  /// The hash of the commit with this number.
  init(in repository: Repository, number: Int64) {
    self.number = number & 0xFF_FFFF
    let head = String((self.number ^ Self.mask(repository)) | 1 << 24, radix: 16).dropFirst()
    text = head + SeededHash.hexadecimal(Array("\(repository.id) \(self.number)".utf8)) + "c0"
  }

  /// The commit whose hash starts with `name`, which must have at least seven digits, or nil.
  init?(in repository: Repository, named name: String) {
    let name = name.lowercased()
    guard (7...40).contains(name.utf8.count), let head = Int64(name.prefix(6), radix: 16) else { return nil }
    self.init(in: repository, number: head ^ Self.mask(repository))
    guard text.hasPrefix(name) else { return nil }
  }

  /// The commit's message.
  var message: String { Self.messages[Int(SeededHash.mix(UInt64(bitPattern: number)) % UInt64(Self.messages.count))] }

  /// The number of comments.
  var comments: Int64 { number % 3 }

  private static let messages = [
    "Tidy up", "Fix the build on Linux", "Say what went wrong", "Make the tests faster\n\nThey waited for nothing.",
    "Bump the version", "Rename for clarity", "Handle empty input", "Write the example anew", "Add a missing comma",
    "Cache what does not change", "Drop support for the old format", "Merge branch 'main' into topic",
  ]

  private static func mask(_ repository: Repository) -> Int64 {
    Int64(SeededHash.mix(UInt64(bitPattern: repository.id)) & 0xFF_FFFF)
  }
}
