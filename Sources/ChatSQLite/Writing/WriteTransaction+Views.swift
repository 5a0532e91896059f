import Chat
import GRDB

/// One member's own view of a room.
extension WriteTransaction {
  func changeView(of id: RoomID, for user: UserID, _ change: RoomViewChange) throws -> Room {
    let membership = try database.membership(in: id, of: user)
    let before = try database.room(membership.room, for: membership.member)
    var after = before
    if let isMuted = change.isMuted { after.isMuted = isMuted }
    if let isPinned = change.isPinned { after.isPinned = isPinned }
    if let level = change.mentionLevel { after.mentionLevel = level }
    if after != before {
      try database.run(
        "UPDATE memberships SET is_muted = ?, is_pinned = ?, mention_level = ? WHERE room = ? AND member = ?",
        [after.isMuted, after.isPinned, after.mentionLevel.rawValue, membership.room, membership.member])
      try logRoom(Event.roomUpdated, membership.room, reader: membership.member, user)
    }
    if let draft = change.draft, draft != before.draft {
      after.draft = draft
      try database.run(
        "UPDATE memberships SET draft = ? WHERE room = ? AND member = ?", [draft, membership.room, membership.member])
      try log(.draftUpdated(roomID: id, draft: draft), reader: membership.member, user)
    }
    return after
  }

  func clear(_ id: RoomID, for user: UserID) throws {
    let membership = try database.membership(in: id, of: user)
    guard membership.clearedSeq < membership.lastSeq else { return }
    try clear(membership)
    try logRoom(Event.roomUpdated, membership.room, reader: membership.member, user)
  }

  func hide(_ id: RoomID, for user: UserID) throws {
    let membership = try database.membership(in: id, of: user)
    guard try !database.room(membership.room, for: membership.member).isHidden else { return }
    try clear(membership)
    try database.run(
      "UPDATE memberships SET hidden_seq = ?, is_pinned = 0, draft = '' WHERE room = ? AND member = ?",
      [membership.lastSeq, membership.room, membership.member])
    try logRoom(Event.roomRemoved, membership.room, reader: membership.member, user)
  }

  func hideMessage(_ address: MessageAddress, for user: UserID) throws {
    let membership = try database.membership(in: address.roomID, of: user)
    _ = try database.message(address.seq, visibleTo: membership)
    let count: Int? = try database.first(
      "SELECT count(*) FROM hidden_messages WHERE member = ? AND room = ?", [membership.member, membership.room]
    ) { $0[0] }
    guard count ?? 0 < ViewRules.mostHiddenMessages else {
      throw ChatError.conflict("So many messages are hidden here that clearing the chat is the better way.")
    }
    try database.run(
      "INSERT INTO hidden_messages (member, room, seq) VALUES (?, ?, ?)",
      [membership.member, membership.room, address.seq])
    try log(.messageHidden(address), reader: membership.member, user)
  }

  /// The member sees only what comes next, and has read all there was. Others' ticks stay what they were.
  private func clear(_ membership: Membership) throws {
    try database.run(
      "UPDATE memberships SET cleared_seq = ?1 WHERE room = ?2 AND member = ?3",
      [membership.lastSeq, membership.room, membership.member])
    try database.run(
      "DELETE FROM hidden_messages WHERE member = ? AND room = ?", [membership.member, membership.room])
  }
}

/// What members put on messages.
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
    guard others ?? 0 < ViewRules.mostEmoji else {
      throw ChatError.conflict("A message has at most \(ViewRules.mostEmoji) different reactions.")
    }
  }

  func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) throws {
    let membership = try database.membership(in: address.roomID, of: user)
    let message = try database.message(address.seq, visibleTo: membership)
    guard membership.kind == .direct || membership.isModerator else {
      throw ChatError.forbidden("Owner and admins pin messages in this group.")
    }
    let place: Arguments = [membership.room, address.seq]
    guard try database.exists("SELECT 1 FROM pins WHERE room = ? AND seq = ?", place) != isAdded else { return }
    if isAdded {
      guard message.deletedAt == nil else { throw ChatError.conflict("The message is deleted.") }
      let count: Int? = try database.first("SELECT count(*) FROM pins WHERE room = ?", [membership.room]) { $0[0] }
      guard count ?? 0 < ViewRules.mostPins else {
        throw ChatError.conflict("A chat has at most \(ViewRules.mostPins) pinned messages. Take one off first.")
      }
      try database.run(
        "INSERT INTO pins (room, seq, member, pinned_at, event) VALUES (?, ?, ?, ?, ?)",
        place + [membership.member, time.milliseconds, try database.lastEventID() + 1])
    } else {
      try database.run("DELETE FROM pins WHERE room = ? AND seq = ?", place)
    }
    try log(
      .pinChanged(address, userID: user, pinnedAt: isAdded ? time : nil), room: membership.room, address.roomID)
  }
}
