import Chat

/// A write that waits for its turn and then for the commit.
protocol QueuedWrite: Sendable {
  /// Makes the changes, and keeps the result until the commit.
  func perform(in transaction: WriteTransaction) throws
  /// The changes are on disk: resumes who waits, with the result.
  func succeed()
  /// Nothing was stored: resumes who waits, with the reason.
  func fail(_ reason: ChatError)
}

/// A write with its result and the one who waits for it.
///
/// `@unchecked`: `result` is touched by the writer's thread only, and `continuation` resumes once.
final class PendingWrite<Value: Sendable>: QueuedWrite, @unchecked Sendable {
  private let body: @Sendable (WriteTransaction) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private var result: Value?

  init(
    continuation: CheckedContinuation<Value, any Error>,
    body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) {
    self.continuation = continuation
    self.body = body
  }

  func perform(in transaction: WriteTransaction) throws {
    result = try body(transaction)
  }

  func succeed() {
    if let result { continuation.resume(returning: result) } else { fail(.unavailable("The write was not made.")) }
  }

  func fail(_ reason: ChatError) {
    continuation.resume(throwing: reason)
  }
}
