import Base
import EventLoop

/// Transports an event stream's bytes. On the stream's loop.
protocol EventStreamTransport: AnyObject {
  /// Bytes queued that the kernel has not accepted yet.
  var queuedBytes: Int { get }
  /// Queues a frame for writing at the end of the turn.
  func enqueue(_ frame: SharedBytes)
  /// Writes as much as the kernel accepts.
  func flushNow()
  /// Closes after writing everything queued.
  func closeWhenFlushed()
  /// Closes at once and drops the queue, because the reader has fallen too far behind.
  func overflow()
}

/// One reader's `text/event-stream`. Everything but `loop` and `id` traps off the stream's loop.
///
/// A reader that falls behind by more than `Limits.queuedStreamBytes` is disconnected; it reconnects by itself and
/// resumes by its last event id. Other readers are not affected.
package final class EventStream: @unchecked Sendable {  // the mutable fields below are touched on `loop` only
  package let loop: EventLoop
  /// The id of the request that opened the stream.
  package let id: String

  private let limit: Int
  /// Nil once the stream has ended; until then the connection and the stream retain each other.
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

  /// Whether the stream accepts frames: neither closed nor closing.
  package var isOpen: Bool {
    loop.assertCurrent()
    return transport != nil && !isFinishing
  }

  /// Bytes queued for the reader, not counting the kernel's buffers.
  package var queuedBytes: Int {
    loop.assertCurrent()
    return transport?.queuedBytes ?? 0
  }

  /// Queues a frame, one encoded event; all frames of a turn are written together at its end. Ignored after the stream
  /// has ended. Exceeding the queue's limit ends the stream and runs the `onClose` handlers within this call.
  package func send(_ frame: SharedBytes) {
    guard isOpen else { return }
    if let transport, transport.queuedBytes + frame.count > limit {
      // The reader may be keeping up while this turn produces a lot: write now to find out.
      transport.flushNow()
    }
    // Check again: the write may have found the connection closed.
    guard let transport else { return }
    if transport.queuedBytes + frame.count > limit {
      transport.overflow()
    } else {
      transport.enqueue(frame)
    }
  }

  /// Returns when at most half of the allowed queue is in use, or the stream has ended. The replay of a long history
  /// waits here between its pages.
  package func drained() async {
    loop.assertCurrent()
    if queuedBytes * 2 <= limit { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  /// Ends the stream after writing everything queued and then `frame`, which is exempt from the limit.
  package func close(after frame: SharedBytes? = nil) {
    guard isOpen, let transport else { return }
    isFinishing = true
    if let frame { transport.enqueue(frame) }
    transport.closeWhenFlushed()
  }

  /// Runs `work` once, on the loop, when the stream has ended for any reason; at once if it already has. May be called
  /// more than once.
  package func onClose(_ work: @escaping () -> Void) {
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
