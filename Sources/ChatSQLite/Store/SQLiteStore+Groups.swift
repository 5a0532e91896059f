// The functions are documented where they are promised: at GroupStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func createGroup(_ group: NewGroup) async throws -> Room {
    try await write { try $0.createGroup(group) }
  }

  public func changeGroup(_ room: RoomID, by user: UserID, _ change: GroupChange) async throws -> Room {
    try await write { try $0.changeGroup(room, by: user, change) }
  }

  public func setPicture(_ picture: Picture?, of room: RoomID, by user: UserID) async throws -> Room {
    try await write { try $0.setPicture(picture, of: room, by: user) }
  }

  public func visibleRoom(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { database in
      do {
        let membership = try database.membership(in: id, of: user)
        return try database.snapshot(database.room(membership.room, for: membership.member))
      } catch ChatError.notFound {
        return try database.snapshot(database.publicRoom(id).room)
      }
    }
  }

  public func publicRooms(
    matching query: String, for user: UserID, after cursor: PublicRoomCursor?, limit: Int
  ) async throws -> [Room] {
    // A text that no room has is looked for in all names.
    try await readElsewhere { database in
      guard let member = try database.user(user)?.key else { throw ChatError.notFound }
      return try database.publicRooms(matching: query, for: member, after: cursor, limit: limit)
    }
  }

  public func members(
    of room: RoomID, for user: UserID, after cursor: MemberCursor?, limit: Int
  ) async throws -> [(user: User, role: Room.Role)] {
    // All members are put in order before a page is cut off.
    try await readElsewhere { database in
      try database.members(of: database.membership(in: room, of: user).room, after: cursor, limit: limit)
    }
  }

  public func memberIDs(of room: RoomID, for user: UserID) async throws -> [UserID] {
    let few: [UserID]? = try read { database in
      let membership = try database.membership(in: room, of: user)
      return try database.isBig(membership.room) ? nil : database.memberIDs(of: membership.room)
    }
    if let few { return few }
    return try await readElsewhere { try $0.memberIDs(of: $0.membership(in: room, of: user).room) }
  }

  public func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try await write { try $0.setMember(member, in: room, role: role, by: user) }
  }

  public func removeMember(_ member: UserID, from room: RoomID, by user: UserID) async throws {
    try await write { try $0.removeMember(member, from: room, by: user) }
  }

  public func join(_ room: RoomID, by user: UserID) async throws -> Room {
    try await write { try $0.join(room, by: user) }
  }

  public func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) async throws -> Room {
    try await write { try $0.accept(secretHash, by: user, at: time) }
  }

  public func invitedRoom(_ id: RoomID) async throws -> Room? {
    try read { database in
      let key: Int64? = try database.first("SELECT key FROM rooms WHERE id = ?", [id]) { $0[0] }
      return try key.flatMap { try database.roomForOutsiders($0) }
    }
  }

  public func leave(_ room: RoomID, by user: UserID) async throws {
    try await write { try $0.leave(room, by: user) }
  }

  public func ban(_ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try await write { try $0.ban(member, from: room, by: user, at: time) }
  }

  public func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws {
    try await write { try $0.liftBan(of: member, from: room, by: user) }
  }

  public func bans(of room: RoomID, for user: UserID, after cursor: UserCursor?, limit: Int) async throws -> [User] {
    try await readElsewhere { database in
      let membership = try database.membership(in: room, of: user)
      try membership.requireModerator()
      return try database.bans(of: membership.room, after: cursor, limit: limit)
    }
  }
}

extension Database {
  /// Whether a room has more members than are read while an event loop waits.
  fileprivate func isBig(_ room: Int64) throws -> Bool {
    let count: Int? = try first("SELECT members_count FROM rooms WHERE key = ?", [room]) { $0[0] }
    return count ?? 0 > 200
  }
}
