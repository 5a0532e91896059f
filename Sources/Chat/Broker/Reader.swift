/// A logged event on its way to readers, encoded once for all of them, or twice where some may not see all of it.
struct Published<Frame: Sendable>: Sendable {
  let id: EventID
  let frame: Frame
  /// For `maskedReaders`; nil where there is nothing to hide.
  let maskedFrame: Frame?
  let maskedReaders: MaskedEvent.Readers
  let bytes: Int
  let audience: Audience

  func frame(for reader: UserID) -> Frame {
    if let maskedFrame, maskedReaders.contains(reader) { maskedFrame } else { frame }
  }
}

/// Somebody who reads events on one lane: a stream or a poll.
class Reader<Frame: Sendable>: @unchecked Sendable {
  // Sendable because it is only touched on its lane.
  let user: UserID
  let session: SessionID?
  /// False once the broker has let go of it; looked at again after every `await`.
  fileprivate(set) var isOpen = true

  init(user: UserID, session: SessionID?) {
    self.user = user
    self.session = session
  }

  /// Takes an event of a commit; true if `flush` must be called when the commit is through, once.
  func accept(_ event: Published<Frame>) -> Bool { false }
  /// Passes on what the commit brought.
  func flush() {}
  /// Takes an event without an id.
  func announce(_ frame: Frame) {}
  /// The broker lets go, after saying why or without a word.
  func finish(after frame: Frame?) { isOpen = false }
  /// The broker lets go of a reader that knows.
  func detach() { isOpen = false }
}

/// A stream: first what it missed is read from the log while what happens meanwhile waits in a bounded buffer, then it is
/// live. `position` is the id up to which it has been told all that it may see, so nothing is told twice.
final class StreamReader<Frame: Sendable>: Reader<Frame>, @unchecked Sendable {
  // Sendable as its superclass is.
  private enum Phase {
    /// Before `hello`: nothing is delivered.
    case opening
    /// Events wait in the buffer, announcements pass.
    case replaying
    case live
  }

  let subscriber: any Subscriber<Frame>
  private let limits: BrokerLimits
  private var phase = Phase.opening
  private(set) var position: EventID = 0
  private var buffer: [Published<Frame>] = []
  private var bufferedBytes = 0
  private var hasOverflowed = false
  /// Announcements from before `hello`.
  private var early: [Frame] = []
  /// What the commit under way has brought.
  private var batch: [Frame] = []

  init(_ subscriber: any Subscriber<Frame>, user: UserID, session: SessionID?, limits: BrokerLimits) {
    self.subscriber = subscriber
    self.limits = limits
    super.init(user: user, session: session)
  }

  var hasSaidHello: Bool { phase != .opening }

  override func accept(_ event: Published<Frame>) -> Bool {
    // Replay may have told it already: the log knows an event before the lanes do.
    guard isOpen, event.id > position else { return false }
    guard phase == .live else {
      keep(event)
      return false
    }
    position = event.id
    batch.append(event.frame(for: user))
    return batch.count == 1
  }

  override func flush() {
    let frames = batch
    batch = []
    guard isOpen else { return }
    subscriber.deliver(frames)
  }

  override func announce(_ frame: Frame) {
    guard isOpen else { return }
    if hasSaidHello {
      subscriber.deliver([frame])
    } else if early.count < limits.bufferedEvents {
      early.append(frame)
    }
  }

  override func finish(after frame: Frame?) {
    super.finish(after: frame)
    subscriber.close(after: frame)
  }

  /// Begins: `frames` are the `hello`, and a `reset` where one is due. All up to `id` counts as known.
  func begin(at id: EventID, _ frames: [Frame]) {
    phase = .replaying
    position = id
    let waiting = early
    early = []
    subscriber.deliver(frames + waiting)
  }

  /// Goes on from `id` although events before it were missed, after a `reset`.
  func skip(to id: EventID, _ frame: Frame) {
    position = max(position, id)
    subscriber.deliver([frame])
  }

  /// Replayed events, the last of them with `id`.
  func replay(_ frames: [Frame], to id: EventID) {
    position = max(position, id)
    if !frames.isEmpty { subscriber.deliver(frames) }
  }

  /// Before each read of the log: an overflown buffer starts anew. Whatever the lane has passed by then is in the log.
  func prepareToRead() {
    guard hasOverflowed else { return }
    hasOverflowed = false
  }

  /// Once the log has been read to its end: tells what waits, and from now on all at once. False if the buffer has
  /// overflown since that read began, which makes another read necessary.
  func goLive() -> Bool {
    guard !hasOverflowed else { return false }
    let waiting = buffer.filter { $0.id > position }
    buffer = []
    bufferedBytes = 0
    phase = .live
    if let last = waiting.last {
      position = last.id
      subscriber.deliver(waiting.map { $0.frame(for: user) })
    }
    return true
  }

  private func keep(_ event: Published<Frame>) {
    guard !hasOverflowed else { return }
    if buffer.count < limits.bufferedEvents, bufferedBytes + event.bytes <= limits.bufferedBytes {
      buffer.append(event)
      bufferedBytes += event.bytes
    } else {
      // What replay has told since then need not wait any longer.
      buffer.removeAll { $0.id <= position }
      bufferedBytes = buffer.reduce(0) { $0 + $1.bytes }
      if buffer.count < limits.bufferedEvents, bufferedBytes + event.bytes <= limits.bufferedBytes {
        buffer.append(event)
        bufferedBytes += event.bytes
      } else {
        hasOverflowed = true
        buffer = []
        bufferedBytes = 0
      }
    }
  }
}

/// A long poll: waits for the first event that its person may see.
final class PollReader<Frame: Sendable>: Reader<Frame>, @unchecked Sendable {
  // Sendable as its superclass is.
  private var hasNews = false
  private(set) var isOver = false
  private var waiter: CheckedContinuation<Void, Never>?

  override func accept(_ event: Published<Frame>) -> Bool {
    hasNews = true
    return true
  }

  override func flush() { wake() }

  override func finish(after frame: Frame?) {
    super.finish(after: frame)
    wake()
  }

  /// The time is up, or nobody waits for the answer any more.
  func expire() {
    isOver = true
    wake()
  }

  /// Before each read of the log: what comes from now on is news.
  func prepareToRead() { hasNews = false }

  /// Returns when there are news, the time is up or the broker has let go.
  func news() async {
    guard isOpen, !isOver, !hasNews else { return }
    await withCheckedContinuation { waiter = $0 }
  }

  private func wake() {
    let waiting = waiter
    waiter = nil
    waiting?.resume()
  }
}
