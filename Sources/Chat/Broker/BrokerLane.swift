/// What all lanes of a broker share; nothing here changes but the census, which has its own lock.
struct BrokerContext<Frame: Sendable>: Sendable {
  let clock: any ChatClock
  let limits: BrokerLimits
  let census: StreamCensus
  let privacy: Privacy?
  let encode: @Sendable (_ id: EventID?, _ name: String, _ data: [UInt8]) -> Frame

  func frame(_ notice: StreamNotice) -> Frame { encode(nil, notice.name, notice.data) }

  /// An event for one reader.
  func frame(_ event: LoggedEvent, for reader: UserID) -> Frame {
    encode(event.id, event.name, MaskedEvent(event, hidden).data(for: reader))
  }

  /// An event for all its readers.
  func published(_ event: LoggedEvent, _ hidden: Hidden) -> Published<Frame> {
    let masked = MaskedEvent(event, hidden)
    return Published(
      id: event.id, frame: encode(event.id, event.name, masked.data),
      maskedFrame: masked.masked.map { encode(event.id, event.name, $0) }, maskedReaders: masked.readers,
      bytes: event.data.count, audience: event.audience)
  }

  /// Who hides what, now.
  var hidden: Hidden { privacy?.hidden ?? Hidden() }
}

/// The readers that live on one lane. Confined to it, so that a commit passes without a lock.
final class BrokerLane<Frame: Sendable>: @unchecked Sendable {
  // Sendable because everything but `lane` and `context`, which are constant, is only touched on the lane.
  private let lane: any Lane
  private let context: BrokerContext<Frame>
  private var readers: [UserID: [Reader<Frame>]] = [:]
  private var streams: [ObjectIdentifier: StreamReader<Frame>] = [:]
  private var ping: (any ScheduledWork)?

  init(_ lane: any Lane, _ context: BrokerContext<Frame>) {
    self.lane = lane
    self.context = context
  }

  /// Runs `work` on the lane. Callable from any thread.
  func run(_ work: @escaping @Sendable (BrokerLane<Frame>) -> Void) {
    lane.run { work(self) }
  }

  func assertCurrent() { lane.assertCurrent() }

  /// Takes a reader in. Throws `.rateLimited` beyond the person's share, `.unavailable` once the broker is closed.
  func add(_ reader: Reader<Frame>) throws(ChatError) {
    assertCurrent()
    try context.census.admit(reader.user, reader.session)
    readers[reader.user, default: []].append(reader)
    if let stream = reader as? StreamReader<Frame> {
      let replaced = streams.updateValue(stream, forKey: ObjectIdentifier(stream.subscriber))
      precondition(replaced == nil, "a subscriber has one stream")
    }
    if ping == nil { schedulePing() }
  }

  /// Lets go of a reader without a word.
  func remove(_ reader: Reader<Frame>) {
    if forget(reader) { reader.detach() }
  }

  /// Lets go of a stream without a word.
  func remove(_ subscriber: ObjectIdentifier) {
    assertCurrent()
    if let stream = streams[subscriber] { remove(stream) }
  }

  /// Lets go of all readers that fit, after telling them `frame`.
  func finish(after frame: Frame?, where fits: (Reader<Frame>) -> Bool) {
    assertCurrent()
    for reader in readers.values.joined().filter(fits) where forget(reader) { reader.finish(after: frame) }
  }

  /// Passes on the events of one commit; each reader gets his in one piece.
  func deliver(_ commit: [Published<Frame>]) {
    assertCurrent()
    guard !readers.isEmpty else { return }
    var touched: [Reader<Frame>] = []
    for event in commit {
      forEachReader(of: event.audience) { reader in
        if reader.accept(event) { touched.append(reader) }
      }
    }
    for reader in touched { reader.flush() }
  }

  /// Passes on an event without an id, but not to those who do not see it of others.
  func announce(_ frame: Frame, to audience: Audience, except: UserID?, hiddenFrom: Set<UserID> = []) {
    assertCurrent()
    var touched: [Reader<Frame>] = []
    forEachReader(of: audience) { reader in
      if reader.user != except, !hiddenFrom.contains(reader.user) { touched.append(reader) }
    }
    // Only now, since a subscriber may leave while it is delivered to.
    for reader in touched { reader.announce(frame) }
  }

  private func forEachReader(of audience: Audience, _ body: (Reader<Frame>) -> Void) {
    switch audience {
    case .everyone: readers.values.joined().forEach(body)
    case .user(let id): readers[id]?.forEach(body)
    case .members(_, let ids): for id in ids { readers[id]?.forEach(body) }
    }
  }

  private func forget(_ reader: Reader<Frame>) -> Bool {
    assertCurrent()
    guard let index = readers[reader.user]?.firstIndex(where: { $0 === reader }) else { return false }
    readers[reader.user]?.remove(at: index)
    if readers[reader.user]?.isEmpty == true { readers[reader.user] = nil }
    if let stream = reader as? StreamReader<Frame> { streams[ObjectIdentifier(stream.subscriber)] = nil }
    context.census.leave(reader.user, reader.session)
    if readers.isEmpty {
      ping?.cancel()
      ping = nil
    }
    return true
  }

  /// One timer for all streams of the lane; it rests while there are none.
  private func schedulePing() {
    ping = context.clock.after(context.limits.pingInterval) { [weak self] in
      self?.run { lane in
        // The timer may have been cancelled while this was on its way.
        guard lane.ping != nil else { return }
        lane.schedulePing()
        lane.announce(lane.context.frame(.ping(serverTime: lane.context.clock.now)), to: .everyone, except: nil)
      }
    }
  }
}
