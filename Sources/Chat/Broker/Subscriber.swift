import Base

/// An open event stream as the broker sees it. Confined to one lane, on which all its functions are called.
package protocol Subscriber: AnyObject, Sendable {
  /// Queues an encoded event for writing. A subscriber that cannot keep up closes itself and calls
  /// `Broker.unsubscribe`, possibly within this call; it resumes from the last id that it wrote.
  func deliver(_ frame: SharedBytes)
  /// Returns when most of what was delivered has been written, or the stream is closed. Resumes on the lane.
  func drained() async
  /// Writes `frame`, if there is one, and then closes. The broker has already removed the subscriber.
  func close(after frame: SharedBytes?)
}

/// The response to a long poll: what a stream would have delivered since the requested id.
package struct SyncAnswer: Sendable {
  /// The events in order.
  package var events: [LoggedEvent]
  /// The id for the next request.
  package var lastEventID: EventID
  /// Whether the log no longer reaches back to the requested id: the client must load its state again.
  package var reset: Bool

  package init(events: [LoggedEvent], lastEventID: EventID, reset: Bool) {
    self.events = events
    self.lastEventID = lastEventID
    self.reset = reset
  }
}

/// The broker's limits.
package struct BrokerLimits: Hashable, Sendable {
  /// The maximum number of streams and polls that one person may have open.
  package var streamsPerUser: Int
  /// The maximum number of events buffered for one reader during replay.
  package var bufferedEvents: Int
  /// Their maximum size in bytes.
  package var bufferedBytes: Int
  /// The number of events read from the log at once.
  package var replayEvents: Int
  /// The number of bytes replayed before waiting for the subscriber to drain.
  package var replayBytes: Int
  /// The interval between `ping` events.
  package var pingInterval: Duration
  /// The delay before a client reconnects, as sent in `hello`, in milliseconds.
  package var retryMilliseconds: Int

  /// The defaults: a replay and a full buffer together stay below 256 KiB.
  package init(
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
