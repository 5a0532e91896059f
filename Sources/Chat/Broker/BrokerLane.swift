import Base

/// The parts that all lanes of a broker share; immutable except for the census, which has its own lock.
struct BrokerContext: Sendable {
  let clock: any ChatClock
  let limits: BrokerLimits
  let census: StreamCensus
  let privacy: Privacy?
  let encode: @Sendable (_ id: EventID?, _ name: String, _ data: [UInt8]) -> SharedBytes

  func frame(_ notice: StreamNotice) -> SharedBytes { encode(nil, notice.name, notice.data) }

  func frame(_ event: LoggedEvent) -> SharedBytes { encode(event.id, event.name, event.data) }

  func published(_ event: LoggedEvent) -> Published {
    Published(id: event.id, frame: event.isView ? nil : frame(event), bytes: event.data.count, audience: event.audience)
  }
}

/// The readers on one lane. Confined to it, so that a commit is delivered without a lock.
final class BrokerLane: @unchecked Sendable {  // mutable fields are touched on `lane` only
  private let lane: any Lane
  private let context: BrokerContext
  private var readers: [UserID: [Reader]] = [:]
  private var streams: [ObjectIdentifier: StreamReader] = [:]
  private var ping: (any ScheduledWork)?

  init(_ lane: any Lane, _ context: BrokerContext) {
    self.lane = lane
    self.context = context
  }

  /// Runs `work` on the lane. Callable from any thread.
  func run(_ work: @escaping @Sendable (BrokerLane) -> Void) {
    lane.run { work(self) }
  }

  /// Starts a task on the lane. Callable from any thread.
  func start(_ work: @escaping @Sendable () async -> Void) { lane.start(work) }

  func assertCurrent() { lane.assertCurrent() }

  /// Adds a reader. Throws `.tooManyStreams` beyond the person's limit, `.unavailable` once the broker is closed.
  func add(_ reader: Reader) throws(ChatError) {
    assertCurrent()
    try context.census.admit(reader.user, reader.session)
    readers[reader.user, default: []].append(reader)
    if let stream = reader as? StreamReader {
      let replaced = streams.updateValue(stream, forKey: ObjectIdentifier(stream.subscriber))
      precondition(replaced == nil, "a subscriber has one stream")
    }
    if ping == nil { schedulePing() }
  }

  /// Removes a reader without sending an event.
  func remove(_ reader: Reader) {
    if forget(reader) { reader.detach() }
  }

  /// Removes a stream without sending an event.
  func remove(_ subscriber: ObjectIdentifier) {
    assertCurrent()
    if let stream = streams[subscriber] { remove(stream) }
  }

  /// Removes all matching readers after sending them `frame`.
  func finish(after frame: SharedBytes?, where fits: (Reader) -> Bool) {
    assertCurrent()
    for reader in readers.values.joined().filter(fits) where forget(reader) { reader.finish(after: frame) }
  }

  /// Delivers the events of one commit.
  func deliver(_ commit: [Published]) {
    assertCurrent()
    for event in commit { forEachReader(of: event.audience) { $0.accept(event) } }
  }

  /// Delivers an event without an id, except to people who may not see it.
  func announce(_ frame: SharedBytes, to audience: Audience, except: UserID?, hiddenFrom: Set<UserID> = []) {
    assertCurrent()
    forEachReader(of: audience) { reader in
      if reader.user != except, !hiddenFrom.contains(reader.user) { reader.announce(frame) }
    }
  }

  /// Iterates over copies, since a subscriber may leave while it is delivered to.
  private func forEachReader(of audience: Audience, _ body: (Reader) -> Void) {
    switch audience {
    case .everyone: for person in Array(readers.values) { for reader in person { body(reader) } }
    case .user(let id): for reader in readers[id] ?? [] { body(reader) }
    case .members(_, let ids): for id in ids { for reader in readers[id] ?? [] { body(reader) } }
    }
  }

  private func forget(_ reader: Reader) -> Bool {
    assertCurrent()
    guard let index = readers[reader.user]?.firstIndex(where: { $0 === reader }) else { return false }
    readers[reader.user]?.remove(at: index)
    if readers[reader.user]?.isEmpty == true { readers[reader.user] = nil }
    if let stream = reader as? StreamReader { streams[ObjectIdentifier(stream.subscriber)] = nil }
    context.census.leave(reader.user, reader.session)
    if readers.isEmpty {
      ping?.cancel()
      ping = nil
    }
    return true
  }

  /// A single timer for all streams of the lane; it stops while there are none.
  private func schedulePing() {
    ping = context.clock.after(context.limits.pingInterval) { [weak self] in
      self?.run { lane in
        // The timer may have been cancelled while this call was on its way.
        guard lane.ping != nil else { return }
        lane.schedulePing()
        lane.announce(lane.context.frame(.ping(serverTime: lane.context.clock.now)), to: .everyone, except: nil)
      }
    }
  }
}
