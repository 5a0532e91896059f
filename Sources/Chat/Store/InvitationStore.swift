/// The storage of invitations. `ChatStore.createAccount` uses an invitation in the same transaction.
package protocol InvitationStore: Sendable {
  /// Stores an invitation. Throws `.conflict` if its room has `limit` open ones already, or its inviter as many to the
  /// instance; `.notFound` if the inviter is not in the room; `.forbidden` unless they are its owner or an admin. An
  /// inviter who loses that role has no open invitations.
  func createInvitation(_ invitation: NewInvitation, limit: Int) async throws -> Invitation
  /// The open invitations to a room, or to the instance if `room` is nil; only those of `inviter` unless that is nil.
  /// Newest first.
  func invitations(in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> [Invitation]
  /// Ends an open invitation to a room or to the instance; only one of `inviter` unless that is nil. Returns false if
  /// there is none.
  func endInvitation(_ id: InvitationID, in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> Bool
  /// The open invitation with this token's hash. Throws `.notFound` if there never was one, `.over` with the
  /// `Invitation.End` if it is no longer open.
  func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation
}
