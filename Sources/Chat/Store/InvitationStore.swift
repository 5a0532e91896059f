/// What the core keeps of invitations. An invitation is used by `ChatStore.createAccount`, in the same transaction.
public protocol InvitationStore: Sendable {
  /// Keeps an invitation. Throws `.conflict` where its room has `limit` open ones already, or its inviter as many to the
  /// instance; `.notFound` where the inviter is not in the room, `.forbidden` where he does not look after it; an invitation
  /// of who does so no more is not open.
  func createInvitation(_ invitation: NewInvitation, limit: Int) async throws -> Invitation
  /// The open invitations of a room, or to the instance where `room` is nil; those of `inviter` alone unless that is nil.
  /// Newest first.
  func invitations(in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> [Invitation]
  /// Ends an open invitation of a room, or to the instance; of `inviter` alone unless that is nil. False if there is none.
  func endInvitation(_ id: InvitationID, in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> Bool
  /// The open invitation with this token's hash. Throws `.notFound` where there never was one, `.over` with the
  /// `Invitation.End` of one that is not open any more.
  func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation
}
