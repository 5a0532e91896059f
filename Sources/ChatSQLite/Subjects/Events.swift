import Chat
import GRDB

extension SQLiteStore {
  package func lastEventID() async throws -> EventID {
    try read { try $0.lastEventID() }
  }

  package func events(after id: EventID, for user: UserID, limit: Int) async throws -> EventReplay {
    let limits = limits
    let short: EventReplay? = try read { database in
      // Whoever comes back after a moment is answered at once; a long absence is read through on another thread, and so
      // are views of rooms, which all members of a large group ask for at once.
      guard try database.lastEventID() - max(id, 0) <= limits.eventsReadAtOnce else { return nil }
      let replay = try database.events(after: id, for: user, limit: limit, derivingViews: false)
      return replay.events.contains(where: \.isView) ? nil : replay
    }
    if let short { return short }
    return try await readElsewhere { try $0.events(after: id, for: user, limit: limit) }
  }
}

extension Database {
  /// The last number issued; SQLite keeps it even if the log is empty.
  func lastEventID() throws -> EventID {
    try first("SELECT seq FROM sqlite_sequence WHERE name = 'events'") { $0[0] } ?? 0
  }

  /// A value read in this transaction, with the newest event that it reflects.
  func snapshot<Value>(_ value: Value) throws -> Snapshot<Value> {
    Snapshot(value: value, eventID: try lastEventID())
  }

