import Chat
import GRDB

/// Merges the chats of a guest who turns out to have an account.
extension WriteTransaction {
  /// Turns the guest's chat into the person's; if there is one already, appends the guest's messages to it.
  func mergeDirect(
    _ room: RoomName, of guest: StoredUser, with peerKey: Int64, into person: StoredUser
  ) throws {
    guard let peer = try database.user(key: peerKey) else { throw ChatError.notFound }
    if peer.key == person.key { return try dissolve(room, of: person) }
    guard let present = try database.directRoom(person.key, peer.key) else {
      return try takeOver(room, from: guest, to: person, peer)
    }
    let id = try database.first("SELECT id FROM rooms WHERE key = ?", [present]) { $0.id(0) as RoomID }
    guard let id else { throw ChatError.notFound }
    try ChatMerge(
      transaction: self, old: room, new: RoomName(key: present, id: id), guest: guest, person: person, peer: peer
    ).run()
  }

  /// The person replaces the guest. Like a new member, they get no replay of earlier events. A chat without messages stays
  /// hidden until its first one.
  private func takeOver(
    _ room: RoomName, from guest: StoredUser, to person: StoredUser, _ peer: StoredUser
  ) throws {
    let isEmpty = try database.exists("SELECT 1 FROM rooms WHERE key = ? AND last_seq = 0", [room.key])
    try database.run(
      "UPDATE memberships SET member = ?, joined_event = ?, hidden_seq = ? WHERE room = ? AND member = ?",
      [person.key, try database.lastEventID() + 1, isEmpty ? 0 : -1, room.key, guest.key])
    try database.run(
      "UPDATE direct_rooms SET low = ?, high = ? WHERE room = ?",
      [min(person.key, peer.key), max(person.key, peer.key), room.key])
    audiences.forget(room.key)
    if !isEmpty { try logRoom(Event.roomCreated, room.key, reader: person.key, person.user.id) }
    if try !database.room(room.key, for: peer.key).isHidden {
      try logRoom(Event.roomUpdated, room.key, reader: peer.key, peer.user.id)
    }
  }

  /// The person has written to themselves, and there are no such chats.
  private func dissolve(_ room: RoomName, of person: StoredUser) throws {
    try tellGone(room, to: person)
    try markIndexed(where: "s.room = ?", [room.key], by: person.user.id)
    try removeNumbers(of: room.key)
    for table in ["mentions", "hidden_messages", "reactions", "pins", "messages"] {
      try database.run("DELETE FROM \(table) WHERE room = ?", [room.key])
    }
    try remove(room)
  }

  /// Removes a chat from somebody's list, without reporting its messages as deleted: they have moved to another chat.
  func tellGone(_ room: RoomName, to reader: StoredUser, now: User? = nil) throws {
    var view = try database.room(room.key, for: reader.key)
    guard !view.isHidden else { return }
    if let now { (view.peer, view.name) = (now, now.name) }
    try logGone(view, reader: reader.key, reader.user.id)
  }

  /// Removes a room that has no messages left.
  func remove(_ room: RoomName) throws {
    // Logged events would otherwise outlive their messages.
    try database.run("DELETE FROM events WHERE room = ?", [room.key])
    try database.run("DELETE FROM events WHERE quoted_room = ?", [room.key])
    try database.run("DELETE FROM memberships WHERE room = ?", [room.key])
    try database.run("DELETE FROM direct_rooms WHERE room = ?", [room.key])
    try database.run("DELETE FROM rooms WHERE key = ?", [room.key])
    audiences.forget(room.key)
  }
}

/// Appends the messages of a guest's chat to the person's chat with the same peer.
struct ChatMerge {
  let transaction: WriteTransaction
  let old: RoomName
  let new: RoomName
  let guest: StoredUser
  let person: StoredUser
  let peer: StoredUser

  private var database: Database { transaction.database }

  func run() throws {
    try transaction.tellGone(old, to: peer, now: person.user)
    let lastSeq = try lastNumber(in: new)
    let count = try lastNumber(in: old)
    let shown = try [person, peer].filter { try hasSomethingToShow($0.key == person.key ? guest.key : $0.key) }
    for reader in shown.sorted(by: { $0.key < $1.key }) { try showAgain(reader) }
    try moveView(of: guest.key, to: person.key, lastSeq, count)
    try moveView(of: peer.key, to: peer.key, lastSeq, count)
    try moveMessages(behind: lastSeq)
    if count > 0 { try renew(lastSeq + count) }
    try transaction.remove(old)
    try tell(lastSeq, count)
  }

  private func lastNumber(in room: RoomName) throws -> Int {
    try database.first("SELECT last_seq FROM rooms WHERE key = ?", [room.key]) { $0[0] } ?? 0
  }

  /// Whether a member of the old chat can see anything in it; hidden messages have been moved to the person already.
  private func hasSomethingToShow(_ member: Int64) throws -> Bool {
    let reader = member == guest.key ? person.key : member
    return try database.exists(
      """
      SELECT 1 FROM messages s JOIN memberships m ON m.room = s.room AND m.member = ?2
      WHERE s.room = ?1 AND s.seq > m.cleared_seq AND NOT EXISTS (
        SELECT 1 FROM hidden_messages h WHERE h.member = ?3 AND h.room = s.room AND h.seq = s.seq) LIMIT 1
      """, [old.key, member, reader])
  }

