/// An issue or a pull request, generated from the repository and the number unless recorded; the same in every run.
struct Work: Sendable {
  let repository: Repository
  /// The number within the repository.
  let number: Int64
  private let hash: UInt64

  /// The number of issues and pull requests in each repository.
  static let count: Int64 = 60
  /// The number of a deleted issue.
  static let deleted: Int64 = 13

  /// The issue or pull request with this number, or nil.
  init?(in repository: Repository, number: Int64) {
    guard (1...Self.count).contains(number), number != Self.deleted else { return nil }
    self.repository = repository
    self.number = number
    hash = SeededHash.mix(SeededHash.mix(UInt64(bitPattern: repository.id)) &+ UInt64(number))
  }

  /// The first match at or after `number`, wrapping around; nil if nothing matches.
  static func near(_ number: Int64, in repository: Repository, where fits: (Work) -> Bool) -> Work? {
    for step in 0..<count {
      if let work = Work(in: repository, number: (number + step) % count + 1), fits(work) { return work }
    }
    return nil
  }

  /// GitHub's id of the issue.
  var id: Int64 { 3_000_000_000 + Int64(hash % 1_000_000_000) }
  /// Whether it is a pull request.
  var isPull: Bool { hash % 3 == 0 }
  /// Whether it is closed.
  var isClosed: Bool { hash >> 8 % 2 == 0 }
  /// Whether it is a pull request that was merged.
  var isMerged: Bool { isPull && isClosed && hash >> 9 % 4 != 0 }
  /// Whether it is a draft pull request.
  var isDraft: Bool { isPull && !isClosed && hash >> 9 % 4 == 0 }
  /// Why an issue was closed.
  var reason: String? { isPull || !isClosed ? nil : hash >> 10 % 4 == 0 ? "not_planned" : "completed" }
  var title: String { Self.titles[Int(hash >> 16 % UInt64(Self.titles.count))] }
  /// The description; nil for some.
  var body: String? {
    hash >> 20 % 6 == 0
      ? nil : "Seen with the newest version.\r\n\r\n- [x] looked for the same before\r\n- [ ] has a test"
  }
  /// The number of comments.
  var comments: Int64 { Int64(hash >> 24 % 9) }
  /// When it was created, in seconds since the epoch: some day in 2025.
  var madeAt: Int64 { 1_735_689_600 + Int64(hash >> 28 % (365 * 86_400)) }
  /// The seed that chooses the author.
  var authorSeed: UInt64 { hash >> 4 }

  private static let titles = [
    "Crash when the list is empty", "Document the timeout", "Faster start on cold caches",
    "Support right-to-left text", "Wrong order after a restart", "Update dependencies", "Typo in the README",
    "Add dark mode", "Reject malformed dates", "Leak of file descriptors under load", "Make the cache optional",
    "Flaky test on slow machines", "Ask before overwriting files", "Export as CSV", "Keyboard navigation skips a row",
    "Handle `null` descriptions", "Remove deprecated options", "Explain the error to people, not to logs",
  ]
}
