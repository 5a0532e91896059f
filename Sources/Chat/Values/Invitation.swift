/// The id of an invitation, which is not its token.
public typealias InvitationID = ID<Invitation>

/// Lets whoever holds its token make an account (A3), or enter a room (R1). Only the hash of the token is stored.
public struct Invitation: Hashable, Sendable {
  /// The public id, for listing and ending.
  public var id: InvitationID
  /// The room that it leads into; nil for an invitation to the instance.
  public var roomID: RoomID?
  /// Who invites; nil for the operator, on the command line.
  public var inviter: User?
  /// When it was made.
  public var createdAt: Timestamp
  /// After this moment it is void; nil for never.
  public var expiresAt: Timestamp?
  /// How often it can be used; nil for any number.
  public var maxUses: Int?
  /// How often it has been used.
  public var uses: Int
  /// When it was ended by hand.
  public var endedAt: Timestamp?

  /// An invitation from stored values.
  public init(
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

  /// Why it cannot be used at `time`; nil while it can, as far as it says itself: who made it may invite no more.
  public func end(at time: Timestamp) -> End? {
    if endedAt != nil { return .ended }
    if let expiresAt, expiresAt <= time { return .expired }
    if let maxUses, uses >= maxUses { return .used }
    return nil
  }

  /// Why an invitation that was there cannot be used any more.
  public enum End: String, Hashable, Sendable {
    /// Its time is over.
    case expired
    /// Somebody ended it, or who made it does not look after the room any more.
    case ended
    /// It has been used as often as it may be.
    case used

    /// What whoever holds its token is told.
    public var refusal: FieldError {
      let detail =
        switch self {
        case .expired: "This invitation has expired. Ask for a new one."
        case .ended: "This invitation was ended. Ask for a new one."
        case .used: "This invitation was used as often as it may be. Ask for a new one."
        }
      return FieldError(field: "invitation", code: rawValue, detail: detail)
    }
  }

  /// What whoever brings a token that belongs to no invitation is told where it is a field of an input.
  public static let unknown = FieldError(
    field: "invitation", code: "invalid", detail: "There is no such invitation. Check it, or ask for a new one.")
}

/// An invitation on its way to the store.
public struct NewInvitation: Sendable {
  /// The id that it gets.
  public var id: InvitationID
  /// SHA-256 of its token, 32 bytes.
  public var secretHash: [UInt8]
  /// The room that it leads into; nil for the instance.
  public var roomID: RoomID?
  /// Who invites; nil for the operator.
  public var inviterID: UserID?
  /// When it is made.
  public var createdAt: Timestamp
  /// After this moment it is void; nil for never.
  public var expiresAt: Timestamp?
  /// How often it can be used; nil for any number.
  public var maxUses: Int?

  /// An invitation from checked values.
  public init(
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
