import Glibc

/// State protected by a mutex, for a few instructions at a time and never across an `await`.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which the thread sanitizer does not understand.
package final class Lock<State>: @unchecked Sendable {  // `state` is touched only while `mutex` is held
  @usableFromInline var state: State
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @inlinable
  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(mutex, nil)
    precondition(result == 0, "pthread_mutex_init failed with \(result)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the state. Keep it short, and take no other lock inside.
  @inlinable
  package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
