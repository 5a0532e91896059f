// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func lastEventID() async throws -> EventID {
    try read { try $0.lastEventID() }
  }

  public func events(after id: EventID, for user: UserID, limit: Int) async throws -> EventReplay {
    let limits = limits
    let short: EventReplay? = try read { database in
      // Whoever comes back after a moment is answered at once; a long absence is read through on another thread.
      guard try database.lastEventID() - max(id, 0) <= limits.eventsReadAtOnce else { return nil }
      return try database.events(after: id, for: user, limit: limit)
    }
    if let short { return short }
    return try await readElsewhere { try $0.events(after: id, for: user, limit: limit) }
  }
}
