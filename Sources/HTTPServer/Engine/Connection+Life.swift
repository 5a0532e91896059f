import EventLoop
import HTTP

extension Connection {
  // MARK: Deadlines

  /// What is waited for now. A sequence number tells one wait from the next of its kind, which has a time of its own.
  private var awaited: (kind: Deadlines.Kind, sequence: Int) {
    if phase == .lingering { return (.linger, 0) }
    if !output.isEmpty { return (.write, writeProgress) }
    switch phase {
    case .head: return (input.isEmpty ? .idle : .head, requestCount)
    case .body: return (.body, requestCount)
    case .responding, .streaming, .finishing, .lingering, .closed: return (.none, 0)
    }
  }

  /// Sets the deadline for what is waited for now, unless it is set already: another byte of a slow head gives no time.
  ///
  /// The timer is not moved when the deadline moves away, which happens with every request: it fires, sees that, and
  /// waits on. So a request costs no work on timers.
  func updateDeadline() {
    let (kind, sequence) = awaited
    if let deadline, deadline.kind == kind, deadline.sequence == sequence { return }
    let nanoseconds = worker.waits[kind]
    if nanoseconds == 0 {
      deadline = nil
      return
    }
    let time = MonotonicTime(nanoseconds: worker.loop.now.nanoseconds &+ nanoseconds)
    deadline = (kind, sequence, time)
    if let timer, timer.isPending, timer.deadline <= time { return }
    timer?.cancel()
    setTimer(at: time)
  }

  private func setTimer(at time: MonotonicTime) {
    timer = worker.loop.at(time) { [unowned self] in  // `close` cancels the timer
      // What this turn has brought counts, though it is settled only at the turn's end: no answer may be lost to a
      // deadline that its request has met.
      if isUnsettled {
        settle()
        if timer?.isPending == true { return }
      }
      guard let deadline else { return }
      if deadline.time > worker.loop.now { setTimer(at: deadline.time) } else { expire(deadline.kind) }
    }
  }

  private func expire(_ kind: Deadlines.Kind) {
    deadline = nil
    switch kind {
    case .head: refuse(ProtocolError(.requestTimeout, "the head took too long"), isHEAD: parser.isReadingHEAD)
    case .body:
      if let later = extendedBodyDeadline { return wait(for: later) }
      let isHEAD = incoming?.head.method == .head
      incoming = nil
      refuse(ProtocolError(.requestTimeout, "the body took too long"), isHEAD: isHEAD)
    case .none, .idle, .write, .linger: close()
    }
  }

  /// The body's deadline with what it has earned by coming fast enough, if that is not over either.
  private var extendedBodyDeadline: MonotonicTime? {
    guard let incoming else { return nil }
    let rate = worker.configuration.limits.bodyBytesPerSecond
    let later = incoming.deadline + .milliseconds(incoming.decoder.body.count * 1000 / rate)
    return later > worker.loop.now ? later : nil
  }

  private func wait(for later: MonotonicTime) {
    deadline = (.body, requestCount, later)
    setTimer(at: later)
  }

  /// Since when the connection has waited for a request; meaningless while it does not.
  var idleSince: MonotonicTime {
    guard let deadline, deadline.kind == .idle else { return MonotonicTime(nanoseconds: .max) }
    return MonotonicTime(nanoseconds: deadline.time.nanoseconds - worker.waits[.idle])
  }

  /// Whether it has waited for a request for more than a second.
  var isLongIdle: Bool { phase == .head && !isUnsettled && idleSince < worker.loop.now + .seconds(-1) }

  // MARK: Ending

  /// The server is shutting down: ends what waits, lets what is under way finish.
  func drain() {
    switch phase {
    case .head:
      // A request that has arrived and was not yet read deserves its answer, which will be the last.
      if wantsInput { receive() }
      if phase == .head, !hasUnreadRequests { phase = .finishing }
    case .streaming: endStream()
    case .responding: interrupt()
    case .body, .finishing, .lingering, .closed: break
    }
    settle()
  }

  /// Everything is written.
  func finish() {
    // Closing a socket with unread bytes sends a reset, which can destroy the answer before the peer has read it
    // (RFC 9112 §9.6).
    guard (lingersAfterAnswer || !input.isEmpty) && !peerHasFinished else { return close() }
    SystemCall.endSending(socket)
    input = []
    phase = .lingering
  }

  /// Closes now; what is queued is lost. Nothing happens the second time.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    if let registration { worker.loop.deregister(registration) }
    registration = nil
    SystemCall.close(socket)
    timer?.cancel()
    timer = nil
    deadline = nil
    input = []
    incoming = nil
    releaseBody()
    output = OutputQueue()
    interrupt()
    if let stream {
      self.stream = nil
      worker.counters.streams.add(-1)
      stream.didClose()
    }
    worker.remove(self)
  }
}
