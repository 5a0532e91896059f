/// How far members have received and read a room (S1, S4). Callable from any thread; all errors are `ChatError`.
public final class Receipts: Sendable {
  private let store: any ChatStore

  /// Receipts over a store.
  public init(store: any ChatStore) {
    self.store = store
  }

  /// Moves a member's pointers forward; one that lies behind, or beyond the last message, changes nothing more than it
  /// can. Throws `.invalid` where neither is given or one is negative, `.notFound` for whoever is not a member.
  public func move(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt {
    var errors: [FieldError] = []
    if delivered == nil, read == nil {
      errors.append(FieldError(field: "read_seq", code: "required", detail: "Give delivered_seq, read_seq or both."))
    }
    if let delivered, delivered < 0 { errors.append(Receipts.negative("delivered_seq")) }
    if let read, read < 0 { errors.append(Receipts.negative("read_seq")) }
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    return try await store.moveReceipt(in: room, of: user, delivered: delivered, read: read)
  }

  /// Marks a room as unread from message `seq` on (L3): the one move backwards. Throws `.invalid` for a number below 1,
  /// `.notFound` for whoever is not a member.
  public func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt {
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
