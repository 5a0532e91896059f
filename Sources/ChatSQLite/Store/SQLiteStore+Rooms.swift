// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) async throws -> (room: Room, isNew: Bool) {
    // Most presses on a person open a chat that exists: those wait for no commit.
    let known: Room? = try read { database in
      let pair = try database.pair(user, peer)
      return try database.directRoom(pair.user, pair.peer).map { try database.room($0, for: pair.user) }
    }
    if let known { return (known, false) }
    return try await write { try $0.openDirectRoom(of: user, with: peer, newID: newID, at: time) }
  }

  public func room(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { database in
      let membership = try database.membership(in: id, of: user)
      return try database.snapshot(database.room(membership.room, for: membership.member))
    }
  }

  public func rooms(of user: UserID, after cursor: RoomCursor?, limit: Int) async throws -> Snapshot<[Room]> {
    // A person's whole list is put in order before its first page is cut off.
    try await readElsewhere { database in
      guard let member = try database.user(user)?.key else { throw ChatError.notFound }
      return try database.snapshot(database.rooms(of: member, after: cursor, limit: limit))
    }
  }
}
