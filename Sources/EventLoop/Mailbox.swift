import Base
import CLinux
import Glibc

/// A loop's queue for other threads. Many items cost one wake-up, and none while the loop is awake.
final class Mailbox: Sendable {
  /// A task's job, or a closure.
  enum Item {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    /// Whether the loop waits, or is about to, and has not been woken yet.
    var isAsleep = false
  }

  /// The eventfd that ends the loop's wait.
  let wakeDescriptor: Int32
  private let state = Lock(State())

  init() throws(SystemError) {
    wakeDescriptor = try SystemCall.require("eventfd") { eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) }
  }

  deinit {
    SystemCall.close(wakeDescriptor)
  }

  /// Enqueues an item, from any thread.
  func put(_ item: Item) {
    let wakes = state.withLock { state in
      state.items.append(item)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes {
      // Fails only when the counter is full; the loop is awake then.
      eventfd_write(wakeDescriptor, 1)
    }
  }

  /// Marks the loop as waiting; false when items are queued and it must not wait. On the loop.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.items.isEmpty
      return state.isAsleep
    }
  }

  /// Swaps the queued items with the empty array `items`, after the wait. On the loop.
  func empty(into items: inout [Item]) {
    state.withLock { state in
      state.isAsleep = false
      if !state.items.isEmpty { swap(&state.items, &items) }
    }
  }

  /// Resets the eventfd when it has become readable. On the loop.
  func acknowledgeWake() {
    var value: eventfd_t = 0
    eventfd_read(wakeDescriptor, &value)
  }
}
