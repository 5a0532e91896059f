import Glibc

/// State behind a lock, for the few places where threads meet.
///
/// A pthread mutex rather than `Synchronization.Mutex`: the thread sanitizer understands it, and what it costs more
/// (some nanoseconds) is nothing where it is taken once a turn or once a connection.
public final class Lock<State>: @unchecked Sendable {  // `state` is touched only while `mutex` is held
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Puts `state` behind a new lock.
  public init(_ state: State) {
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

  /// Runs `body` on the state while no other thread does. Short, and never with another lock held.
  public func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
