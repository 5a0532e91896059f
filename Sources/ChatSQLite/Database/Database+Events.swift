import Chat
import GRDB

extension Database {
  /// The number last given, kept by SQLite also when the log is empty.
  func lastEventID() throws -> EventID {
    try first("SELECT seq FROM sqlite_sequence WHERE name = 'events'") { $0[0] } ?? 0
  }

  /// A value read in this transaction, with the newest event that it includes.
  func snapshot<Value>(_ value: Value) throws -> Snapshot<Value> {
    Snapshot(value: value, eventID: try lastEventID())
  }

  /// The events that a person may see. Each audience he belongs to (everyone, himself, each of his rooms) gives its
  /// next few from its index, and the lowest of all these are the answer: what others were told costs nothing. What
  /// happened in a room before somebody was let in was not told to him, and is not replayed either.
  static let eventsOfReader = """
    WITH found (id) AS (
      SELECT id FROM (SELECT id FROM events INDEXED BY events_for_everyone
        WHERE room IS NULL AND reader IS NULL AND id > ?1 ORDER BY id LIMIT ?3)
      UNION ALL
      SELECT id FROM (SELECT id FROM events INDEXED BY events_by_reader
        WHERE reader = ?2 AND reader IS NOT NULL AND id > ?1 ORDER BY id LIMIT ?3)
      UNION ALL
      SELECT e.id FROM memberships m CROSS JOIN events e
        WHERE m.member = ?2 AND e.id IN (SELECT n.id FROM events n INDEXED BY events_by_room
          WHERE n.room = m.room AND n.room IS NOT NULL AND n.id > max(?1, m.joined_event) ORDER BY n.id LIMIT ?3)
    )
    SELECT e.id, e.name, e.data, e.room IS NULL AND e.reader IS NULL FROM events e
    WHERE e.id IN (SELECT id FROM found ORDER BY id LIMIT ?3) ORDER BY e.id
    """

  func events(after id: EventID, for user: UserID, limit: Int) throws -> EventReplay {
    guard let reader = try self.user(user)?.key else { throw ChatError.notFound }
    let last = try lastEventID()
    guard try reaches(back: id, last: last) else { return EventReplay(events: [], readTo: last, reachesBack: false) }
    let limit = max(limit, 1)
    // Who else was told does not matter to the one who asks, and would cost a look at all members.
    let events = try all(Self.eventsOfReader, [id, reader, limit]) { row in
      LoggedEvent(
        id: row[0], name: row[1], data: row[2], audience: row[3] ? .everyone : .user(user))
    }
    let readTo = events.count < limit ? last : events.last?.id ?? last
    return EventReplay(events: events, readTo: readTo, reachesBack: true)
  }

  /// Whether all that came after `id` is still there. A number that was never given belongs to another database (an
  /// older backup was restored), whose reader knows nothing of this one's log.
  private func reaches(back id: EventID, last: EventID) throws -> Bool {
    if id == last { return true }
    guard (0..<max(last, 1)).contains(id), let oldest = try oldestEventID() else { return false }
    return id >= oldest - 1
  }

  private func oldestEventID() throws -> EventID? {
    try first("SELECT id FROM events ORDER BY id LIMIT 1") { $0[0] }
  }

  /// Takes the `step` oldest events out of the log, once it holds that many more than it must keep.
  func trimEvents(keeping kept: Int, step: Int) throws {
    guard let oldest = try oldestEventID(), try lastEventID() - oldest + 1 >= EventID(kept + step) else { return }
    try inTransaction(.immediate) {
      try run("DELETE FROM events WHERE id < ?", [oldest + EventID(step)])
      return .commit
    }
  }
}
