import Chat
import FoundationEssentials
import GRDB

/// A row of `invitations`, with the room that it leads into.
struct StoredInvitation {
  var key: Int64
  var room: Int64?
  var inviter: Int64?
  /// Without the inviter, whom `Database` looks up.
  var invitation: Invitation
}

extension Database {
  /// Who looks after a room no more has nobody to invite to it.
  private static let mayInvite = """
    (i.room IS NULL OR EXISTS (SELECT 1 FROM memberships w
      WHERE w.room = i.room AND w.member = i.inviter AND w.role <> 'member'))
    """
  /// Which ones can be used; the parameter is the time.
  static let isOpenInvitation = """
    i.ended_at IS NULL AND (i.expires_at IS NULL OR i.expires_at > ?1) AND (i.max_uses IS NULL OR i.uses < i.max_uses)
      AND \(mayInvite)
    """
  private static let allInvitations = """
    SELECT i.key, i.room, i.inviter, i.id, r.id, i.created_at, i.expires_at, i.max_uses, i.uses, i.ended_at, \(mayInvite)
    FROM invitations i LEFT JOIN rooms r ON r.key = i.room
    """

  private static func decodeInvitation(_ row: ResultRow) -> StoredInvitation {
    StoredInvitation(
      key: row[0], room: row[1], inviter: row[2],
      invitation: Invitation(
        id: row.id(3), roomID: row.isNull(4) ? nil : row.id(4), inviter: nil, createdAt: row.time(5),
        expiresAt: row.timeIfAny(6), maxUses: row[7], uses: row[8], endedAt: row.timeIfAny(9)))
  }

  /// The open invitation with this token's hash; throws `.notFound`, or `.over` where it is not open any more.
  func openInvitation(secretHash: [UInt8], at time: Timestamp) throws -> StoredInvitation {
    let found = try first(Self.allInvitations + " WHERE i.secret_hash = ?", [secretHash]) { row in
      (stored: Self.decodeInvitation(row), mayInvite: row[10] as Bool)
    }
    guard let found else { throw ChatError.notFound }
    if let end = found.mayInvite ? found.stored.invitation.end(at: time) : .ended { throw ChatError.over(end.refusal) }
    return try complete(found.stored)
  }

  /// The open invitations of a room or to the instance, newest first; of one inviter unless that is nil.
  func openInvitations(room: Int64?, inviter: Int64?, at time: Timestamp) throws -> [StoredInvitation] {
    try all(
      Self.allInvitations
        + " WHERE \(Self.isOpenInvitation) AND i.room IS ?2 AND (?3 IS NULL OR i.inviter = ?3) ORDER BY i.created_at DESC, i.id DESC",
      [time.milliseconds, room, inviter], Self.decodeInvitation
    ).map(complete)
  }

  private func complete(_ stored: StoredInvitation) throws -> StoredInvitation {
    var stored = stored
    if let inviter = stored.inviter { stored.invitation.inviter = try user(key: inviter)?.user }
    return stored
  }
}
