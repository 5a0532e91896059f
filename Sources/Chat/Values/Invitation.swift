/// The id of an invitation, as distinct from its token.
package typealias InvitationID = ID<Invitation>

/// Allows the holder of its token to create an account, or to enter a room. Only the hash of the token is stored.
package struct Invitation: Hashable, Sendable {
  /// The public id, for listing and ending.
  package var id: InvitationID
  /// The room that it leads to; nil for an invitation to the instance.
  package var roomID: RoomID?
  /// The inviter; nil for the operator, on the command line.
  package var inviter: User?
  package var createdAt: Timestamp
  /// When it expires; nil for never.
  package var expiresAt: Timestamp?
  /// The maximum number of uses; nil for unlimited.
  package var maxUses: Int?
  /// The number of uses so far.
  package var uses: Int
  /// When it was revoked.
  package var endedAt: Timestamp?

  package init(
    id: InvitationID, roomID: RoomID? = nil, inviter: User?, createdAt: Timestamp, expiresAt: Timestamp? = nil,
    maxUses: Int? = nil, uses: Int = 0, endedAt: Timestamp? = nil
  ) {
    self.id = id
    self.roomID = roomID
    self.inviter = inviter
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.maxUses = maxUses
    self.uses = uses
    self.endedAt = endedAt
  }

  /// Why it cannot be used at `time`; nil if it can, as far as its own values tell: its inviter may have lost the right
  /// to invite.
  package func end(at time: Timestamp) -> End? {
    if endedAt != nil { return .ended }
    if let expiresAt, expiresAt <= time { return .expired }
    if let maxUses, uses >= maxUses { return .used }
    return nil
  }

  /// Why an invitation can no longer be used.
  package enum End: String, Hashable, Sendable {
    /// It has expired.
    case expired
    /// Somebody revoked it, or its inviter is no longer owner or admin of the room.
    case ended
    /// It has been used the maximum number of times.
    case used

    /// The error for the holder of its token.
    package var refusal: FieldError {
      let detail =
        switch self {
        case .expired: "This invitation has expired. Ask for a new one."
        case .ended: "This invitation was ended. Ask for a new one."
        case .used: "This invitation was used as often as it may be. Ask for a new one."
        }
      return FieldError(field: "invitation", code: rawValue, detail: detail)
    }
  }

  /// The error for an unknown token that is a field of an input.
  package static let unknown = FieldError(
    field: "invitation", code: "invalid", detail: "There is no such invitation. Check it, or ask for a new one.")
}

/// An invitation to be stored.
package struct NewInvitation: Sendable {
  package var id: InvitationID
  /// SHA-256 of its token, 32 bytes.
  package var secretHash: [UInt8]
  /// The room that it leads to; nil for the instance.
  package var roomID: RoomID?
  /// The inviter; nil for the operator.
  package var inviterID: UserID?
  package var createdAt: Timestamp
  /// When it expires; nil for never.
  package var expiresAt: Timestamp?
  /// The maximum number of uses; nil for unlimited.
  package var maxUses: Int?

  package init(
    id: InvitationID, secretHash: [UInt8], roomID: RoomID? = nil, inviterID: UserID?, createdAt: Timestamp,
    expiresAt: Timestamp? = nil, maxUses: Int? = nil
  ) {
    self.id = id
    self.secretHash = secretHash
    self.roomID = roomID
    self.inviterID = inviterID
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.maxUses = maxUses
  }
}
