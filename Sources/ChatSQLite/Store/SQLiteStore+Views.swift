// The functions are documented where they are promised: at ChatViewStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  @discardableResult
  public func changeView(of room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room {
    try await write { try $0.changeView(of: room, for: user, change) }
  }

  public func clear(_ room: RoomID, for user: UserID) async throws {
    try await write { try $0.clear(room, for: user) }
  }

  public func hide(_ room: RoomID, for user: UserID) async throws {
    try await write { try $0.hide(room, for: user) }
  }

  public func hideMessage(_ address: MessageAddress, for user: UserID) async throws {
    try await write { try $0.hideMessage(address, for: user) }
  }

  public func react(
    to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool
  ) async throws {
    try await write { try $0.react(to: address, with: emoji, by: user, isAdded: isAdded) }
  }

  public func reactions(
    to address: MessageAddress, for user: UserID
  ) async throws -> [(emoji: String, users: [User])] {
    try await readElsewhere { database in
      let membership = try database.membership(in: address.roomID, of: user)
      _ = try database.message(address.seq, visibleTo: membership)
      return try database.reactions(to: address.seq, membership.room)
    }
  }

  public func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) async throws {
    try await write { try $0.pin(address, by: user, at: time, isAdded: isAdded) }
  }

  public func pins(in room: RoomID, for user: UserID) async throws -> [Message] {
    try await readElsewhere { database in
      try database.pins(database.membership(in: room, of: user), room)
    }
  }
}
