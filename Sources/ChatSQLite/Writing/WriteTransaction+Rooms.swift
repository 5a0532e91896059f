import Chat
import GRDB

extension WriteTransaction {
  func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) throws -> (room: Room, isNew: Bool) {
    let pair = try database.pair(user, peer)
    if let room = try database.directRoom(pair.user, pair.peer) {
      return (try database.room(room, for: pair.user), false)
    }
    try database.run(
      """
      INSERT INTO rooms (id, kind, name, topic, last_seq, created_at, updated_at, position)
      VALUES (?, 'direct', '', '', 0, ?, ?, ?)
      """, [newID, time.milliseconds, time.milliseconds, database.lastEventID() + 1])
    let room = database.lastInsertedRowID
    try database.run(
      "INSERT INTO direct_rooms (low, high, room) VALUES (?, ?, ?)",
      [min(pair.user, pair.peer), max(pair.user, pair.peer), room])
    let members = [(pair.user, user), (pair.peer, peer)]
    for (member, _) in members {
      try database.run("INSERT INTO memberships (room, member, role) VALUES (?, ?, 'member')", [room, member])
    }
    audiences.forget(room)
    for (member, id) in members {
      // Each sees the other as the room's peer, so each is told in his own words.
      try logRoom(Event.roomCreated, room, reader: member, id)
    }
    return (try database.room(room, for: pair.user), true)
  }
}

extension Database {
  /// The keys of two different people.
  func pair(_ user: UserID, _ peer: UserID) throws -> (user: Int64, peer: Int64) {
    guard user != peer else {
      throw ChatError.invalid([
        FieldError(field: "user_id", code: "invalid", detail: "A chat is with somebody else than yourself.")
      ])
    }
    guard let user = try self.user(user)?.key, let peer = try self.user(peer)?.key else { throw ChatError.notFound }
    return (user, peer)
  }
}
