import Chat
import GRDB

/// A guest turns out to be somebody with an account: what waited for the one becomes the other's (A6, D7).
extension WriteTransaction {
  /// Makes all that is the guest's the person's, and the guest go. Room by room, in the order in which they were made.
  func merge(_ guest: StoredUser, into person: StoredUser) throws {
    try reassign(from: guest.key, to: person.key)
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

  /// What stands on messages, and the messages themselves. A guest writes nothing but in the demo, whose peers do.
  private func reassign(from guest: Int64, to person: Int64) throws {
    let written = try database.all(
      "SELECT room, seq, text FROM messages WHERE sender = ? AND deleted_at IS NULL ORDER BY room, seq", [guest]
    ) { (room: $0[0] as Int64, seq: $0[1] as Int, text: $0[2] as String) }
    for message in written {
      index(
        SearchChange(
          message.room, message.seq, sender: guest, text: message.text,
          movedTo: (message.room, message.seq, person)))
    }
    try database.run("UPDATE messages SET sender = ? WHERE sender = ?", [person, guest])
    // What the other wrote may stand after either's pointer.
    try database.run("UPDATE memberships SET has_own_unread = 1 WHERE member IN (?, ?)", [person, guest])
    try database.run("UPDATE messages SET forwarded_from = ? WHERE forwarded_from = ?", [person, guest])
    try database.run("UPDATE pins SET member = ? WHERE member = ?", [person, guest])
    try database.run("UPDATE bans SET banned_by = ? WHERE banned_by = ?", [person, guest])
    try database.run("UPDATE invitations SET inviter = ? WHERE inviter = ?", [person, guest])
    for table in ["mentions", "hidden_messages", "reactions"] {
      // Both may have stood there.
      try database.run("UPDATE OR IGNORE \(table) SET member = ? WHERE member = ?", [person, guest])
      try database.run("DELETE FROM \(table) WHERE member = ?", [guest])
    }
    // Nobody mentions himself.
    try database.run(
      """
      DELETE FROM mentions WHERE member = ?1 AND EXISTS (
        SELECT 1 FROM messages s WHERE s.room = mentions.room AND s.seq = mentions.seq AND s.sender = ?1)
      """, [person])
  }

  // MARK: Groups

  /// Where both are in, the higher role stays; where the person is kept out, the guest goes.
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
      has_own_unread
      """
    let kept: Arguments? = try database.first(
      "SELECT \(columns) FROM memberships WHERE room = ? AND member = ?", [room.key, guest.key]
    ) { row in
      [
        row[0] as Int, row[1] as Int, row[2] as Int, row[3] as Bool, row[4] as Bool, row[5] as String, row[6] as String,
        row[7] as Int, row[8] as Bool,
      ]
    }
    guard let kept else { return }
    try endMembership(of: guest, room)
    try database.run(
      """
      INSERT INTO memberships (room, member, role, joined_event, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [room.key, person.key, role.rawValue, try database.lastEventID() + 1] + kept)
    audiences.forget(room.key)
    try logRoom(Event.roomCreated, room.key, reader: person.key, person.user.id)
    try logMember(person, role, room.key, room.id)
  }

  /// Without a word to the guest himself, who hears nothing.
  private func endMembership(of guest: StoredUser, _ room: RoomName) throws {
    try database.run("DELETE FROM memberships WHERE room = ? AND member = ?", [room.key, guest.key])
    audiences.forget(room.key)
    try logMember(guest, nil, room.key, room.id)
  }

  /// Who was kept out as a guest is kept out, unless he is in.
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
