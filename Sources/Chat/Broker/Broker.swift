import Base

/// Distributes events to the open streams: from the store's commits to the readers on all lanes. Each event is encoded
/// once and shared. A stream first subscribes, then gets the events it missed, and then goes live, so it never misses
/// an event or gets one twice.
///
/// Each lane's readers are confined to that lane; a commit costs one `run` per lane and no lock.
package final class Broker: Announcing {
  let context: BrokerContext
  let lanes: [BrokerLane]

  /// A broker for subscribers on `lanes`. `encode` makes an event's frame and may be called on any thread. The broker
  /// reports each stream and poll that opens or closes to `presence`; nobody else needs to.
  package init(
    lanes: [any Lane], clock: any ChatClock, presence: Presence? = nil, limits: BrokerLimits = BrokerLimits(),
    encode: @escaping @Sendable (_ id: EventID?, _ name: String, _ data: [UInt8]) -> SharedBytes
  ) {
    let context = BrokerContext(
      clock: clock, limits: limits, census: StreamCensus(limit: limits.streamsPerUser, presence: presence),
      privacy: presence?.privacy, encode: encode)
    self.context = context
    self.lanes = lanes.map { BrokerLane($0, context) }
  }

  /// The delay before a reader reconnects, as sent in `hello`. Callable from any thread.
  package var retryMilliseconds: Int { context.limits.retryMilliseconds }

  /// The number of open streams and polls. Callable from any thread.
  package var streamCount: Int { context.census.count }

  /// Whether a session has an open stream or poll, that is, whether that browser has a page open. Callable from any
  /// thread.
  package func hasStream(of session: SessionID) -> Bool { context.census.has(session) }

  /// Delivers the events of one commit to the people who may see them; the store's commit observer. Callable from any
  /// thread, but for one commit at a time, in the order of their ids.
  package func publish(_ events: [LoggedEvent]) {
    let commit = events.map(context.published)
    for lane in lanes { lane.run { $0.deliver(commit) } }
  }

  /// Delivers an event that is not logged, such as typing and presence. Callable from any thread.
  package func announce(_ event: Event, to audience: Audience, except: UserID? = nil) {
    let frame = encode(event)
    var hiddenFrom: Set<UserID> = []
    // People who hide their presence do not see that of others.
    if case .presence = event { hiddenFrom = context.privacy?.hidden ?? [] }
    for lane in lanes {
      lane.run { [hiddenFrom] in $0.announce(frame, to: audience, except: except, hiddenFrom: hiddenFrom) }
    }
  }

  /// Notifies the streams of an ended session and closes them; its polls fail. Call it after the session is gone from
  /// the store. Callable from any thread.
  package func endSession(_ id: SessionID) {
    let frame = encode(.sessionEnded)
    for lane in lanes { lane.run { $0.finish(after: frame) { $0.session == id } } }
  }

  /// Closes all streams without an event, so that clients reconnect, and refuses new ones; for stopping the server.
  /// Callable from any thread.
  package func close() {
    context.census.close()
    for lane in lanes { lane.run { $0.finish(after: nil) { _ in true } } }
  }

  private func encode(_ event: Event) -> SharedBytes {
    var json = JSONWriter()
    json.value(event)
    return context.encode(nil, event.name, json.bytes)
  }
}
