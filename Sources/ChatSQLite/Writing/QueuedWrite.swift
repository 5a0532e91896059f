import Chat

/// A write that waits for its turn, and then for the commit.
protocol QueuedWrite: Sendable {
  /// Whether the write, such as a sign-in, may use the reserved disk space.
  var usesReserve: Bool { get }
  /// Who the write is for, whose writes take turns with others'; nil is nobody in particular.
  var asker: UserID? { get }
  /// Makes the changes, and keeps the result until the commit.
  func perform(in transaction: WriteTransaction) throws
  /// Resumes the caller with the result: the changes are on disk.
  func succeed()
  /// Resumes the caller with the error: nothing was stored.
  func fail(_ reason: ChatError)
}

/// A write with its result and its caller.
final class PendingWrite<Value: Sendable>: QueuedWrite, @unchecked Sendable {  // `result`: writer's thread only
  let usesReserve: Bool
  let asker = Asker.current
  private let body: @Sendable (WriteTransaction) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private var result: Value?

  init(
    continuation: CheckedContinuation<Value, any Error>, usesReserve: Bool,
    body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) {
    self.continuation = continuation
    self.usesReserve = usesReserve
    self.body = body
  }

  func perform(in transaction: WriteTransaction) throws {
    result = try body(transaction)
  }

  func succeed() {
    if let result { continuation.resume(returning: result) } else { fail(.unavailable("The write was not performed.")) }
  }

  func fail(_ reason: ChatError) {
    continuation.resume(throwing: reason)
  }
}
