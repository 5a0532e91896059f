import Base
import CLinux
import Glibc

/// A thread that polls descriptors, fires timers and runs the tasks that prefer it.
///
/// It is a `TaskExecutor`: a task started with `executorPreference: loop` runs on the loop's thread, starts there
/// without a hop when it is created there (`Task.immediate`), and returns there after every `await`. State that belongs
/// to a loop is touched only on its thread and needs no lock.
///
/// In each turn the loop waits for events, handles them, fires due timers, runs jobs and closures, and then runs the
/// work deferred to the end of the turn (mostly writes).
package final class EventLoop: TaskExecutor, @unchecked Sendable {  // mutable fields belong to the loop's thread
  /// The name of the loop and its thread.
  package let name: String
  /// The start of the current turn: cheap to read and constant within the turn. On the loop.
  package private(set) var now = MonotonicTime.now()

  let mailbox: Mailbox
  var timers = TimerHeap()
  var registrations = RegistrationTable()
  let epoll: Int32

  /// Jobs enqueued on the loop's own thread.
  private var jobs: [UnownedJob] = []
  private var endOfTurn: [() -> Void] = []
  private var isStopping = false
  /// The running thread; nil before `start` and after `stop`.
  private let thread = Lock<pthread_t?>(nil)

  /// The maximum number of jobs per turn, so that tasks that keep waking each other cannot starve the descriptors.
  private static let jobsPerTurn = 4096
  private static let eventsPerTurn = 256
  /// The maximum number of timers per turn: thousands may be due at once (stalled connections), and closing each takes
  /// time.
  private static let timersPerTurn = 64

  /// Creates a loop; `start` runs it.
  /// - Throws: `SystemError` if no descriptors are left.
  package init(name: String) throws(SystemError) {
    self.name = name
    mailbox = try Mailbox()
    epoll = try SystemCall.require("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = Self.wakeToken
    try SystemCall.require("epoll_ctl") { epoll_ctl(epoll, EPOLL_CTL_ADD, mailbox.wakeDescriptor, &event) }
  }

  deinit {
    SystemCall.close(epoll)
  }

  // MARK: Life

  /// Starts the loop's thread, which first runs the work enqueued so far. The thread inherits the caller's blocked
  /// signals, and blocks SIGPIPE.
  package func start() {
    thread.withLock { thread in
      precondition(thread == nil, "the loop runs already")
      var created = pthread_t()
      let context = Unmanaged.passRetained(self).toOpaque()
      let result = pthread_create(
        &created, nil,
        { context in
          // The thread function's parameter is never null: it is `context`.
          guard let context else { return nil }
          Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().main()
          return nil
        }, context)
      precondition(result == 0, "pthread_create failed with \(result)")
      thread = created
    }
  }

  /// Stops the loop after it has run everything enqueued, and joins its thread. Drops pending timers. Not from the loop
  /// itself. A second call does nothing.
  ///
  /// Work enqueued on a stopped loop waits until the loop is started again.
  package func stop() {
    precondition(!isCurrent, "a loop cannot wait for its own end")
    guard let running = thread.withLock({ $0.take() }) else { return }
    execute { self.isStopping = true }
    pthread_join(running, nil)
  }

  /// The loop of the calling thread, if any.
  package static var current: EventLoop? {
    clinux_thread_owner().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the caller runs on this loop.
  package var isCurrent: Bool { clinux_thread_owner() == Unmanaged.passUnretained(self).toOpaque() }

  /// Traps when called off the loop: its state is not locked.
  package func assertCurrent(file: StaticString = #fileID, line: UInt = #line) {
    precondition(isCurrent, "not on the event loop", file: file, line: line)
  }

  // MARK: Work

  /// Runs `work` on the loop. Callable from any thread; calls from one thread run in order.
  package func execute(_ work: @escaping @Sendable () -> Void) {
    mailbox.put(.work(work))
  }

  /// Enqueues a task's job, from any thread. Called by the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else {
      mailbox.put(.job(job))
    }
  }

  /// Runs `work` on the loop once `delay` has passed (counted from `now`, in the turn after that). On the loop.
  @discardableResult
  package func after(_ delay: Duration, _ work: @escaping () -> Void) -> Timer {
    at(now + delay, work)
  }

  /// Runs `work` on the loop at `deadline`, in the next turn if that has passed. On the loop.
  @discardableResult
  package func at(_ deadline: MonotonicTime, _ work: @escaping () -> Void) -> Timer {
    assertCurrent()
    let timer = Timer(deadline: deadline, loop: self, work: work)
    timers.insert(timer)
    return timer
  }

  /// Runs `work` at the end of this turn, before the loop waits: the place to write the turn's output. On the loop.
  package func atEndOfTurn(_ work: @escaping () -> Void) {
    assertCurrent()
    endOfTurn.append(work)
  }

  // MARK: Turns

  private func main() {
    clinux_set_thread_owner(Unmanaged.passUnretained(self).toOpaque())
    clinux_name_thread(String(name.utf8.prefix(15)) ?? name)
    // A write to a closed connection must fail, not end the process; sendfile has no MSG_NOSIGNAL.
    SignalSource.block([SIGPIPE])
    defer {
      timers = TimerHeap()
      isStopping = false
      clinux_set_thread_owner(nil)
    }
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsPerTurn) { events in
      var items: [Mailbox.Item] = []
      while true {
        handleEvents(wait(events))
        fireTimers()
        mailbox.empty(into: &items)
        for item in items { run(item) }
        items.removeAll(keepingCapacity: true)
        runJobs()
        runEndOfTurn()
        if isStopping && jobs.isEmpty && endOfTurn.isEmpty && mailbox.fallAsleep() { return }
      }
    }
  }

  /// Waits for events, then refreshes `now`.
  private func wait(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Slice<UnsafeMutableBufferPointer<epoll_event>>
  {
    var timeout: Int32 = 0
    if jobs.isEmpty && endOfTurn.isEmpty && mailbox.fallAsleep() { timeout = millisecondsUntilTimer() }
    var count = 0
    do throws(SystemError) {
      count = Int(try SystemCall.require("epoll_wait") { waitOnce(events, timeout) })
    } catch {
      preconditionFailure("\(error)")
    }
    now = MonotonicTime.now()
    return events[..<count]
  }

  /// An interrupted wait counts as one without events, since its timeout would have to be computed anew.
  private func waitOnce(_ events: UnsafeMutableBufferPointer<epoll_event>, _ timeout: Int32) -> Int32 {
    let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
    return count < 0 && errno == EINTR ? 0 : count
  }

  /// Rounded up: a timer that fires early would find nothing due and spin.
  private func millisecondsUntilTimer() -> Int32 {
    guard let earliest = timers.earliest else { return -1 }
    let nanoseconds = earliest.nanoseconds &- MonotonicTime.now().nanoseconds
    if nanoseconds <= 0 { return 0 }
    return Int32(clamping: nanoseconds / 1_000_000 + 1)
  }

  private func handleEvents(_ events: Slice<UnsafeMutableBufferPointer<epoll_event>>) {
    for event in events {
      if event.data.u64 == Self.wakeToken {
        mailbox.acknowledgeWake()
      } else if let registered = registrations.find(Registration(token: event.data.u64)) {
        registered.handler.handle(Readiness(rawValue: event.events))
      }
    }
  }

  private func fireTimers() {
    for _ in 0..<Self.timersPerTurn {
      guard let timer = timers.popDue(at: now) else { return }
      timer.fire()
    }
  }

  private func run(_ item: Mailbox.Item) {
    switch item {
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .work(let work): work()
    }
  }

  private func runJobs() {
    var budget = Self.jobsPerTurn
    var next = 0
    while next < jobs.count, budget > 0 {
      jobs[next].runSynchronously(on: asUnownedTaskExecutor())
      next += 1
      budget -= 1
    }
    jobs.removeFirst(next)
  }

  private func runEndOfTurn() {
    if endOfTurn.isEmpty { return }
    var works: [() -> Void] = []
    swap(&works, &endOfTurn)
    for work in works { work() }
  }

  /// No registration has this slot: slots are numbered from 0.
  private static let wakeToken = UInt64.max
}
