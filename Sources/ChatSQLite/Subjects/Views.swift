import Chat
import GRDB

extension SQLiteStore {
  @discardableResult
  package func changeView(of room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room {
    try await write { try $0.changeView(of: room, for: user, change) }
    return try await self.room(room, for: user).value
  }

  package func clear(_ room: RoomID, for user: UserID) async throws {
    try await write { try $0.clear(room, for: user) }
  }

  package func hide(_ room: RoomID, for user: UserID) async throws {
    try await write { try $0.hide(room, for: user) }
  }

  package func hideMessage(_ address: MessageAddress, for user: UserID) async throws {
    try await write { try $0.hideMessage(address, for: user) }
  }

  package func react(
    to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool
  ) async throws {
    try await write { try $0.react(to: address, with: emoji, by: user, isAdded: isAdded) }
  }

  package func reactions(
    to address: MessageAddress, for user: UserID
  ) async throws -> [(emoji: String, users: [User])] {
    try await readElsewhere { database in
      let membership = try database.membership(in: address.roomID, of: user)
      _ = try database.message(address.seq, visibleTo: membership)
      return try database.reactions(to: address.seq, membership.room)
    }
  }

  package func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) async throws {
    try await write { try $0.pin(address, by: user, at: time, isAdded: isAdded) }
  }

  package func pins(in room: RoomID, for user: UserID) async throws -> [Message] {
    try await readElsewhere { [caches] database in
      let faces = Faces(caches)
      return try database.pins(database.membership(in: room, of: user), room, faces)
    }
  }
}

/// The additions to messages: mentions, reactions, pins.
extension Database {
  private static let mentionsOfMessages = """
    SELECT n.seq, u.id FROM mentions n INDEXED BY mentions_by_message JOIN users u ON u.key = n.member
    WHERE n.room = ? AND n.seq BETWEEN ? AND ? ORDER BY u.id
    """
  private static let reactionsToMessages = """
    SELECT seq, emoji, count(*), max(member = ?1) FROM reactions WHERE room = ?2 AND seq BETWEEN ?3 AND ?4
    GROUP BY seq, emoji ORDER BY seq, min(event)
    """
  private static let pinnedMessages = """
    SELECT \(StoredMessage.columns) FROM pins p JOIN messages s ON s.room = p.room AND s.seq = p.seq
    WHERE p.room = ?1 AND p.seq > ?2 AND NOT EXISTS (
      SELECT 1 FROM hidden_messages h WHERE h.member = ?3 AND h.room = p.room AND h.seq = p.seq)
    ORDER BY p.event DESC
    """
  private static let pinsOfMessages = "SELECT seq, pinned_at FROM pins WHERE room = ? AND seq BETWEEN ? AND ?"

  /// Whether `messages s` has anything that `complete` adds, in SQL; most messages have not, and need no further query.
  static let hasMore = """
    (EXISTS (SELECT 1 FROM mentions n INDEXED BY mentions_by_message WHERE n.room = s.room AND n.seq = s.seq)
      OR EXISTS (SELECT 1 FROM reactions x WHERE x.room = s.room AND x.seq = s.seq)
      OR EXISTS (SELECT 1 FROM pins x WHERE x.room = s.room AND x.seq = s.seq))
    """

  /// Adds mentions, reactions and pins to messages of one room, ascending by number.
  func complete(_ messages: inout [Message], _ membership: Membership) throws {
    guard let low = messages.first?.seq, let high = messages.last?.seq else { return }
    let mentions = try mentions(membership.room, low...high)
    var marks: [Int: MessageMarks] = [:]
    try each(Self.reactionsToMessages, [membership.member, membership.room, low, high]) { row in
      marks[row[0], default: MessageMarks()].reactions.append(
        MessageMarks.Reaction(emoji: row[1], count: row[2], isMine: row[3]))
    }
    try each(Self.pinsOfMessages, [membership.room, low, high]) { row in
      marks[row[0], default: MessageMarks()].pinnedAt = row.time(1)
    }
    for index in messages.indices {
      let seq = messages[index].seq
      messages[index].mentions = mentions[seq] ?? []
      messages[index].marks = marks[seq] ?? MessageMarks()
    }
  }

  /// The people mentioned by each message, in the order of their ids.
  func mentions(_ room: Int64, _ seqs: ClosedRange<Int>) throws -> [Int: [UserID]] {
    var mentions: [Int: [UserID]] = [:]
    try each(Self.mentionsOfMessages, [room, seqs.lowerBound, seqs.upperBound]) { row in
      mentions[row[0], default: []].append(row.id(1))
    }
    return mentions
  }

