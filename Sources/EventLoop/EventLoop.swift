import CLinux
import Glibc

/// One thread that waits for descriptors and timers, and runs the tasks that prefer it.
///
/// It is a `TaskExecutor`: a task started with `executorPreference: loop` runs on the loop's thread, starts there
/// without a hop when it is created there (`Task.immediate`), and comes back there after every `await`. What belongs
/// to a loop is touched on its thread only and needs no lock.
///
/// A turn: wait for events, handle them, fire the timers that are due, run jobs and closures, then what was put off to
/// the end of the turn (writing, mostly).
public final class EventLoop: TaskExecutor, @unchecked Sendable {  // mutable fields belong to the loop's thread
  /// The loop's name, also its thread's.
  public let name: String
  /// The moment at which the present turn began: cheap, and the same for all that happens in the turn. On the loop.
  public private(set) var now = MonotonicTime.now()

  let mailbox: Mailbox
  var timers = TimerHeap()
  var registrations = RegistrationTable()
  let epoll: Int32

  /// Jobs that were enqueued on the loop itself.
  private var jobs: [UnownedJob] = []
  private var endOfTurn: [() -> Void] = []
  private var isStopping = false
  /// The running thread; nil before `start` and after `stop`.
  private let thread = Lock<pthread_t?>(nil)

  /// Jobs run in one turn at most, so that tasks that wake each other for ever cannot starve the descriptors.
  private static let jobsPerTurn = 4096
  private static let eventsPerTurn = 256
  /// Timers fired in one turn at most: thousands may be due at once (a crowd that has stalled), and closing what they
  /// guard takes a while.
  private static let timersPerTurn = 64

  /// Creates a loop that does not run yet.
  /// - Throws: the system's refusal to give descriptors.
  public init(name: String) throws(SystemError) {
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

  /// Starts the loop's thread. What was handed to the loop before runs then. Signals stay blocked as they are in the
  /// calling thread, and SIGPIPE in any case.
  public func start() {
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

  /// Stops the loop after it has run everything that was handed to it, and joins its thread. Timers to come are
  /// dropped. Not from the loop itself. A second call does nothing.
  ///
  /// What is handed to a stopped loop waits until the loop is started again.
  public func stop() {
    precondition(!isCurrent, "a loop cannot wait for its own end")
    guard let running = thread.withLock({ $0.take() }) else { return }
    execute { self.isStopping = true }
    pthread_join(running, nil)
  }

  /// The loop that the calling thread runs, if any.
  public static var current: EventLoop? {
    clinux_thread_owner().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the calling thread is the loop's.
  public var isCurrent: Bool { clinux_thread_owner() == Unmanaged.passUnretained(self).toOpaque() }

  /// Traps when the calling thread is not the loop's: its state is not locked.
  public func assertCurrent(file: StaticString = #fileID, line: UInt = #line) {
    precondition(isCurrent, "not on the event loop", file: file, line: line)
  }

  // MARK: Work

  /// Runs `work` on the loop: from any thread, in the order of the calls of one thread.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    mailbox.put(.work(work))
  }

  /// Takes a task's job, from any thread. Called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else {
      mailbox.put(.job(job))
    }
  }

  /// Runs `work` on the loop once `delay` has passed (counted from `now`, in the turn after that). On the loop.
  @discardableResult
  public func after(_ delay: Duration, _ work: @escaping () -> Void) -> Timer {
    at(now + delay, work)
  }

  /// Runs `work` on the loop at `deadline`, in the next turn if that has passed. On the loop.
  @discardableResult
  public func at(_ deadline: MonotonicTime, _ work: @escaping () -> Void) -> Timer {
    assertCurrent()
    let timer = Timer(deadline: deadline, loop: self, work: work)
    timers.insert(timer)
    return timer
  }

  /// Runs `work` when everything else of this turn is done, before the loop waits: the place to write what the turn
  /// has produced. On the loop.
  public func atEndOfTurn(_ work: @escaping () -> Void) {
    assertCurrent()
    endOfTurn.append(work)
  }

  // MARK: Turns

  private func main() {
    clinux_set_thread_owner(Unmanaged.passUnretained(self).toOpaque())
    clinux_name_thread(String(name.utf8.prefix(15)) ?? name)
    // A peer that has gone must be an error of a write (sendfile has no MSG_NOSIGNAL), never the process's end.
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

  /// Waits until there is something to do; refreshes `now`.
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

  /// No registration has it: places are numbered from 0.
  private static let wakeToken = UInt64.max
}
