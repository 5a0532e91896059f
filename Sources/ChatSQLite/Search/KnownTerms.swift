/// Words that the search index was told of lately, which need not be told to it again: most words of a message are such.
/// Confined to the writer's thread.
///
/// Whoever takes a word out of the index calls `forget`; whoever takes changes back calls `undo`.
final class KnownTerms {
  /// How many are kept: some megabytes. Beyond, all are forgotten.
  private static let limit = 20_000

  private var known: Set<String> = []
  /// Those of the transaction under way.
  private var added: [String] = []

  /// Whether the index has this word, for sure.
  func contains(_ term: String) -> Bool { known.contains(term) }

  /// The index has these words from now on.
  func add(_ terms: some Sequence<String>) {
    if known.count >= Self.limit { known = [] }
    for term in terms where known.insert(term).inserted { added.append(term) }
  }

  /// The index may have lost this word.
  func forget(_ term: String) { known.remove(term) }

  /// The transaction is taken back.
  func undo() {
    known.subtract(added)
    added = []
  }

  /// The transaction is on disk.
  func keep() { added = [] }
}
