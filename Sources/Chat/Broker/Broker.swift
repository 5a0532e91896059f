/// Brings events to the open streams (H2): from the store's commits to the readers on all lanes, each event encoded once
/// and shared. A stream subscribes first, is then replayed what it missed, and then is live, so that nothing falls between
/// and nothing comes twice (S5).
///
/// Each lane's readers are confined to that lane; a commit costs one `run` for each lane and no lock.
public final class Broker<Frame: Sendable>: Announcing {
  let context: BrokerContext<Frame>
  let lanes: [BrokerLane<Frame>]

  /// A broker for subscribers on `lanes`. `encode` makes an event's frame and is called on any thread. The broker tells
  /// `presence` of each stream and poll that opens or closes; nobody else needs to.
  public init(
    lanes: [any Lane], clock: any ChatClock, presence: Presence? = nil, limits: BrokerLimits = BrokerLimits(),
    encode: @escaping @Sendable (_ id: EventID?, _ name: String, _ data: [UInt8]) -> Frame
  ) {
    let context = BrokerContext(
      clock: clock, limits: limits, census: StreamCensus(limit: limits.streamsPerUser, presence: presence),
      privacy: presence?.privacy, encode: encode)
    self.context = context
    self.lanes = lanes.map { BrokerLane($0, context) }
  }

  /// How many streams and polls are open. Callable from any thread.
  public var streamCount: Int { context.census.count }

  /// Whether a session has a stream or a poll open: a page of that browser is there. Callable from any thread.
  public func hasStream(of session: SessionID) -> Bool { context.census.has(session) }

  /// The events of one commit, to those who may see them: the store's commit observer. Callable from any thread, but for
  /// one commit after the other, in the order of their ids.
  public func publish(_ events: [LoggedEvent]) {
    let hidden = context.hidden
    let commit = events.map { context.published($0, hidden) }
    for lane in lanes { lane.run { $0.deliver(commit) } }
  }

  /// An event that is not logged: typing, presence. Callable from any thread.
  public func announce(_ event: Event, to audience: Audience, except: UserID? = nil) {
    let frame = encode(event)
    var hiddenFrom: Set<UserID> = []
    // Whoever hides when he is here does not see it of others (S6).
    if case .presence = event { hiddenFrom = context.hidden.lastSeen }
    for lane in lanes {
      lane.run { [hiddenFrom] in $0.announce(frame, to: audience, except: except, hiddenFrom: hiddenFrom) }
    }
  }

  /// Tells the streams of a session that it has ended, and closes them (SECURITY 9); its polls fail. To be called when
  /// the session is gone from the store. Callable from any thread.
  public func endSession(_ id: SessionID) {
    let frame = encode(.sessionEnded)
    for lane in lanes { lane.run { $0.finish(after: frame) { $0.session == id } } }
  }

  /// Closes all streams without a word, so that clients come back, and refuses new ones: the server stops. Callable from
  /// any thread.
  public func close() {
    context.census.close()
    for lane in lanes { lane.run { $0.finish(after: nil) { _ in true } } }
  }

  private func encode(_ event: Event) -> Frame {
    var json = JSONWriter()
    json.value(event, NobodyOnline())
    return context.encode(nil, event.name, json.bytes)
  }
}
