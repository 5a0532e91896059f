import EventLoop

/// What carries an event stream's bytes. On the stream's loop.
protocol EventStreamTransport: AnyObject {
  /// Bytes that were sent on the stream and that the system has not yet taken.
  var queuedBytes: Int { get }
  /// Queues a frame; it is written at the end of the turn.
  func enqueue(_ frame: SharedBytes)
  /// Writes what the system takes now.
  func flushNow()
  /// Closes once everything queued is written.
  func closeWhenFlushed()
  /// The reader has fallen too far behind: closes at once, and what is queued is lost.
  func overflow()
}

/// One reader's `text/event-stream`. Everything but `loop` and `id` is for the stream's loop only, and traps elsewhere.
///
/// A reader that falls behind by more than `Limits.queuedStreamBytes` is disconnected; it comes back by itself and
/// resumes by its last event's id. No other reader notices.
public final class EventStream: @unchecked Sendable {  // the mutable fields below are touched on `loop` only
  /// The loop that the stream belongs to.
  public let loop: EventLoop
  /// The id of the request that opened the stream.
  public let id: String

  private let limit: Int
  /// Nil once the stream has ended; until then the connection and the stream hold each other.
  private var transport: (any EventStreamTransport)?
  private var isFinishing = false
  private var closeHandlers: [() -> Void] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(id: String, loop: EventLoop, limit: Int, transport: any EventStreamTransport) {
    self.id = id
    self.loop = loop
    self.limit = limit
    self.transport = transport
  }

  /// Whether the stream takes frames: neither closed nor about to be.
  public var isOpen: Bool {
    loop.assertCurrent()
    return transport != nil && !isFinishing
  }

  /// Bytes that wait for the reader, as far as the program knows; the system's own buffers come on top.
  public var queuedBytes: Int {
    loop.assertCurrent()
    return transport?.queuedBytes ?? 0
  }

  /// Queues a frame, a whole event as encoded; all frames of a turn leave together at its end. Ignored after the end.
  /// A queue that would grow beyond the limit ends the stream, and then the handlers of `onClose` run within this call.
  public func send(_ frame: SharedBytes) {
    guard isOpen else { return }
    if let transport, transport.queuedBytes + frame.count > limit {
      // Perhaps the reader keeps up and this turn merely has much to say.
      transport.flushNow()
    }
    // Looked up again: writing may have found that the reader is gone.
    guard let transport else { return }
    if transport.queuedBytes + frame.count > limit {
      transport.overflow()
    } else {
      transport.enqueue(frame)
    }
  }

  /// Returns when at most half of the allowed queue is taken, or when the stream has ended: what replays a long
  /// history in pages waits here between the pages.
  public func drained() async {
    loop.assertCurrent()
    if queuedBytes * 2 <= limit { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  /// Ends the stream once everything queued, `frame` last, is written. The frame is exempt from the limit.
  public func close(after frame: SharedBytes? = nil) {
    guard isOpen, let transport else { return }
    isFinishing = true
    if let frame { transport.enqueue(frame) }
    transport.closeWhenFlushed()
  }

  /// Runs `work` on the loop when the stream has ended, for whatever reason, exactly once; at once if it has ended
  /// already. May be called more than once.
  public func onClose(_ work: @escaping () -> Void) {
    loop.assertCurrent()
    if transport == nil { work() } else { closeHandlers.append(work) }
  }

  /// The transport has written something.
  func didWrite() {
    if !waiters.isEmpty && queuedBytes * 2 <= limit { resumeWaiters() }
  }

  /// The transport has ended.
  func didClose() {
    guard transport != nil else { return }
    transport = nil
    let handlers = closeHandlers
    closeHandlers = []
    for handler in handlers { handler() }
    resumeWaiters()
  }

  private func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.resume() }
  }
}