  /// The events that a person may see. Each of their audiences (everyone, themselves, each of their rooms) yields its
  /// next few from its index, and the lowest of all these are the result, so other people's events cost nothing. Events
  /// of a room from before a member joined are not replayed to them.
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
    SELECT e.id, e.name, e.data, e.room IS NULL AND e.reader IS NULL,
      iif(e.name IN ('room.created', 'room.updated'), e.room, NULL), e.quoted_room, e.seq
    FROM events e
    WHERE e.id IN (SELECT id FROM found ORDER BY id LIMIT ?3) ORDER BY e.id
    """

  func events(
    after id: EventID, for user: UserID, limit: Int, derivingViews: Bool = true
  ) throws -> EventReplay {
    guard let reader = try self.user(user)?.key else { throw ChatError.notFound }
    let last = try lastEventID()
    guard try reaches(back: id, last: last) else { return EventReplay(events: [], readTo: last, reachesBack: false) }
    var page = EventPage(limit: max(limit, 1))
    try page.read(from: cursor(Self.eventsOfReader, [id, reader, page.limit]), for: user)
    if derivingViews {
      for (index, quote) in zip(page.events.indices, page.quotes) {
        guard let quote else { continue }
        page.events[index].isView = false
        guard let message = try quotation(quote, for: reader) else { continue }
        try each(
          "SELECT json_set(data, '$.last_message', json(?)) FROM events WHERE id = ?", [message, page.events[index].id]
        ) { page.events[index].data = $0[0] }
        if page.isFull(to: index) { break }
      }
      var seen: [Int64: Room] = [:]
      for (index, room) in zip(page.events.indices, page.rooms) {
        guard let room else { continue }
        let current = try seen[room] ?? self.room(room, for: reader)
        seen[room] = current
        page.events[index].data = try view(of: current, at: page.events[index].id, last)
        page.events[index].isView = false
        if page.isFull(to: index) { break }
      }
    }
    var events = page.events
    let hiding = try privateUsers().filter { !$0.value.readReceipts }
    if !hiding.isEmpty {
      for index in events.indices where events[index].name == "receipt.updated" {
        events[index].data = try receipt(events[index], for: user) { hiding[$0] != nil }
      }
    }
    return EventReplay(
      events: events, readTo: page.hasMore ? events.last?.id ?? last : last, hasMore: page.hasMore, reachesBack: true)
  }

  /// A message as it is now, encoded, for the replay of a room that it is the last message of; nil if the reader may not
  /// see it any more.
  private func quotation(_ quote: (room: Int64, seq: Int), for reader: Int64) throws -> UTF8Text? {
    let room = try first(
      "SELECT r.id FROM rooms r JOIN memberships m ON m.room = r.key AND m.member = ?2 WHERE r.key = ?1",
      [quote.room, reader]
    ) { $0.id(0) as RoomID }
    guard let room else { return nil }
    var json = JSONWriter(capacity: 1024)
    json.value(try message(quote.seq, inRoom: quote.room, room))
    return UTF8Text(bytes: json.bytes)
  }

  /// A room as its reader sees it now, but with its own properties as they were at an event.
  private func view(of room: Room, at event: EventID, _ last: EventID) throws -> [UInt8] {
    var room = room
    try each(
      """
      SELECT data ->> '$.name', data ->> '$.topic', data ->> '$.public', data ->> '$.picture', data ->> '$.repository'
      FROM events WHERE id = ?
      """, [event]
    ) { row in
      (room.name, room.topic, room.isPublic, room.picture) = (row[0], row[1], row[2], row.picture(3))
      room.repository = row.repository(4)
    }
    var json = JSONWriter(capacity: 1024)
    json.value(room, asOf: last)
    return json.bytes
  }

  /// A logged receipt as its reader may see it now. A person who hides what they have read hides it in the past as
  /// well, and does not see others' receipts.
  private func receipt(_ event: LoggedEvent, for reader: UserID, hides: (UserID) -> Bool) throws -> [UInt8] {
    let receipt = try first(
      "SELECT data ->> '$.room_id', data ->> '$.user_id', data ->> '$.delivered_seq' FROM events WHERE id = ?",
      [event.id]
    ) { row -> Receipt? in
      guard let room = RoomID(row[0] as String), let subject = UserID(row[1] as String) else { return nil }
      return Receipt(roomID: room, userID: subject, deliveredSeq: row[2], readSeq: 0)
    }
    guard let receipt = receipt ?? nil, receipt.userID != reader, hides(reader) || hides(receipt.userID) else {
      return event.data
    }
    var json = JSONWriter()
    json.value(receipt)
    return json.bytes
  }

  /// Whether everything after `id` is still in the log. A number that was never issued belongs to another database (an
  /// older backup was restored), so its reader cannot use this log.
  private func reaches(back id: EventID, last: EventID) throws -> Bool {
    if id == last { return true }
    guard (0..<max(last, 1)).contains(id), let oldest = try oldestEventID() else { return false }
    return id >= oldest - 1
  }

  private func oldestEventID() throws -> EventID? {
    try first("SELECT id FROM events ORDER BY id LIMIT 1") { $0[0] }
  }

  /// Trims the `step` oldest events, once the log holds that many more than it must keep.
  func trimEvents(keeping kept: Int, step: Int) throws {
    guard let oldest = try oldestEventID(), try lastEventID() - oldest + 1 >= EventID(kept + step) else { return }
    try inTransaction(.immediate) {
      try run("DELETE FROM events WHERE id < ?", [oldest + EventID(step)])
      return .commit
    }
  }
}

/// The events of one page of the log, which ends after `limit` events or before the one that exceeds `PageRules.bytes`:
/// the page may be read while an event loop waits.
private struct EventPage {
  let limit: Int
  var events: [LoggedEvent] = []
  /// For each event the room that it is a view of, if it is one.
  var rooms: [Int64?] = []
  /// For each event the message that it quotes, if it does.
  var quotes: [(room: Int64, seq: Int)?] = []
  private(set) var hasMore = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Reads rows of `Database.eventsOfReader`. The other recipients do not matter to this reader, and would cost a lookup
  /// of all members.
  mutating func read(from rows: consuming ResultCursor, for user: UserID) throws {
    var bytes = 0
    while let row = try rows.next() {
      let event = LoggedEvent(
        id: row[0], name: row[1], data: row[2], audience: row[3] ? .everyone : .user(user),
        isView: !row.isNull(4) || !row.isNull(5))
      bytes += event.data.count
      if bytes > PageRules.bytes, !events.isEmpty {
        hasMore = true
        return
      }
      events.append(event)
      rooms.append(row[4])
      quotes.append(row.isNull(5) ? nil : (room: row[5], seq: row[6]))
    }
    hasMore = events.count == limit
  }

  /// Ends the page before an event that has become too large for it. Returns whether it did.
  mutating func isFull(to index: Int) -> Bool {
    let bytes = events[...index].reduce(0) { $0 + $1.data.count }
    guard bytes > PageRules.bytes, index > 0 else { return false }
    events.removeLast(events.count - index)
    hasMore = true
    return true
  }
}
