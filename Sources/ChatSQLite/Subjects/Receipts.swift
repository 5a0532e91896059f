import Chat
import GRDB

extension SQLiteStore {
  package func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt {
    try await write { try $0.moveReceipt(in: room, of: user, delivered: delivered, read: read) }
  }

  package func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt {
    try await write { try $0.markUnread(in: room, of: user, from: seq) }
  }

  package func receipts(in room: RoomID, for user: UserID) async throws -> Snapshot<[Receipt]> {
    try await readElsewhere { database in
      let membership = try database.membership(in: room, of: user)
      return try database.snapshot(database.receipts(of: membership.room, room, for: membership.member))
    }
  }
}

extension Database {
  /// Others' messages that a member can see, in a range of numbers.
  private static let othersMessage = """
    SELECT 1 FROM messages s WHERE s.room = ?1 AND s.seq > ?2 AND s.seq <= ?3 AND s.sender <> ?4
      AND s.deleted_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM hidden_messages h WHERE h.member = ?4 AND h.room = s.room AND h.seq = s.seq)
    """

  /// Whether no message of others is unread to the member. Looks at `ownUnreadRange` messages at most; with more after the
  /// pointer the answer is no.
  func hasReadAll(_ membership: Membership) throws -> Bool {
    let start = max(membership.readSeq, membership.clearedSeq)
    guard start < membership.lastSeq else { return true }
    guard membership.lastSeq - start <= Self.ownUnreadRange else { return false }
    return try !exists(Self.othersMessage, [membership.room, start, membership.lastSeq, membership.member])
  }
}

extension WriteTransaction {
  func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) throws -> Receipt {
    let membership = try database.membership(in: room, of: user)
    let newRead = min(max(membership.readSeq, read ?? 0), membership.lastSeq)
    let newDelivered = min(max(membership.deliveredSeq, delivered ?? 0, newRead), membership.lastSeq)
    return try store(
      Receipt(roomID: room, userID: user, deliveredSeq: newDelivered, readSeq: newRead), of: membership)
  }

  func markUnread(in room: RoomID, of user: UserID, from seq: Int) throws -> Receipt {
    let membership = try database.membership(in: room, of: user)
    let newRead = min(membership.readSeq, max(seq, 1) - 1)
    return try store(
      Receipt(roomID: room, userID: user, deliveredSeq: membership.deliveredSeq, readSeq: newRead), of: membership)
  }

  /// Stores the pointers and logs an event if one has moved.
  private func store(_ receipt: Receipt, of membership: Membership) throws -> Receipt {
    guard receipt.readSeq != membership.readSeq || receipt.deliveredSeq != membership.deliveredSeq else {
      return receipt
    }
    try database.run(
      """
      UPDATE memberships SET read_seq = ?1, delivered_seq = ?2,
        has_own_unread = iif(?1 < read_seq, 1, iif(?1 < ?5, has_own_unread, 0))
      WHERE room = ?3 AND member = ?4
      """, [receipt.readSeq, receipt.deliveredSeq, membership.room, membership.member, membership.lastSeq])
    try logReceipt(receipt, before: membership)
    return receipt
  }

  /// Reports moved pointers to the room: to all members at once, unless one of them hides what they have read, or the
  /// person joined after the message pointed to. Then each member gets the receipt they may see, and none if they see
  /// no change. In a large room only the person's own devices are notified.
  func logReceipt(_ receipt: Receipt, before: Membership) throws {
    if try isBig(before.room) { return try log(.receiptUpdated(receipt), reader: before.member, receipt.userID) }
    let toOthers = receipt.toOthers(joinedSeq: before.joinedSeq)
    if toOthers == receipt, try audiences.allShowReading(in: before.room, of: database) {
      return try log(.receiptUpdated(receipt), room: before.room, receipt.roomID)
    }
    let readers = try database.receiptReaders(of: before.room)
    let isShown = readers.first { $0.key == before.member }?.showsReading ?? false
    let toldBefore = Receipt(
      roomID: receipt.roomID, userID: receipt.userID, deliveredSeq: before.deliveredSeq, readSeq: before.readSeq
    ).toOthers(joinedSeq: before.joinedSeq)
    for reader in readers.sorted(by: { $0.id < $1.id }) {
      if reader.key == before.member {
        try log(.receiptUpdated(receipt), reader: reader.key, reader.id)
        continue
      }
      var (now, then) = (toOthers, toldBefore)
      if !isShown || !reader.showsReading { (now.readSeq, then.readSeq) = (0, 0) }
      if now != then { try log(.receiptUpdated(now), reader: reader.key, reader.id) }
    }
  }

  /// Moves the sender's pointers to their message, unless something that they have not read or received lies between.
  func moveReceipt(by message: Message, _ before: Membership) throws -> Receipt {
    let hasReadAll = try database.hasReadAll(before)
    let hasAll = hasReadAll || before.deliveredSeq == before.lastSeq
    let receipt = Receipt(
      roomID: message.roomID, userID: message.sender.id, deliveredSeq: hasAll ? message.seq : before.deliveredSeq,
      readSeq: hasReadAll ? message.seq : before.readSeq)
    try database.run(
      "UPDATE memberships SET read_seq = ?, delivered_seq = ?, has_own_unread = ? WHERE room = ? AND member = ?",
      [receipt.readSeq, receipt.deliveredSeq, !hasReadAll, before.room, before.member])
    return receipt
  }

  /// Logs the sender's pointers where they passed more than the sender's own message. That goes without saying: whoever
  /// was at the end before it is at the end after it.
  func logOwnReceipt(_ receipt: Receipt, before: Membership) throws {
    let known = Receipt(
      roomID: receipt.roomID, userID: receipt.userID, deliveredSeq: before.deliveredSeq, readSeq: before.readSeq
    ).toOthers(joinedSeq: before.joinedSeq)
    let last = before.lastSeq
    if receipt.readSeq > last && known.readSeq < last || receipt.deliveredSeq > last && known.deliveredSeq < last {
      try logReceipt(receipt, before: before)
    }
  }
}
