import Chat
import GRDB

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

  /// Keeps the pointers and tells of it, if one has moved.
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

  /// Tells the room of pointers that have moved: all members at once, unless one of them hides what he has read, or who
  /// moved them came later than what they point at. Then each is told what he may see, and nothing where he sees no change
  /// (S6). In a big room his own devices alone hear of it.
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
}
