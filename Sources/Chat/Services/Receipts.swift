/// How far members have received and read a room. Callable from any thread; all errors are `ChatError`.
package final class Receipts: Sendable {
  private let store: any ChatStore

  /// Receipts over a store.
  package init(store: any ChatStore) {
    self.store = store
  }

  /// Moves a member's pointers forward, at most to the last message; never backwards. Throws `.invalid` if both are
  /// missing or one is negative, `.notFound` for non-members.
  package func move(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt {
    var errors: [FieldError] = []
    if delivered == nil, read == nil {
      errors.append(FieldError(field: "read_seq", code: "required", detail: "Give delivered_seq, read_seq or both."))
    }
    if let delivered, delivered < 0 { errors.append(Receipts.negative("delivered_seq")) }
    if let read, read < 0 { errors.append(Receipts.negative("read_seq")) }
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    return try await store.moveReceipt(in: room, of: user, delivered: delivered, read: read)
  }

  /// Marks a room as unread from message `seq` on: the only move backwards. Throws `.invalid` below 1, `.notFound` for
  /// non-members.
  package func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt {
    guard seq >= 1 else {
      throw ChatError.invalid([
        FieldError(field: "unread_from", code: "invalid", detail: "Messages are numbered from 1.")
      ])
    }
    return try await store.markUnread(in: room, of: user, from: seq)
  }

  private static func negative(_ field: String) -> FieldError {
    FieldError(field: field, code: "invalid", detail: "A message number cannot be negative.")
  }
}
