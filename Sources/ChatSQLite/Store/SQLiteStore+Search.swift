// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB
import Synchronization

extension SQLiteStore {
  public func messages(
    matching query: SearchQuery, for user: UserID, after cursor: SearchCursor?, limit: Int
  ) async throws -> FoundMessages {
    let (time, flag) = (limits.searchTime, CancellationFlag())
    return try await withTaskCancellationHandler {
      try await readElsewhere { database in
        // As people type, most searches that had to wait are no longer of interest.
        if flag.isSet { throw CancellationError() }
        guard let member = try database.user(user)?.key else { throw ChatError.notFound }
        let search = MessageSearch(
          database: database, member: member, query: query, limit: max(1, limit), time: time,
          isAbandoned: { flag.isSet })
        return try search.run(after: cursor)
      }
    } onCancel: {
      flag.set()
    }
  }

  public func rooms(matching text: String, for user: UserID, limit: Int) async throws -> [Room] {
    let words = SearchTokenizer.words(of: text)
    guard !words.isEmpty else { return [] }
    return try await readElsewhere { database in
      guard let member = try database.user(user)?.key else { throw ChatError.notFound }
      let mine = try database.roomNames(of: member).filter { $0.isListed && $0.isFound(by: words) }
      let found = try mine.prefix(max(0, limit)).map { try database.room($0.key, for: member) }
      let others = try database.publicRoomNames(besides: member).filter { $0.isFound(by: words) }
      return found
        + (try others.prefix(max(0, limit - found.count)).compactMap { try database.roomForOutsiders($0.key) })
    }
  }
}

/// Tells a thread that nobody waits for it any more.
private final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}
