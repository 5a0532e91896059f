import Base

/// A logged event on its way to readers: one frame, shared by all of them, or none where each reader's is another one,
/// which is read from the log.
struct Published: Sendable {
  let id: EventID
  let frame: SharedBytes?
  let bytes: Int
  let audience: Audience
}

/// A reader of events on one lane: a stream or a poll.
class Reader: @unchecked Sendable {  // touched on its lane only
  let user: UserID
  let session: SessionID?
  /// False once the broker has removed it; checked again after every `await`.
  fileprivate(set) var isOpen = true

  init(user: UserID, session: SessionID?) {
    self.user = user
    self.session = session
  }

  /// Delivers an event of a commit.
  func accept(_ event: Published) {}
  /// Delivers an event without an id.
  func announce(_ frame: SharedBytes) {}
  /// The broker removes the reader, after sending `frame` if there is one.
  func finish(after frame: SharedBytes?) { isOpen = false }
  /// The broker removes a reader that already knows.
  func detach() { isOpen = false }
}

/// A stream. First the events it missed are read from the log, while new ones wait in a bounded buffer; then it is
/// live. `position` is the id up to which it has received everything it may see, so nothing is delivered twice.
final class StreamReader: Reader, @unchecked Sendable {  // touched on its lane only
  private enum Phase {
    /// Before `hello`: nothing is delivered.
    case opening
    /// Events wait in the buffer; announcements are delivered.
    case replaying
    case live
  }

  let subscriber: any Subscriber
  private let limits: BrokerLimits
  private var phase = Phase.opening
  private(set) var position: EventID = 0
  private var buffer: [Published] = []
  private var bufferedBytes = 0
  private var hasOverflowed = false
  /// Announcements made before `hello`.
  private var early: [SharedBytes] = []
  /// Starts reading the log again, to `goLive`.
  private let fallBack: @Sendable (StreamReader) -> Void

  init(
    _ subscriber: any Subscriber, user: UserID, session: SessionID?, limits: BrokerLimits,
    fallBack: @escaping @Sendable (StreamReader) -> Void
  ) {
    self.subscriber = subscriber
    self.limits = limits
    self.fallBack = fallBack
    super.init(user: user, session: session)
  }

  var hasSaidHello: Bool { phase != .opening }

  override func accept(_ event: Published) {
    // Replay may have delivered it already, because events are logged before they reach the lanes.
    guard isOpen, event.id > position else { return }
    guard phase == .live else { return keep(event) }
    guard let frame = event.frame else {
      phase = .replaying
      return fallBack(self)
    }
    position = event.id
    subscriber.deliver(frame)
  }

  override func announce(_ frame: SharedBytes) {
    guard isOpen else { return }
    if hasSaidHello {
      subscriber.deliver(frame)
    } else if early.count < limits.bufferedEvents {
      early.append(frame)
    }
  }

  override func finish(after frame: SharedBytes?) {
    super.finish(after: frame)
    subscriber.close(after: frame)
  }

  /// Starts the stream: `frames` are the `hello`, and a `reset` if needed. Everything up to `id` counts as delivered.
  func begin(at id: EventID, _ frames: [SharedBytes]) {
    phase = .replaying
    position = id
    let waiting = early
    early = []
    deliver(frames + waiting)
  }

  /// Continues from `id` although earlier events were missed, after a `reset`.
  func skip(to id: EventID, _ frame: SharedBytes) {
    position = max(position, id)
    subscriber.deliver(frame)
  }

  /// Delivers replayed events, the last of them with `id`.
  func replay(_ frames: [SharedBytes], to id: EventID) {
    position = max(position, id)
    deliver(frames)
  }

  /// Called before each read of the log: an overflowed buffer starts over, since everything the lane has delivered so
  /// far is in the log.
  func prepareToRead() { hasOverflowed = false }

  /// Called when the log has been read to its end: delivers the buffered events and goes live. Returns false if the
  /// buffer has overflowed since that read began, which requires another read.
  func goLive() -> Bool {
    guard !hasOverflowed else { return false }
    let waiting = buffer.filter { $0.id > position }
    buffer = []
    bufferedBytes = 0
    phase = .live
    if let last = waiting.last {
      position = last.id
      deliver(waiting.compactMap(\.frame))
    }
    return true
  }

  /// The subscriber may leave between two frames.
  private func deliver(_ frames: [SharedBytes]) {
    for frame in frames where isOpen { subscriber.deliver(frame) }
  }

  private func keep(_ event: Published) {
    guard !hasOverflowed else { return }
    // One that has to be read from the log makes another read necessary, and that brings the others.
    guard event.frame != nil else { return overflow() }
    if buffer.count < limits.bufferedEvents, bufferedBytes + event.bytes <= limits.bufferedBytes {
      buffer.append(event)
      bufferedBytes += event.bytes
    } else {
      // Events that replay has delivered meanwhile need no buffering.
      buffer.removeAll { $0.id <= position }
      bufferedBytes = buffer.reduce(0) { $0 + $1.bytes }
      if buffer.count < limits.bufferedEvents, bufferedBytes + event.bytes <= limits.bufferedBytes {
        buffer.append(event)
        bufferedBytes += event.bytes
      } else {
        overflow()
      }
    }
  }

  private func overflow() {
    hasOverflowed = true
    buffer = []
    bufferedBytes = 0
  }
}

/// A long poll: waits for the first event that its person may see.
final class PollReader: Reader, @unchecked Sendable {  // touched on its lane only
  private var hasNews = false
  private(set) var isOver = false
  private var waiter: CheckedContinuation<Void, Never>?

  override func accept(_ event: Published) {
    hasNews = true
    wake()
  }

  override func finish(after frame: SharedBytes?) {
    super.finish(after: frame)
    wake()
  }

  /// The time is up, or nobody waits for the response any more.
  func expire() {
    isOver = true
    wake()
  }

  /// Called before each read of the log: later events end the wait.
  func prepareToRead() { hasNews = false }

  /// Returns when there is news, the time is up, or the broker has removed the poll.
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
