import EventLoop
import HTTP

/// The codings of contents that are sent often, found by entity tag and verified by the content itself: a tag that two
/// resources have in common can never give one the other's content.
final class KeptCodings: Sendable {
  private struct Entry {
    let content: [UInt8]
    /// nil where the content does not become smaller.
    let coding: [UInt8]?

    var count: Int { content.count + (coding?.count ?? 0) }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var count = 0
  }

  private let limit: Int
  private let state = Lock(State())

  /// - Parameter limit: in bytes, of contents and codings together. Contents are mostly shared with whoever serves them.
  init(limit: Int) {
    self.limit = limit
  }

  /// The content in gzip, nil where that is not smaller. Made outside of the lock when it is not there: two loops may
  /// do the same work at first, but none waits.
  func coding(of content: [UInt8], tag: ETag) -> [UInt8]? {
    // For content that is still in the same memory the comparison is one of addresses.
    if let known = state.withLock({ $0.entries[tag.opaque] }), known.content == content { return known.coding }
    let entry = Entry(content: content, coding: Compression.encode(content, .thorough))
    state.withLock { keep(entry, tag, &$0) }
    return entry.coding
  }

  /// When it is full it starts over. What is served often is back soon, and who has few files never gets here.
  private func keep(_ entry: Entry, _ tag: ETag, _ state: inout State) {
    guard entry.count <= limit else { return }
    state.count -= state.entries.removeValue(forKey: tag.opaque)?.count ?? 0
    if state.count + entry.count > limit { state = State() }
    state.entries[tag.opaque] = entry
    state.count += entry.count
  }

  /// How much is kept, in bytes.
  var count: Int { state.withLock { $0.count } }
}
