import Chat
import GRDB

/// The chats of a guest who turns out to be somebody with an account.
extension WriteTransaction {
  /// The chat becomes the person's; where the two have one already, what waits comes at its end.
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

  /// The person takes the guest's place. What happened before is not replayed to him, as to whoever is let in.
  private func takeOver(
    _ room: RoomName, from guest: StoredUser, to person: StoredUser, _ peer: StoredUser
  ) throws {
    try database.run(
      "UPDATE memberships SET member = ?, joined_event = ?, hidden_seq = -1 WHERE room = ? AND member = ?",
      [person.key, try database.lastEventID() + 1, room.key, guest.key])
    try database.run(
      "UPDATE direct_rooms SET low = ?, high = ? WHERE room = ?",
      [min(person.key, peer.key), max(person.key, peer.key), room.key])
    audiences.forget(room.key)
    try logRoom(Event.roomCreated, room.key, reader: person.key, person.user.id)
    if try !database.room(room.key, for: peer.key).isHidden {
      try logRoom(Event.roomUpdated, room.key, reader: peer.key, peer.user.id)
    }
  }

  /// The person has written to himself: nobody has such a chat.
  private func dissolve(_ room: RoomName, of person: StoredUser) throws {
    try tellGone(room, to: person)
    let texts = try database.all(
      "SELECT seq, sender, text FROM messages WHERE room = ? AND deleted_at IS NULL ORDER BY seq", [room.key]
    ) { (seq: $0[0] as Int, sender: $0[1] as Int64, text: $0[2] as String) }
    for message in texts {
      index(SearchChange(room.key, message.seq, sender: message.sender, from: message.text, to: nil))
    }
    for table in ["mentions", "hidden_messages", "reactions", "pins", "messages"] {
      try database.run("DELETE FROM \(table) WHERE room = ?", [room.key])
    }
    try empty(room)
  }

  /// Takes a chat from somebody's list, without a word of what was said in it: that has another place from now on.
  func tellGone(_ room: RoomName, to reader: StoredUser, now: User? = nil) throws {
    var view = try database.room(room.key, for: reader.key)
    guard !view.isHidden else { return }
    view.lastMessage = nil
    if let now { (view.peer, view.name) = (now, now.name) }
    try log(.roomRemoved(view), reader: reader.key, reader.user.id)
  }

  /// Nobody is in the room any more, and nothing; its row stays, since the search index may still name it until the commit.
  func empty(_ room: RoomName) throws {
    // What was told of its messages would not hear of their deletion.
    try database.run("DELETE FROM events WHERE room = ?", [room.key])
    try database.run("DELETE FROM events WHERE quoted_room = ?", [room.key])
    try database.run("DELETE FROM memberships WHERE room = ?", [room.key])
    try database.run("DELETE FROM direct_rooms WHERE room = ?", [room.key])
    try database.run("UPDATE rooms SET last_seq = 0 WHERE key = ?", [room.key])
    audiences.forget(room.key)
  }
}

/// Brings the messages of a guest's chat to the end of the chat that the person has with the same peer.
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
    try transaction.empty(old)
    if count > 0 { try renew(lastSeq + count) }
    try tell(lastSeq, count)
  }

  private func lastNumber(in room: RoomName) throws -> Int {
    try database.first("SELECT last_seq FROM rooms WHERE key = ?", [room.key]) { $0[0] } ?? 0
  }

  /// Whether a member of the old chat sees anything in it; hidden messages go by the person already.
  private func hasSomethingToShow(_ member: Int64) throws -> Bool {
    let reader = member == guest.key ? person.key : member
    return try database.exists(
      """
      SELECT 1 FROM messages s JOIN memberships m ON m.room = s.room AND m.member = ?2
      WHERE s.room = ?1 AND s.seq > m.cleared_seq AND NOT EXISTS (
        SELECT 1 FROM hidden_messages h WHERE h.member = ?3 AND h.room = s.room AND h.seq = s.seq) LIMIT 1
      """, [old.key, member, reader])
  }

  /// Whoever took the chat off his list gets it back, before he hears of what comes (L4).
  private func showAgain(_ reader: StoredUser) throws {
    guard try database.room(new.key, for: reader.key).isHidden else { return }
    try database.run(
      "UPDATE memberships SET hidden_seq = -1 WHERE room = ? AND member = ?", [new.key, reader.key])
    try transaction.logRoom(Event.roomCreated, new.key, reader: reader.key, reader.user.id)
  }

  /// What the old chat was to a member: what he had cleared stays out of his sight, a chat that was pinned is, and where he
  /// had read the new one to its end he has read as much of what comes.
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
      """, [old.key, member, new.key, lastSeq, ViewRules.longestDraft, reader])
  }

  private func moveMessages(behind lastSeq: Int) throws {
    let texts = try database.all(
      "SELECT seq, sender, iif(deleted_at IS NULL, text, NULL) FROM messages WHERE room = ? ORDER BY seq", [old.key]
    ) { (seq: $0[0] as Int, sender: $0[1] as Int64, text: $0[2] as String?) }
    for message in texts {
      transaction.index(
        SearchChange(
          old.key, message.seq, sender: message.sender, text: message.text,
          movedTo: (new.key, message.seq + lastSeq, message.sender)))
    }
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
      """, [new.key, ViewRules.mostPins])
  }

  private func renew(_ lastSeq: Int) throws {
    try database.run(
      """
      UPDATE rooms SET last_seq = ?1, position = ?2,
        updated_at = max(updated_at, (SELECT o.updated_at FROM rooms o WHERE o.key = ?4)) WHERE key = ?3
      """, [lastSeq, try database.lastEventID() + 1, new.key, old.key])
  }

  /// Each message as if it came now, with what stands on it; then to each of the two what the chat is to him.
  private func tell(_ lastSeq: Int, _ count: Int) throws {
    for seq in lastSeq + 1..<lastSeq + count + 1 {
      let message = try database.message(inRoom: new.key, new.id, seq)
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

extension Database {
  /// A message for everybody, without marks.
  fileprivate func message(inRoom room: Int64, _ id: RoomID, _ seq: Int) throws -> Message {
    let stored = try first(
      "SELECT \(StoredMessage.columns) FROM messages s WHERE s.room = ? AND s.seq = ?", [room, seq]
    ) { StoredMessage($0) }
    guard let stored else { throw ChatError.notFound }
    var people = PeopleSeen()
    var message = try message(stored, in: id, &people)
    message.mentions = try mentions(room, seq...seq)[seq] ?? []
    return message
  }
}
