extension EventLoop {
  /// Work that a loop does at a later moment. Belongs to its loop; the loop holds it until it is due or cancelled.
  public final class Timer {
    /// When the work is due.
    public let deadline: MonotonicTime
    /// Nil once done or cancelled, so that what the work captured is let go.
    fileprivate var work: (() -> Void)?
    /// Where the timer stands in its loop's heap; nil when it is in none.
    fileprivate var index: Int?
    private unowned let loop: EventLoop

    init(deadline: MonotonicTime, loop: EventLoop, work: @escaping () -> Void) {
      self.deadline = deadline
      self.loop = loop
      self.work = work
    }

    /// Whether the work is still to come.
    public var isPending: Bool { work != nil }

    /// Takes the timer off its loop; nothing happens if it is done or cancelled already. On the loop.
    public func cancel() {
      loop.assertCurrent()
      work = nil
      if index != nil { loop.timers.remove(self) }
    }

    /// Does the work once.
    func fire() {
      guard let work else { return }
      self.work = nil
      work()
    }
  }
}

/// The timers of one loop: a binary heap, the earliest on top, in which each timer knows its place, so that a
/// cancelled one leaves at once (O(log n)) instead of holding its captures until it would have been due.
struct TimerHeap {
  private var heap: [EventLoop.Timer] = []

  /// When the next timer is due.
  var earliest: MonotonicTime? { heap.first?.deadline }

  /// The number of timers to come.
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
