import Chat
import GRDB

/// A transaction under way on the writer's thread, and the events that it has logged so far.
///
/// Extensions hold the named writes, one for each function of the store that writes. What they throw takes back only
/// their own changes.
final class WriteTransaction {
  /// The connection; queries see the changes made so far.
  let database: Database
  /// Asked where a person is written as JSON.
  let presence: any PresenceReading
  /// The store's limits.
  let limits: StoreLimits
  /// Who is told what happens in a room.
  let audiences: RoomAudiences
  /// Words of the search index.
  let searchTerms: KnownTerms
  /// What the commit will tell, in the order of ids.
  private(set) var events: [LoggedEvent] = []
  /// The newest event before the transaction, once that was asked for.
  private var eventIDBefore: EventID?
  /// Whether sessions were changed or ended.
  private(set) var hasChangedSessions = false
  /// What the search index must be told before the commit.
  private var searchChanges: [SearchChange] = []

  init(
    _ database: Database, presence: any PresenceReading, limits: StoreLimits, audiences: RoomAudiences,
    searchTerms: KnownTerms
  ) {
    self.database = database
    self.presence = presence
    self.limits = limits
    self.audiences = audiences
    self.searchTerms = searchTerms
  }

  /// How far the transaction has come.
  struct Mark {
    fileprivate var events: Int
    fileprivate var searchChanges: Int
  }

  /// Before a write that may be taken back.
  var mark: Mark { Mark(events: events.count, searchChanges: searchChanges.count) }

  /// Forgets what a write that was taken back has left behind.
  func forget(after mark: Mark) {
    events.removeLast(events.count - mark.events)
    searchChanges.removeLast(searchChanges.count - mark.searchChanges)
    audiences.undo()
  }

  /// Sessions will be changed or ended, other than by a new one.
  func changeSessions() {
    hasChangedSessions = true
  }

  /// The number of the newest event, as the transaction under way sees it.
  func lastEventID() throws -> EventID {
    // Those of a write that was taken back are not among them any more.
    if let last = events.last { return last.id }
    let known = try eventIDBefore ?? database.lastEventID()
    eventIDBefore = known
    return known
  }

  /// Has a change of a message's text brought into the search index when the transaction ends.
  func index(_ change: SearchChange) {
    searchChanges.append(change)
  }

  /// Brings the search index up to the messages, once for all writes: the index writes a segment at each savepoint, so
  /// that within the writes' own it would write one a message.
  func updateSearchIndex() throws {
    guard !searchChanges.isEmpty else { return }
    try SearchIndex(database: database, known: searchTerms).apply(searchChanges)
    searchChanges = []
  }

  /// Logs an event that everyone is told.
  func logForEveryone(_ event: Event) throws {
    try log(event, .everyone)
  }

  /// Logs an event for one person's devices.
  func log(_ event: Event, reader: Int64, _ id: UserID) throws {
    try log(event, .user(id), reader: reader)
  }

  /// Logs a room as one of its members sees it now, for that person's devices.
  func logRoom(_ event: (Room) -> Event, _ room: Int64, reader: Int64, _ id: UserID) throws {
    let view = try database.room(room, for: reader)
    let quoted = view.lastMessage.map { (room: room, seq: $0.seq) }
    try log(event(view), .user(id), reader: reader, quoted: quoted)
  }

  /// Logs an event for the members of a room; `seq` is the message that it quotes.
  func log(_ event: Event, room: Int64, _ id: RoomID, seq: Int? = nil) throws {
    try log(event, room: room, id, members: audiences.members(of: room, in: database), seq: seq)
  }

  /// Logs an event for the members of a room, who are known already.
  func log(_ event: Event, room: Int64, _ id: RoomID, members: [UserID], seq: Int? = nil) throws {
    try log(event, .members(id, members), room: room, seq: seq)
  }

  /// Encodes the event, once for all its readers, and keeps the text so that a replay is to the byte what was live.
  private func log(
    _ event: Event, _ audience: Audience, room: Int64? = nil, reader: Int64? = nil, seq: Int? = nil,
    quoted: (room: Int64, seq: Int)? = nil
  ) throws {
    var json = JSONWriter(capacity: 512)
    json.value(event, presence)
    try database.run(
      "INSERT INTO events (name, room, reader, seq, quoted_room, data) VALUES (?, ?, ?, ?, ?, ?)",
      [event.name, room, reader, quoted?.seq ?? seq, quoted?.room, UTF8Text(bytes: json.bytes)])
    events.append(
      LoggedEvent(id: database.lastInsertedRowID, name: event.name, data: json.bytes, audience: audience))
  }
}
