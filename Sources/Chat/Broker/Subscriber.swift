/// An open event stream, as the broker sees it. Lives on one lane: all its functions are called there, and only there.
public protocol Subscriber<Frame>: AnyObject, Sendable {
  /// An encoded event, shared by all who get it.
  associatedtype Frame: Sendable
  /// Queues frames to be written. A subscriber that cannot keep up closes itself and calls `Broker.unsubscribe`, also
  /// from within this call; it resumes by the last id that it wrote.
  func deliver(_ frames: [Frame])
  /// Returns when what was delivered has mostly been written, or the stream is closed. Resumes on the lane.
  func drained() async
  /// Writes `frame`, if there is one, and then closes. The broker has forgotten the subscriber already.
  func close(after frame: Frame?)
}

/// The answer to a long poll: what a stream would have told since the asked id.
public struct SyncAnswer: Sendable {
  /// The events in order.
  public var events: [LoggedEvent]
  /// Where to ask from next.
  public var lastEventID: EventID
  /// True if the log does not reach back to the asked id: the client must read its state anew.
  public var reset: Bool

  /// An answer from its parts.
  public init(events: [LoggedEvent], lastEventID: EventID, reset: Bool) {
    self.events = events
    self.lastEventID = lastEventID
    self.reset = reset
  }
}

/// How much the broker holds for its readers.
public struct BrokerLimits: Hashable, Sendable {
  /// Streams and polls that one person may have open at once.
  public var streamsPerUser: Int
  /// Events that wait for one reader while the log is replayed to him.
  public var bufferedEvents: Int
  /// And their bytes.
  public var bufferedBytes: Int
  /// Events that are read from the log at once.
  public var replayEvents: Int
  /// Bytes that are replayed before the subscriber must have drained.
  public var replayBytes: Int
  /// How often streams are told that they live.
  public var pingInterval: Duration
  /// After how long a client should come back when its stream breaks, as `hello` says; milliseconds.
  public var retryMilliseconds: Int

  /// Defaults: a replay and a buffer together stay below 256 KiB (SECURITY 21).
  public init(
    streamsPerUser: Int = 32, bufferedEvents: Int = 512, bufferedBytes: Int = 64 << 10, replayEvents: Int = 200,
    replayBytes: Int = 64 << 10, pingInterval: Duration = .seconds(15), retryMilliseconds: Int = 1000
  ) {
    self.streamsPerUser = streamsPerUser
    self.bufferedEvents = bufferedEvents
    self.bufferedBytes = bufferedBytes
    self.replayEvents = replayEvents
    self.replayBytes = replayBytes
    self.pingInterval = pingInterval
    self.retryMilliseconds = retryMilliseconds
  }
}
