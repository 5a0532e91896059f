import Chat
import GRDB

/// The current transaction on the writer's thread, and the events it has logged so far.
///
/// Extensions contain the named writes, one for each writing function of the store. An error that they throw rolls back
/// only their own changes.
final class WriteTransaction {
  /// The connection; queries see the changes made so far.
  let database: Database
  let limits: StoreLimits
  /// The members of rooms, who receive its events.
  let audiences: RoomAudiences
  /// The events that the commit will publish, in the order of ids.
  private(set) var events: [LoggedEvent] = []
  /// The newest event before the transaction, once it has been read.
  private var eventIDBefore: EventID?
  /// Whether sessions were changed or ended.
  private(set) var hasChangedSessions = false
  /// The number of marks made for the search index, by person.
  private(set) var searchMarks: [UserID: Int] = [:]

  init(_ database: Database, limits: StoreLimits, audiences: RoomAudiences) {
    self.database = database
    self.limits = limits
    self.audiences = audiences
  }

  /// A position in the transaction.
  struct Mark {
    fileprivate var events: Int
  }

  /// The current position, to be taken before a write that may be rolled back.
  var mark: Mark { Mark(events: events.count) }

  /// Forgets what a rolled-back write has left behind.
  func forget(after mark: Mark) {
    events.removeLast(events.count - mark.events)
    audiences.undo()
  }

  /// Records that sessions will be changed or ended, other than by a new one.
  func changeSessions() {
    hasChangedSessions = true
  }

  /// Records that messages were marked for the search index by this person's action.
  func noteSearchMark(by user: UserID) {
    searchMarks[user, default: 0] += 1
  }

  /// The newest event's number, as the current transaction sees it.
  func lastEventID() throws -> EventID {
    // A rolled-back write's events have been removed from the list.
    if let last = events.last { return last.id }
    let known = try eventIDBefore ?? database.lastEventID()
    eventIDBefore = known
    return known
  }

  /// Logs an event for everyone.
  func logForEveryone(_ event: Event) throws {
    try log(event, .everyone)
  }

  /// Logs an event for one person's devices.
  func log(_ event: Event, reader: Int64, _ id: UserID) throws {
    try log(event, .user(id), reader: reader)
  }

  /// Logs a room as one of its members sees it now, for that person's devices. The log refers to the last message, which
  /// a replay quotes as it is then: its text is in the log once, however often the room is told of.
  func logRoom(_ event: (Room) -> Event, _ room: Int64, reader: Int64, _ id: UserID) throws {
    var view = try database.room(room, for: reader)
    var live = JSONWriter(capacity: 1024)
    live.value(event(view))
    let seq = view.lastMessage?.seq
    view.lastMessage = nil
    try log(event(view), .user(id), reader: reader, seq: seq, quotes: seq == nil ? nil : room, live: live.bytes)
  }

  /// Logs for a person's devices that a room is gone, without its last message, which they may not see any more.
  func logGone(_ room: Room, _ removal: Removal? = nil, reader: Int64, _ id: UserID) throws {
    var room = room
    room.lastMessage = nil
    try log(.roomRemoved(room, removal), reader: reader, id)
  }

  /// Logs once for all members of a room what its own properties are now; `Database.events` makes each reader's view of
  /// the room of it. `name` is that of the event.
  func logRoom(_ name: String, _ room: Int64, _ seen: Room) throws {
    var json = JSONWriter()
    json.change(of: seen)
    let members = try audiences.members(of: room, in: database)
    try log(name, json.bytes, .members(seen.id, members), room: room, isView: true)
  }

  /// Logs an event for the members of a room; `seq` is the message that it quotes.
  func log(_ event: Event, room: Int64, _ id: RoomID, seq: Int? = nil) throws {
    try log(event, room: room, id, members: audiences.members(of: room, in: database), seq: seq)
  }

  /// Logs an event for a room whose members are known already.
  func log(_ event: Event, room: Int64, _ id: RoomID, members: [UserID], seq: Int? = nil) throws {
    try log(event, .members(id, members), room: room, seq: seq)
  }

  /// Encodes the event once for all its readers and stores the bytes, so that a replay repeats exactly what was live.
  /// `quotes` is the room that message `seq` is quoted from, in `live` only.
  private func log(
    _ event: Event, _ audience: Audience, room: Int64? = nil, reader: Int64? = nil, seq: Int? = nil,
    quotes: Int64? = nil, live: [UInt8]? = nil
  ) throws {
    var json = JSONWriter(capacity: 512)
    json.value(event)
    try log(event.name, json.bytes, audience, room: room, reader: reader, seq: seq, quotes: quotes, live: live)
  }

  private func log(
    _ name: String, _ data: [UInt8], _ audience: Audience, room: Int64?, reader: Int64? = nil, seq: Int? = nil,
    quotes: Int64? = nil, live: [UInt8]? = nil, isView: Bool = false
  ) throws {
    try database.run(
      "INSERT INTO events (name, room, reader, seq, quoted_room, data) VALUES (?, ?, ?, ?, ?, ?)",
      [name, room, reader, seq, quotes, UTF8Text(bytes: data)])
    events.append(
      LoggedEvent(id: database.lastInsertedRowID, name: name, data: live ?? data, audience: audience, isView: isView))
  }
}
