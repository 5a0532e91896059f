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
      "UPDATE memberships SET read_seq = ?, delivered_seq = ? WHERE room = ? AND member = ?",
      [receipt.readSeq, receipt.deliveredSeq, membership.room, membership.member])
    try logReceipt(receipt, of: membership)
    return receipt
  }
}
