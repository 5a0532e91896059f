// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore {
  public func append(_ message: NewMessage) async throws -> (message: Message, isNew: Bool) {
    try await write { try $0.append(message) }
  }

  public func edit(
    _ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp
  ) async throws -> Message {
    try await write { try $0.edit(seq, in: room, by: user, text: text, at: time) }
  }

  public func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try await write { try $0.delete(seq, in: room, by: user, at: time) }
  }

  public func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message {
    try read { database in
      try database.message(seq, in: room, for: database.membership(in: room, of: user))
    }
  }

  public func messages(
    in room: RoomID, for user: UserID, _ range: MessageRange
  ) async throws -> Snapshot<MessagePage> {
    try read { database in
      let membership = try database.membership(in: room, of: user)
      return try database.snapshot(database.messages(range, in: room, visibleTo: membership))
    }
  }

  // MARK: Receipts

  public func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt {
    try await write { try $0.moveReceipt(in: room, of: user, delivered: delivered, read: read) }
  }

  public func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt {
    try await write { try $0.markUnread(in: room, of: user, from: seq) }
  }

  public func receipts(in room: RoomID, for user: UserID) async throws -> Snapshot<[Receipt]> {
    try await readElsewhere { database in
      let membership = try database.membership(in: room, of: user)
      return try database.snapshot(database.receipts(of: membership.room, room, for: membership.member))
    }
  }
}
