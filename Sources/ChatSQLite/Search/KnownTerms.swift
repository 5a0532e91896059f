/// A cache of words that `search_terms` is known to contain, as it does most words of a new message.
///
/// Code that removes a word calls `forget`; code that rolls changes back calls `undo`.
final class KnownTerms: @unchecked Sendable {  // confined to the writer's thread
  /// The maximum number of words, which take some megabytes. When full, the cache is cleared.
  private static let limit = 20_000

  private var known: Set<String> = []
  /// Words added in the current transaction.
  private var added: [String] = []

  /// Whether the index is known to contain this word.
  func contains(_ term: String) -> Bool { known.contains(term) }

  /// Records that the index contains these words.
  func add(_ terms: some Sequence<String>) {
    if known.count >= Self.limit { known = [] }
    for term in terms where known.insert(term).inserted { added.append(term) }
  }

  /// Clears the cache, because the index may have lost any word.
  func forgetAll() { (known, added) = ([], []) }

  /// Forgets this word, because the index may have lost it.
  func forget(_ term: String) { known.remove(term) }

  /// Handles a rollback.
  func undo() {
    known.subtract(added)
    added = []
  }

  /// Handles a commit.
  func keep() { added = [] }
}
