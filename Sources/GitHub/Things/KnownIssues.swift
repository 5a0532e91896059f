import Chat
import FoundationEssentials

/// What is stored of a repository's issues and pull requests: a list of the newest, and some that were stored one by
/// one.
struct KnownIssues: Sendable {
  private struct Entry {
    let thing: GitHubThing
    let words: [String]
    let fetchedAt: Timestamp
  }

  /// The stored list, without texts.
  private(set) var list: [GitHubThing] = []
  /// GitHub's validator of the list.
  private(set) var etag: String?
  /// When GitHub last confirmed the list; nil if none is stored.
  private(set) var listedAt: Timestamp?
  /// The keys of those stored one by one.
  private(set) var singleKeys: [String] = []
  /// Those that changed last first.
  private var entries: [Entry] = []

  /// A stored list, if there is one. One that was written by an older version and cannot be decoded counts as missing.
  init(list stored: StoredGitHubThing?) {
    guard let stored, let list = try? JSONDecoder().decode([GitHubThing].self, from: Data(stored.content)) else {
      return
    }
    (self.list, etag, listedAt) = (list, stored.etag, stored.fetchedAt)
    add(list.map { ($0, stored.fetchedAt) })
  }

  /// Adds those stored one by one that are issues or pull requests and that `isIncluded` accepts.
  mutating func add(_ singles: [StoredGitHubThing], where isIncluded: (GitHubThing) -> Bool) {
    singleKeys += singles.map(\.key)
    add(
      singles.compactMap { stored in
        guard var thing = try? JSONDecoder().decode(GitHubThing.self, from: Data(stored.content)),
          thing.kind == .issue || thing.kind == .pull, isIncluded(thing)
        else { return nil }
        thing.text = ""
        return (thing, stored.fetchedAt)
      })
  }

  /// The first `limit` that match, beginning with the one whose whole number was asked for; nil if nothing is stored.
  func answer(_ filter: IssueFilter, limit: Int) -> GitHubAnswer<[GitHubThing]>? {
    guard let fetchedAt = listedAt ?? entries.map(\.fetchedAt).max() else { return nil }
    let whole = entries.lazy.map(\.thing).first { Self.isWhole($0, in: filter) }
    let others = entries.lazy.filter { entry in
      entry.thing.number != whole?.number && filter.matches(number: entry.thing.number ?? 0, words: entry.words)
    }
    let found = (whole.map { [$0] } ?? []) + others.prefix(limit).map(\.thing)
    return GitHubAnswer(value: Array(found.prefix(limit)), fetchedAt: fetchedAt)
  }

  /// Whether the filter is the issue's whole number: without its last digit it does not match.
  private static func isWhole(_ thing: GitHubThing, in filter: IssueFilter) -> Bool {
    guard let number = thing.number else { return false }
    return filter.matches(number: number, words: []) && !filter.matches(number: number / 10, words: [])
  }

  /// GitHub's newest page with what an earlier list has beyond it. What changed later than the page's end and is not on
  /// the page was deleted or moved; a whole page leaves nothing else.
  static func merged(
    _ page: [GitHubThing], isWhole: Bool, with earlier: [GitHubThing], limit: Int
  ) -> [GitHubThing] {
    guard !isWhole, let end = page.last?.updatedAt else { return page }
    let numbers = Set(page.map(\.number))
    let others = earlier.filter { thing in
      thing.updatedAt.map { $0 <= end } == true && !numbers.contains(thing.number)
    }
    return Array((page + others).prefix(limit))
  }

  /// Of two copies of the same issue the newer is kept.
  private mutating func add(_ things: [(thing: GitHubThing, fetchedAt: Timestamp)]) {
    var newest: [Int: Entry] = [:]
    for entry in entries { newest[entry.thing.number ?? 0] = entry }
    for (thing, fetchedAt) in things {
      guard let number = thing.number, newest[number].map({ $0.fetchedAt < fetchedAt }) ?? true else { continue }
      newest[number] = Entry(thing: thing, words: IssueFilter.words(of: thing.title), fetchedAt: fetchedAt)
    }
    entries = newest.values.sorted { one, other in
      (Self.changed(one.thing), one.thing.number ?? 0) > (Self.changed(other.thing), other.thing.number ?? 0)
    }
  }

  private static func changed(_ thing: GitHubThing) -> Int64 {
    (thing.updatedAt ?? thing.closedAt ?? thing.createdAt)?.milliseconds ?? 0
  }
}
