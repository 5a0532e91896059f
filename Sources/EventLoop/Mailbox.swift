import CLinux
import Glibc

/// What other threads hand to a loop. Many items cost one wake-up, and none while the loop is busy anyway.
final class Mailbox: Sendable {
  /// A piece of work: a task's job, or a closure.
  enum Item {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    /// Whether the loop waits, or is about to, and nobody has woken it yet.
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

  /// Puts an item in, from any thread.
  func put(_ item: Item) {
    let wakes = state.withLock { state in
      state.items.append(item)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes {
      // Fails only when the counter is full, and then the loop is awake.
      eventfd_write(wakeDescriptor, 1)
    }
  }

  /// On the loop, before it waits: false when there is something in the box, so that it must not wait.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.items.isEmpty
      return state.isAsleep
    }
  }

  /// On the loop, after it waited: exchanges what is in the box for the empty array `items`.
  func empty(into items: inout [Item]) {
    state.withLock { state in
      state.isAsleep = false
      if !state.items.isEmpty { swap(&state.items, &items) }
    }
  }

  /// On the loop, when the eventfd has become readable.
  func acknowledgeWake() {
    var value: eventfd_t = 0
    eventfd_read(wakeDescriptor, &value)
  }
}
