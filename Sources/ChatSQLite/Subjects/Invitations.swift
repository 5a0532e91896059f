import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore {
  package func createInvitation(_ invitation: NewInvitation, limit: Int) async throws -> Invitation {
    try await write { try $0.createInvitation(invitation, limit: limit) }
  }

  package func invitations(in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> [Invitation] {
    try await readElsewhere { database in
      guard let place = try database.invitationPlace(room, inviter) else { return [] }
      return try database.openInvitations(room: place.room, inviter: place.inviter, at: time).map(\.invitation)
    }
  }

  package func endInvitation(
    _ id: InvitationID, in room: RoomID?, of inviter: UserID?, at time: Timestamp
  ) async throws -> Bool {
    try await write { transaction in
      guard let place = try transaction.database.invitationPlace(room, inviter) else { return false }
      return try transaction.endInvitation(id, room: place.room, inviter: place.inviter, at: time)
    }
  }

  package func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation {
    try read { try $0.openInvitation(secretHash: secretHash, at: time).invitation }
  }
}

extension Database {
  /// The keys of a room and an inviter; nil if one of them does not exist.
  fileprivate func invitationPlace(_ room: RoomID?, _ inviter: UserID?) throws -> (room: Int64?, inviter: Int64?)? {
    var place: (room: Int64?, inviter: Int64?) = (nil, nil)
    if let room {
      place.room = try first("SELECT key FROM rooms WHERE id = ?", [room]) { $0[0] }
      if place.room == nil { return nil }
    }
    if let inviter {
      place.inviter = try user(inviter)?.key
      if place.inviter == nil { return nil }
    }
    return place
  }
}

/// A row of `invitations`, with the room that it leads to.
struct StoredInvitation {
  var key: Int64
  var room: Int64?
  var inviter: Int64?
  /// The invitation without the inviter, whom `Database` looks up.
  var invitation: Invitation
}

extension Database {
  /// A member who is no longer owner or admin cannot invite.
  private static let mayInvite = """
    (i.room IS NULL OR EXISTS (SELECT 1 FROM memberships w
      WHERE w.room = i.room AND w.member = i.inviter AND w.role <> 'member'))
    """
  /// The condition for a usable invitation; its parameter is the time.
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

  /// The open invitation with this token's hash; throws `.notFound`, or `.over` if it is no longer open.
  func openInvitation(secretHash: [UInt8], at time: Timestamp) throws -> StoredInvitation {
    let found = try first(Self.allInvitations + " WHERE i.secret_hash = ?", [secretHash]) { row in
      (stored: Self.decodeInvitation(row), mayInvite: row[10] as Bool)
    }
    guard let found else { throw ChatError.notFound }
    if let end = found.mayInvite ? found.stored.invitation.end(at: time) : .ended { throw ChatError.over(end.refusal) }
    return try complete(found.stored)
  }

  /// The open invitations to a room or to the instance, newest first; only those of one inviter unless that is nil.
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
    // For a room, all invitations count together; for the instance, each inviter's.
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

  /// Counts a use of the open invitation with this token's hash, and returns it; throws like `openInvitation`. Entering
  /// a group is an event for its members; of an invitation to the instance, only its inviter is told.
  @discardableResult
  func useInvitation(_ secretHash: [UInt8], at time: Timestamp) throws -> StoredInvitation {
    let found = try database.openInvitation(secretHash: secretHash, at: time)
    try database.run("UPDATE invitations SET uses = uses + 1 WHERE key = ?", [found.key])
    if found.room == nil, let key = found.inviter, let id = found.invitation.inviter?.id,
      let own = try database.ownUser(id)
    {
      try log(.meUpdated(own), reader: key, id)
    }
    return found
  }

  /// The same for a token that is a field of an input: throws `.invalid` at `invitation` with the reason.
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
