import EventLoop
import HTTP

extension Connection {
  // MARK: Deadlines

  /// What the connection waits for. The sequence number distinguishes consecutive waits of a kind, each with its own
  /// time.
  private var awaited: (kind: Deadlines.Kind, sequence: Int) {
    if phase == .lingering { return (.linger, 0) }
    if !output.isEmpty { return (.write, writeProgress) }
    switch phase {
    case .head: return (input.isEmpty ? .idle : .head, requestCount)
    case .body: return (.body, requestCount)
    case .responding where receiving != nil: return (.body, requestCount)
    case .responding, .streaming, .finishing, .lingering, .closed: return (.none, 0)
    }
  }

  /// Sets the deadline for the current wait, unless it is set: another byte of a slow head does not extend it.
  ///
  /// The timer is not moved when the deadline moves back, as it does with every request: it fires, notices, and waits
  /// again. So requests cost no timer operations.
  func updateDeadline() {
    let (kind, sequence) = awaited
    if let deadline, deadline.kind == kind, deadline.sequence == sequence { return }
    let nanoseconds = worker.waits[kind]
    if nanoseconds == 0 {
      deadline = nil
      return
    }
    var time = MonotonicTime(nanoseconds: worker.loop.now.nanoseconds &+ nanoseconds)
    if kind == .write, phase != .streaming { time = min(time, deliveryDeadline) }
    deadline = (kind, sequence, time)
    if let timer, timer.isPending, timer.deadline <= time { return }
    timer?.cancel()
    setTimer(at: time)
  }

  /// The time by which a reader must have received the output queued since it last was empty. Event streams never end,
  /// so they have a bounded queue instead.
  private var deliveryDeadline: MonotonicTime {
    let delivery = delivery ?? (worker.loop.now, 0)
    self.delivery = delivery
    let bytes = delivery.written + output.pendingBytes
    let seconds = Int64(bytes / worker.configuration.limits.answerBytesPerSecond)
    return delivery.began + .nanoseconds(worker.waits[.write]) + .seconds(seconds)
  }

  private func setTimer(at time: MonotonicTime) {
    timer = worker.loop.at(time) { [unowned self] in  // `close` cancels the timer
      // Settle this turn's events first: a request that met its deadline must get its response.
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
      let error = ProtocolError(.requestTimeout, "the body took too long")
      if receiving != nil { return endBody(.failure(InvalidBody(refusal: error))) }
      let isHEAD = incoming?.head.method == .head
      incoming = nil
      refuse(error, isHEAD: isHEAD)
    case .none, .idle, .write, .linger: close()
    }
  }

  /// The body's deadline extended by the bytes received, and by the time for which they waited for the responder; nil if
  /// that has passed too.
  private var extendedBodyDeadline: MonotonicTime? {
    let (now, rate) = (worker.loop.now, worker.configuration.limits.bodyBytesPerSecond)
    if receiving?.unreadSince != nil { return now + worker.deadlines.body }
    guard
      let (deadline, count) = receiving.map({ ($0.deadline + $0.unread, $0.count) })
        ?? incoming.map({ ($0.deadline, $0.decoder.body.count) })
    else { return nil }
    let later = deadline + .milliseconds(count * 1000 / rate)
    return later > now ? later : nil
  }

  private func wait(for later: MonotonicTime) {
    deadline = (.body, requestCount, later)
    setTimer(at: later)
  }

  /// The start of the wait for a request; meaningless at other times.
  var idleSince: MonotonicTime {
    guard let deadline, deadline.kind == .idle else { return MonotonicTime(nanoseconds: .max) }
    return MonotonicTime(nanoseconds: deadline.time.nanoseconds - worker.waits[.idle])
  }

  /// Whether it has been idle for more than a second.
  var isLongIdle: Bool { phase == .head && !isUnsettled && idleSince < worker.loop.now + .seconds(-1) }

  // MARK: Ending

  /// Shuts down: closes an idle connection, lets the current request finish.
  func drain() {
    switch phase {
    case .head:
      // A request that has arrived unread still gets its response, the last one.
      if wantsInput { receive() }
      if phase == .head, !hasUnreadRequests { phase = .finishing }
    case .streaming: endStream()
    case .responding: interrupt()
    case .body, .finishing, .lingering, .closed: break
    }
    settle()
  }

  /// Continues after the last byte was written.
  func finish() {
    // Closing a socket with unread bytes sends a reset, which can destroy the response before the peer has read it (RFC
    // 9112 §9.6).
    guard (lingersAfterAnswer || !input.isEmpty) && !peerHasFinished else { return close() }
    SystemCall.endSending(socket)
    input = []
    phase = .lingering
  }

  /// Closes now and drops the queue. Idempotent.
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
    endBody(.failure(AbandonedRequest()))
    releaseBody()
    output = OutputQueue()
    outputIsWritten()
    interrupt()
    if let stream {
      self.stream = nil
      worker.counters.streams.add(-1)
      stream.didClose()
    }
    worker.remove(self)
  }
}