  /// A member who removed the chat from their list gets it back before the messages.
  private func showAgain(_ reader: StoredUser) throws {
    guard try database.room(new.key, for: reader.key).isHidden else { return }
    try database.run(
      "UPDATE memberships SET hidden_seq = -1 WHERE room = ? AND member = ?", [new.key, reader.key])
    try transaction.logRoom(Event.roomCreated, new.key, reader: reader.key, reader.user.id)
  }

  /// Transfers a member's view of the old chat: cleared messages stay invisible, a pinned chat stays pinned, and if
  /// they had read the new chat to its end, the appended messages they had read count as read.
  private func moveView(of member: Int64, to reader: Int64, _ lastSeq: Int, _ count: Int) throws {
    try database.run(
      """
      INSERT OR IGNORE INTO hidden_messages (member, room, seq)
      SELECT ?1, s.room, s.seq FROM messages s JOIN memberships m ON m.room = s.room AND m.member = ?2
      WHERE s.room = ?3 AND s.seq <= m.cleared_seq
      """, [reader, member, old.key])
    try database.run(
      """
      UPDATE memberships AS n SET
        is_pinned = max(n.is_pinned, o.is_pinned), has_own_unread = 1,
        draft = CASE WHEN o.draft = '' THEN n.draft WHEN n.draft = '' THEN o.draft
          WHEN length(n.draft) + length(o.draft) < ?5 THEN n.draft || char(10) || o.draft ELSE n.draft END,
        read_seq = iif(o.read_seq > 0 AND max(n.read_seq, n.cleared_seq) >= ?4, ?4 + o.read_seq, n.read_seq),
        delivered_seq = max(
          iif(o.delivered_seq > 0 AND n.delivered_seq >= ?4, ?4 + o.delivered_seq, n.delivered_seq),
          iif(o.read_seq > 0 AND max(n.read_seq, n.cleared_seq) >= ?4, ?4 + o.read_seq, n.read_seq))
      FROM memberships o WHERE o.room = ?1 AND o.member = ?2 AND n.room = ?3 AND n.member = ?6
      """, [old.key, member, new.key, lastSeq, MessageRules.longestText, reader])
  }

  private func moveMessages(behind lastSeq: Int) throws {
    try transaction.markIndexed(where: "s.room = ?", [old.key], by: person.user.id)
    try transaction.moveNumbers(from: old.key, to: new.key, behind: lastSeq)
    try database.run(
      "UPDATE messages SET room = ?1, seq = seq + ?2, reply_to = reply_to + ?2 WHERE room = ?3",
      [new.key, lastSeq, old.key])
    for table in ["mentions", "hidden_messages", "reactions", "pins"] {
      try database.run(
        "UPDATE \(table) SET room = ?1, seq = seq + ?2 WHERE room = ?3", [new.key, lastSeq, old.key])
    }
    try database.run(
      """
      DELETE FROM pins WHERE room = ?1 AND seq NOT IN (
        SELECT seq FROM pins WHERE room = ?1 ORDER BY event DESC LIMIT ?2)
      """, [new.key, MessageRules.mostPins])
  }

  private func renew(_ lastSeq: Int) throws {
    try database.run(
      """
      UPDATE rooms SET last_seq = ?1, position = ?2,
        updated_at = max(updated_at, (SELECT o.updated_at FROM rooms o WHERE o.key = ?4)) WHERE key = ?3
      """, [lastSeq, try database.lastEventID() + 1, new.key, old.key])
  }

  /// Reports each message as new, with its reactions and pins; then the chat to each of the two.
  private func tell(_ lastSeq: Int, _ count: Int) throws {
    let faces = Faces()
    for seq in lastSeq + 1..<lastSeq + count + 1 {
      let message = try transaction.encodeAnew(seq, new.key, new.id, faces)
      try transaction.log(.messageCreated(message), room: new.key, new.id, seq: seq)
    }
    try tellMarks(above: lastSeq)
    for reader in [person, peer].sorted(by: { $0.key < $1.key }) {
      guard try !database.room(new.key, for: reader.key).isHidden else { continue }
      try transaction.logRoom(Event.roomUpdated, new.key, reader: reader.key, reader.user.id)
    }
  }

  private func tellMarks(above lastSeq: Int) throws {
    let reactions = try database.all(
      """
      SELECT x.seq, x.emoji, u.id, count(*) OVER (PARTITION BY x.seq, x.emoji ORDER BY x.event)
      FROM reactions x JOIN users u ON u.key = x.member WHERE x.room = ? AND x.seq > ? ORDER BY x.event
      """, [new.key, lastSeq]
    ) {
      Event.reactionChanged(
        MessageAddress(roomID: new.id, seq: $0[0]), emoji: $0[1], userID: $0.id(2), isAdded: true, count: $0[3])
    }
    let pins = try database.all(
      """
      SELECT p.seq, u.id, p.pinned_at FROM pins p JOIN users u ON u.key = p.member WHERE p.room = ? AND p.seq > ?
      ORDER BY p.event
      """, [new.key, lastSeq]
    ) { Event.pinChanged(MessageAddress(roomID: new.id, seq: $0[0]), userID: $0.id(1), pinnedAt: $0.time(2)) }
    for event in reactions + pins { try transaction.log(event, room: new.key, new.id) }
  }
}