  /// The reactions to a message; emoji and people in the order in which they came.
  func reactions(to seq: Int, _ room: Int64) throws -> [(emoji: String, users: [User])] {
    let rows = try all("SELECT emoji, member FROM reactions WHERE room = ? AND seq = ? ORDER BY event", [room, seq]) {
      (emoji: $0[0] as String, member: $0[1] as Int64)
    }
    var found: [(emoji: String, users: [User])] = []
    for (row, user) in zip(rows, try users(rows.map(\.member))) {
      if let index = found.firstIndex(where: { $0.emoji == row.emoji }) {
        found[index].users.append(user)
      } else {
        found.append((row.emoji, [user]))
      }
    }
    return found
  }

  /// The pinned messages that a member can see, last pinned first.
  func pins(_ membership: Membership, _ room: RoomID, _ faces: Faces) throws -> [Message] {
    let stored = try all(Self.pinnedMessages, [membership.room, membership.clearedSeq, membership.member]) {
      StoredMessage($0)
    }
    return try stored.map { stored in
      var messages = [try message(stored, in: room, faces)]
      try complete(&messages, membership)
      return messages[0]
    }
  }

  /// Starts from the few people with this handle; starting from the room would visit all its members.
  static let membersByHandle = """
    SELECT u.key, u.id FROM handles h CROSS JOIN memberships m ON m.room = ?1 AND m.member = h.member
      JOIN users u ON u.key = h.member
    WHERE h.handle_key = ?2 AND h.member <> ?3
    """

  /// The members of a room mentioned in a text, except its sender, in the order of their ids.
  func mentioned(in text: String, _ membership: Membership) throws -> [(key: Int64, id: UserID)] {
    var found: [(key: Int64, id: UserID)] = []
    for handle in Mentions.handles(in: text) {
      let person = try first(Self.membersByHandle, [membership.room, handle, membership.member]) {
        (key: $0[0] as Int64, id: $0.id(1) as UserID)
      }
      // The text may call somebody by two handles.
      if let person, !found.contains(where: { $0.key == person.key }) { found.append(person) }
    }
    return Array(found.sorted { $0.id < $1.id }.prefix(MessageRules.mostMentions))
  }
}

/// A member's own view of a room.
extension WriteTransaction {
  func changeView(of id: RoomID, for user: UserID, _ change: RoomViewChange) throws {
    let membership = try database.membership(in: id, of: user)
    try database.run(
      """
      UPDATE memberships SET is_muted = coalesce(?1, is_muted), is_pinned = coalesce(?2, is_pinned),
        mention_level = coalesce(?3, mention_level)
      WHERE room = ?4 AND member = ?5 AND (is_muted <> ?1 OR is_pinned <> ?2 OR mention_level <> ?3)
      """,
      [change.isMuted, change.isPinned, change.mentionLevel?.rawValue, membership.room, membership.member])
    if database.changesCount > 0 {
      try logRoom(Event.roomUpdated, membership.room, reader: membership.member, user)
    }
    guard let draft = change.draft else { return }
    try database.run(
      "UPDATE memberships SET draft = ?1 WHERE room = ?2 AND member = ?3 AND draft <> ?1",
      [draft, membership.room, membership.member])
    if database.changesCount > 0 {
      try log(.draftUpdated(roomID: id, draft: draft), reader: membership.member, user)
    }
  }

  func clear(_ id: RoomID, for user: UserID) throws {
    let membership = try database.membership(in: id, of: user)
    let lastChange = try database.lastChange(in: membership.room)
    guard membership.clearedSeq < membership.lastSeq || membership.clearedChange < lastChange else { return }
    try clear(membership)
    try logRoom(Event.roomUpdated, membership.room, reader: membership.member, user)
  }

  func hide(_ id: RoomID, for user: UserID) throws {
    let membership = try database.membership(in: id, of: user)
    guard !membership.isHidden else { return }
    try clear(membership)
    try database.run(
      "UPDATE memberships SET hidden_seq = ?, is_pinned = 0, draft = '' WHERE room = ? AND member = ?",
      [membership.lastSeq, membership.room, membership.member])
    try logGone(database.room(membership.room, for: membership.member), reader: membership.member, user)
  }

