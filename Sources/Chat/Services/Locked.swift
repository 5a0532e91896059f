import Glibc

/// State that several threads share: a value behind a lock, held for a few instructions and never across an `await`.
///
/// A pthread mutex, since the thread sanitizer does not understand `Synchronization.Mutex`.
final class Locked<State: Sendable>: @unchecked Sendable {
  // Sendable because every access to `state` holds `mutex`.
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    let result = pthread_mutex_init(mutex, nil)
    precondition(result == 0, "a mutex with default attributes can always be made")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` alone with the state. Not reentrant.
  func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
