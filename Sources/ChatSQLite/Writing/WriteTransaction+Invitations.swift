import Chat
import FoundationEssentials
import GRDB

extension WriteTransaction {
  func createInvitation(_ new: NewInvitation, limit: Int) throws -> Invitation {
    let inviter = try new.inviterID.map { id in
      guard let user = try database.user(id) else { throw ChatError.notFound }
      return user
    }
    var room: Int64?
    if let roomID = new.roomID {
      guard let inviterID = new.inviterID else { throw ChatError.notFound }
      room = try moderator(inviterID, of: roomID).room
    }
    // A room's count together, those to the instance count for each inviter.
    let open = try database.openInvitations(room: room, inviter: room == nil ? inviter?.key : nil, at: new.createdAt)
    guard open.count < limit || inviter == nil else {
      throw ChatError.conflict("There are \(limit) open invitations already. End one first.")
    }
    try database.run(
      """
      INSERT INTO invitations (id, secret_hash, room, inviter, created_at, expires_at, max_uses)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        new.id, new.secretHash, room, inviter?.key, new.createdAt.milliseconds, new.expiresAt?.milliseconds,
        new.maxUses,
      ])
    return Invitation(
      id: new.id, roomID: new.roomID, inviter: inviter?.user, createdAt: new.createdAt, expiresAt: new.expiresAt,
      maxUses: new.maxUses)
  }

  func endInvitation(_ id: InvitationID, room: Int64?, inviter: Int64?, at time: Timestamp) throws -> Bool {
    try database.run(
      """
      UPDATE invitations AS i SET ended_at = ?1
      WHERE i.id = ?2 AND i.room IS ?3 AND (?4 IS NULL OR i.inviter = ?4) AND \(Database.isOpenInvitation)
      """, [time.milliseconds, id, room, inviter])
    return database.changesCount > 0
  }

  /// Counts a use of the open invitation with this token's hash, and returns it; throws as `openInvitation`.
  @discardableResult
  func useInvitation(_ secretHash: [UInt8], at time: Timestamp) throws -> StoredInvitation {
    let found = try database.openInvitation(secretHash: secretHash, at: time)
    try database.run("UPDATE invitations SET uses = uses + 1 WHERE key = ?", [found.key])
    return found
  }

  /// The same where the token is a field of an input: `.invalid` at `invitation` with why it cannot be used.
  func useInvitation(from secretHash: [UInt8], at time: Timestamp) throws -> StoredInvitation {
    do {
      return try useInvitation(secretHash, at: time)
    } catch ChatError.notFound {
      throw ChatError.invalid([Invitation.unknown])
    } catch ChatError.over(let error) {
      throw ChatError.invalid([error])
    }
  }
}