  func hideMessage(_ address: MessageAddress, for user: UserID) throws {
    let membership = try database.membership(in: address.roomID, of: user)
    _ = try database.message(address.seq, visibleTo: membership)
    let count: Int? = try database.first(
      "SELECT count(*) FROM hidden_messages WHERE member = ? AND room = ?", [membership.member, membership.room]
    ) { $0[0] }
    guard count ?? 0 < MessageRules.mostHiddenMessages else {
      throw ChatError.conflict("Too many messages are hidden in this chat. Clear the chat instead.")
    }
    try database.run(
      "INSERT INTO hidden_messages (member, room, seq) VALUES (?, ?, ?)",
      [membership.member, membership.room, address.seq])
    try log(.messageHidden(address), reader: membership.member, user)
  }

  /// The member sees only later messages, and has read all before. Others' receipts stay as they were.
  private func clear(_ membership: Membership) throws {
    try database.run(
      "UPDATE memberships SET cleared_seq = ?1, cleared_change = ?2 WHERE room = ?3 AND member = ?4",
      [
        membership.lastSeq, try database.lastChange(in: membership.room), membership.room, membership.member,
      ])
    try database.run(
      "DELETE FROM hidden_messages WHERE member = ? AND room = ?", [membership.member, membership.room])
  }
}

/// Reactions and pins.
extension WriteTransaction {
  func react(to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool) throws {
    let membership = try database.membership(in: address.roomID, of: user)
    let message = try database.message(address.seq, visibleTo: membership)
    let mine: Arguments = [membership.room, address.seq, emoji, membership.member]
    let isThere = try database.exists(
      "SELECT 1 FROM reactions WHERE room = ? AND seq = ? AND emoji = ? AND member = ?", mine)
    guard isThere != isAdded else { return }
    if isAdded {
      guard message.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
      try requireRoom(for: emoji, on: address.seq, membership.room)
      try database.run(
        "INSERT INTO reactions (room, seq, emoji, member, event) VALUES (?, ?, ?, ?, ?)",
        mine + [try database.lastEventID() + 1])
    } else {
      try database.run("DELETE FROM reactions WHERE room = ? AND seq = ? AND emoji = ? AND member = ?", mine)
    }
    let count: Int? = try database.first(
      "SELECT count(*) FROM reactions WHERE room = ? AND seq = ? AND emoji = ?",
      [membership.room, address.seq, emoji]
    ) { $0[0] }
    let event = Event.reactionChanged(address, emoji: emoji, userID: user, isAdded: isAdded, count: count ?? 0)
    try log(event, room: membership.room, address.roomID)
  }

  private func requireRoom(for emoji: String, on seq: Int, _ room: Int64) throws {
    let others: Int? = try database.first(
      "SELECT count(DISTINCT emoji) FROM reactions WHERE room = ? AND seq = ? AND emoji <> ?", [room, seq, emoji]
    ) { $0[0] }
    guard others ?? 0 < MessageRules.mostEmoji else {
      throw ChatError.conflict("A message has at most \(MessageRules.mostEmoji) different reactions.")
    }
  }

  func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) throws {
    let membership = try database.membership(in: address.roomID, of: user)
    let message = try database.message(address.seq, visibleTo: membership)
    guard membership.kind == .direct || membership.isModerator else {
      throw ChatError.forbidden("Only the owner and admins can pin messages in this group.")
    }
    let place: Arguments = [membership.room, address.seq]
    guard try database.exists("SELECT 1 FROM pins WHERE room = ? AND seq = ?", place) != isAdded else { return }
    if isAdded {
      guard message.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
      let count: Int? = try database.first("SELECT count(*) FROM pins WHERE room = ?", [membership.room]) { $0[0] }
      guard count ?? 0 < MessageRules.mostPins else {
        throw ChatError.conflict("A chat has at most \(MessageRules.mostPins) pinned messages. Unpin one first.")
      }
      try database.run(
        "INSERT INTO pins (room, seq, member, pinned_at, event) VALUES (?, ?, ?, ?, ?)",
        place + [membership.member, time.milliseconds, try database.lastEventID() + 1])
    } else {
      try database.run("DELETE FROM pins WHERE room = ? AND seq = ?", place)
    }
    try log(
      .pinChanged(address, userID: user, pinnedAt: isAdded ? time : nil), room: membership.room, address.roomID)
    guard membership.kind == .group else { return }
    try note(
      isAdded ? .pinned : .unpinned, in: membership.room, address.roomID, by: membership.member,
      messageSeq: address.seq, at: time)
  }
}
