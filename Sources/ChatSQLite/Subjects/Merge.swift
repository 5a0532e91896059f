import Chat
import GRDB

/// Merges a guest into the account that it turns out to belong to.
extension WriteTransaction {
  /// Transfers everything of the guest's to the person and removes the guest. Goes room by room, in the order in which
  /// they were created.
  func merge(_ guest: StoredUser, into person: StoredUser) throws {
    try reassign(from: guest, to: person)
    let rooms = try database.all(
      """
      SELECT r.key, r.id, iif(d.low = ?1, d.high, d.low) FROM memberships m JOIN rooms r ON r.key = m.room
      LEFT JOIN direct_rooms d ON d.room = r.key WHERE m.member = ?1 ORDER BY r.key
      """, [guest.key]
    ) { (room: RoomName(key: $0[0], id: $0.id(1)), peer: $0[2] as Int64?) }
    for (room, peer) in rooms {
      if let peer {
        try mergeDirect(room, of: guest, with: peer, into: person)
      } else {
        try mergeGroup(room, of: guest, into: person)
      }
    }
    try mergeBans(from: guest.key, to: person.key)
    try database.run("DELETE FROM events WHERE reader = ?", [guest.key])
    try database.run("DELETE FROM users WHERE key = ?", [guest.key])
  }

  /// Transfers reactions, pins and messages. Guests write messages only in the demo, whose peers are guests.
  private func reassign(from guest: StoredUser, to person: StoredUser) throws {
    try markIndexed(where: "s.sender = ?", [guest.key], by: person.user.id)
    let (guest, person) = (guest.key, person.key)
    try database.run("UPDATE messages SET sender = ? WHERE sender = ?", [person, guest])
    // The other's messages may be after either's read pointer.
    try database.run("UPDATE memberships SET has_own_unread = 1 WHERE member IN (?, ?)", [person, guest])
    try database.run("UPDATE messages SET forwarded_from = ? WHERE forwarded_from = ?", [person, guest])
    try database.run("UPDATE pins SET member = ? WHERE member = ?", [person, guest])
    for column in ["actor", "subject"] {
      try database.run("UPDATE room_changes SET \(column) = ? WHERE \(column) = ?", [person, guest])
    }
    try database.run("UPDATE bans SET banned_by = ? WHERE banned_by = ?", [person, guest])
    try database.run("UPDATE invitations SET inviter = ? WHERE inviter = ?", [person, guest])
    let mentioning = try database.all(
      """
      SELECT DISTINCT n.room, n.seq, r.id FROM mentions n JOIN rooms r ON r.key = n.room WHERE n.member IN (?, ?)
      """, [person, guest]
    ) { (room: $0[0] as Int64, seq: $0[1] as Int, id: $0.id(2) as RoomID) }
    for table in ["mentions", "hidden_messages", "reactions"] {
      // Both may have the same row.
      try database.run("UPDATE OR IGNORE \(table) SET member = ? WHERE member = ?", [person, guest])
      try database.run("DELETE FROM \(table) WHERE member = ?", [guest])
    }
    // A person cannot mention themselves.
    try database.run(
      """
      DELETE FROM mentions WHERE member = ?1 AND EXISTS (
        SELECT 1 FROM messages s WHERE s.room = mentions.room AND s.seq = mentions.seq AND s.sender = ?1)
      """, [person])
    for message in mentioning { try encodeAnew(message.seq, message.room, message.id) }
  }

  // MARK: Groups

  /// If both are members, the higher role stays; if the person is banned, the guest is removed.
  private func mergeGroup(_ room: RoomName, of guest: StoredUser, into person: StoredUser) throws {
    guard let role = try database.role(of: guest.key, in: room.key) else { return }
    let present = try database.role(of: person.key, in: room.key)
    if present == nil, try !database.isBanned(person.key, from: room.key) {
      return try handOver(room, from: guest, to: person, role)
    }
    try endMembership(of: guest, room)
    if let present {
      if role.outranks(present) { try set(role, of: person, room.key, room.id) }
    } else {
      try database.run("DELETE FROM hidden_messages WHERE member = ? AND room = ?", [person.key, room.key])
      if role == .owner { try succeed(room.key, room.id) }
    }
  }

  private func handOver(
    _ room: RoomName, from guest: StoredUser, to person: StoredUser, _ role: Room.Role
  ) throws {
    let columns = """
      read_seq, delivered_seq, cleared_seq, is_muted, is_pinned, draft, mention_level, joined_seq,
      has_own_unread, cleared_change
      """
    let kept: Arguments? = try database.first(
      "SELECT \(columns) FROM memberships WHERE room = ? AND member = ?", [room.key, guest.key]
    ) { row in
      [
        row[0] as Int, row[1] as Int, row[2] as Int, row[3] as Bool, row[4] as Bool, row[5] as String, row[6] as String,
        row[7] as Int, row[8] as Bool, row[9] as EventID,
      ]
    }
    guard let kept else { return }
    try endMembership(of: guest, room)
    try database.run(
      """
      INSERT INTO memberships (room, member, role, joined_event, \(columns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [room.key, person.key, role.rawValue, try database.lastEventID() + 1] + kept)
    audiences.forget(room.key)
    try logRoom(Event.roomCreated, room.key, reader: person.key, person.user.id)
    try logMember(person, role, room.key, room.id)
  }

  /// Without an event for the guest, who receives none.
  private func endMembership(of guest: StoredUser, _ room: RoomName) throws {
    try database.run("DELETE FROM memberships WHERE room = ? AND member = ?", [room.key, guest.key])
    audiences.forget(room.key)
    try logMember(guest, nil, room.key, room.id)
  }

  /// A ban of the guest applies to the person, unless they are a member.
  private func mergeBans(from guest: Int64, to person: Int64) throws {
    try database.run(
      """
      UPDATE OR IGNORE bans SET member = ?1 WHERE member = ?2 AND NOT EXISTS (
        SELECT 1 FROM memberships m WHERE m.room = bans.room AND m.member = ?1)
      """, [person, guest])
    try database.run("DELETE FROM bans WHERE member = ?", [guest])
  }
}

/// A room's key and id.
struct RoomName {
  var key: Int64
  var id: RoomID
}
