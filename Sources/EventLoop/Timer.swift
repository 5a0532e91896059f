extension EventLoop {
  /// Work that a loop runs later. The loop retains it until it fires or is cancelled. On the loop only.
  package final class Timer {
    package let deadline: MonotonicTime
    /// Nil once fired or cancelled, to release what the closure captured.
    fileprivate var work: (() -> Void)?
    /// The index in the loop's heap; nil outside of it.
    fileprivate var index: Int?
    private unowned let loop: EventLoop

    init(deadline: MonotonicTime, loop: EventLoop, work: @escaping () -> Void) {
      self.deadline = deadline
      self.loop = loop
      self.work = work
    }

    /// Whether the work has neither run nor been cancelled.
    package var isPending: Bool { work != nil }

    /// Cancels the timer; does nothing if it has fired or been cancelled. On the loop.
    package func cancel() {
      loop.assertCurrent()
      work = nil
      if index != nil { loop.timers.remove(self) }
    }

    func fire() {
      guard let work else { return }
      self.work = nil
      work()
    }
  }
}

/// The timers of one loop: a binary min-heap in which each timer knows its index, so that cancelling removes it in
/// O(log n) and releases its captures at once.
struct TimerHeap {
  private var heap: [EventLoop.Timer] = []

  var earliest: MonotonicTime? { heap.first?.deadline }

  /// The number of pending timers.
  var count: Int { heap.count }

  mutating func insert(_ timer: EventLoop.Timer) {
    heap.append(timer)
    timer.index = heap.count - 1
    moveUp(heap.count - 1)
  }

  mutating func remove(_ timer: EventLoop.Timer) {
    guard let index = timer.index else { return }
    timer.index = nil
    let last = heap.removeLast()
    if index == heap.count { return }
    heap[index] = last
    last.index = index
    moveDown(index)
    moveUp(last.index ?? index)
  }

  /// Removes and returns the earliest timer if it is due at `now`.
  mutating func popDue(at now: MonotonicTime) -> EventLoop.Timer? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first)
    return first
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      if heap[parent].deadline <= heap[index].deadline { return }
      swap(index, parent)
      index = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in (2 * index + 1)...(2 * index + 2)
      where child < heap.count && heap[child].deadline < heap[smallest].deadline {
        smallest = child
      }
      if smallest == index { return }
      swap(index, smallest)
      index = smallest
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    heap[left].index = left
    heap[right].index = right
  }
}
