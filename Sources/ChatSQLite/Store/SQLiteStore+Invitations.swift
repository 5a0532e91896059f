// The functions are documented where they are promised: at InvitationStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func createInvitation(_ invitation: NewInvitation, limit: Int) async throws -> Invitation {
    try await write { try $0.createInvitation(invitation, limit: limit) }
  }

  public func invitations(in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> [Invitation] {
    try await readElsewhere { database in
      guard let place = try database.invitationPlace(room, inviter) else { return [] }
      return try database.openInvitations(room: place.room, inviter: place.inviter, at: time).map(\.invitation)
    }
  }

  public func endInvitation(
    _ id: InvitationID, in room: RoomID?, of inviter: UserID?, at time: Timestamp
  ) async throws -> Bool {
    try await write { transaction in
      guard let place = try transaction.database.invitationPlace(room, inviter) else { return false }
      return try transaction.endInvitation(id, room: place.room, inviter: place.inviter, at: time)
    }
  }

  public func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation {
    try read { try $0.openInvitation(secretHash: secretHash, at: time).invitation }
  }
}

extension Database {
  /// The keys of a room and an inviter; nil where one of them is not there.
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
