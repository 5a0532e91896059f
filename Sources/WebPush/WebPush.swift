import Chat
import Foundation
import Logging
import Outbound
import Synchronization

/// Notifications straight from this server to browsers that have no page of it open (T1).
///
/// It hears of messages from the commits, waits a moment for somebody to read them, looks at what the store says then, and
/// sends; so nothing that is read, deleted, muted or signed out by then is told. Nobody waits for it: what it cannot take
/// any more it drops and counts. Until somebody subscribes it does nothing at all.
public final class WebPush: PushNotifications {
  /// How much it does.
  public struct Limits: Sendable {
    /// How long a message has to be read before somebody is called.
    public var grace = Duration.seconds(4)
    /// How many chats of people may wait for that.
    public var waiting = 10_000
    /// How many are worked on at once.
    public var atOnce = 8
    /// How often a push is tried in all.
    public var attempts = 5
    /// After how long a push is tried again, twice as long each further time, where the service does not say.
    public var retryPause = Duration.seconds(10)
    /// How long a push service has to answer.
    public var answer = Duration.seconds(5)
    /// How many browsers of one person are told.
    public var subscriptions = 20
    /// How long there is between two tests.
    public var testPause = Duration.seconds(5)

    /// The usual limits.
    public init() {}
  }

  /// What became of pushes, in numbers.
  public struct Counts: Hashable, Sendable {
    /// Taken by push services.
    public var accepted = 0
    /// To subscriptions that had ended.
    public var gone = 0
    /// Not wanted by the push service.
    public var refused = 0
    /// Given up after several attempts, or for want of room.
    public var dropped = 0
  }

  /// The chat of a person, in all his browsers or, where one of them is tried again, in that one.
  struct Call: Hashable, Sendable {
    let user: UserID
    let room: RoomID
    var session: SessionID?

    /// The same in all browsers.
    var chat: Call { Call(user: user, room: room) }
  }

  struct Waiting: Sendable {
    /// The first message of those that wait.
    let seq: Int
    /// How often it was tried.
    var attempts = 0
  }

  struct State {
    /// Who has a subscription, or had one a moment ago.
    var subscribers: Set<UserID> = []
    /// How often somebody subscribed.
    var subscribed = 0
    var waiting: [Call: Waiting] = [:]
    var ready: [Call] = []
    /// The chats whose calls are being answered.
    var running: Set<Call> = []
    var counts = Counts()
    var shown = ShownNotifications()
    /// Until when each push service, by its name, or a browser, by its endpoint, wants to be left alone, in monotonic time.
    var pauses: [String: Duration] = [:]
    var testedAt: [SessionID: Duration] = [:]
    var isClosed = false
  }

  let state = Mutex(State())
  let store: any ChatStore & PushStore
  let clock: any ChatClock
  let limits: Limits
  let logger: Logger
  let isHere: @Sendable (SessionID) -> Bool
  private let identity: IdentityKeeper
  private let hosts: PushHosts
  let sender: PushSender
  private let arrivals: AsyncStream<LoggedEvent>
  private let arrive: AsyncStream<LoggedEvent>.Continuation

  /// Web Push over `transport`. `contact` is where push services reach the operator (`mailto:` or `https:`); `isHere` tells
  /// whether a page of a session's browser is open, which then shows notifications itself.
  public init(
    store: any ChatStore & PushStore, transport: any Transport, hosts: PushHosts = PushHosts(), contact: String? = nil,
    clock: any ChatClock, limits: Limits = Limits(), logger: Logger, isHere: @escaping @Sendable (SessionID) -> Bool
  ) {
    self.store = store
    self.clock = clock
    self.limits = limits
    self.logger = logger
    self.isHere = isHere
    self.hosts = hosts
    let identity = IdentityKeeper(store: store, contact: contact)
    self.identity = identity
    sender = PushSender(
      transport: transport, hosts: hosts, clock: clock, timeout: limits.answer,
      identity: { try await identity.identity() })
    (arrivals, arrive) = AsyncStream.makeStream(of: LoggedEvent.self, bufferingPolicy: .bufferingNewest(10_000))
  }

  /// What became of pushes so far. Callable from any thread.
  public var counts: Counts { state.withLock { $0.counts } }

  /// Takes note of a commit's events, once somebody has subscribed. Callable from any thread; costs it next to nothing.
  public func notice(_ events: [LoggedEvent]) {
    guard state.withLock({ !$0.subscribers.isEmpty && !$0.isClosed }) else { return }
    for event in events where event.name == "message.created" || event.name == "receipt.updated" { arrive.yield(event) }
  }

  /// Works until `close`: learns who has subscribed, then hears what happens. Throws what the store throws.
  public func run() async throws {
    let subscribers = try await store.pushSubscribers()
    state.withLock { $0.subscribers.formUnion(subscribers) }
    for await event in arrivals { take(event) }
  }

  /// Begins nothing more; what is under way ends by itself within seconds, and nobody waits for it.
  public func close() {
    state.withLock { state in
      state.isClosed = true
      state.ready = []
      state.waiting = [:]
    }
    arrive.finish()
  }

  // MARK: What the web asks

  /// See `PushNotifications`.
  public func publicKey() async throws -> String { try await identity.identity().publicKey }

  /// See `PushNotifications`.
  public func isSubscribed(_ session: Session) async throws -> Bool {
    try await store.pushSubscriptions(of: session.userID, at: clock.now).contains { $0.sessionID == session.id }
  }

  /// See `PushNotifications`.
  public func subscribe(_ session: Session, endpoint: String, publicKey: String, secret: String) async throws {
    var errors: [FieldError] = []
    func refuse(_ field: String, _ detail: String) {
      errors.append(FieldError(field: field, code: "invalid", detail: detail))
    }
    let address = endpoint.utf8.count <= 1024 ? WebAddress(endpoint) : nil
    if address.map(hosts.allow) != true { refuse("endpoint", "This is no push service that this server may send to.") }
    let key = Base64URL.decode(publicKey) ?? []
    if (try? MessageEncryption.publicKey(key)) == nil { refuse("keys.p256dh", "This is not a public key of P-256.") }
    let shared = Base64URL.decode(secret) ?? []
    if shared.count != 16 { refuse("keys.auth", "These must be 16 bytes in base64url.") }
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    try await store.setPushSubscription(
      PushSubscription(
        sessionID: session.id, userID: session.userID, endpoint: endpoint, publicKey: key, secret: shared),
      limit: limits.subscriptions, at: clock.now)
    state.withLock { state in
      state.subscribers.insert(session.userID)
      state.subscribed += 1
    }
  }

  /// See `PushNotifications`.
  public func unsubscribe(_ session: Session) async throws -> Bool {
    // First on disk: a push that is on its way looks there afterwards.
    let had = try await store.deletePushSubscription(of: session.id, endpoint: nil)
    state.withLock { $0.shown.forget(session.id) }
    return had
  }

  /// See `PushNotifications`.
  public func sessionEnded(_ session: SessionID) {
    state.withLock { state in
      state.shown.forget(session)
      state.testedAt[session] = nil
      state.waiting = state.waiting.filter { $0.key.session != session }
    }
  }

  /// See `PushNotifications`.
  public func sendTest(to session: Session, text: String) async throws {
    let subscriptions = try await store.pushSubscriptions(of: session.userID, at: clock.now)
    guard let subscription = subscriptions.first(where: { $0.sessionID == session.id }) else {
      throw ChatError.conflict("This browser has not subscribed. Switch notifications on first.")
    }
    try waitForTest(session.id)
    let outcome = try await sender.send(
      PushPayload.test(text), to: subscription, PushSender.Handling(isUrgent: true, timeToLive: 60))
    note(outcome, of: subscription)
    switch outcome {
    case .accepted: return
    case .gone:
      try await end(subscription)
      throw ChatError.conflict("The subscription has ended. Switch notifications off and on again.")
    case .later(_, status: 0): throw ChatError.unavailable("The push service could not be reached.")
    case .later(_, let status), .refused(let status):
      throw ChatError.unavailable("The push service answered \(status).")
    }
  }

  private func waitForTest(_ session: SessionID) throws {
    let now = clock.monotonic
    let wait = state.withLock { state -> Duration in
      state.testedAt = state.testedAt.filter { $0.value > now - limits.testPause }
      if let last = state.testedAt[session] { return last + limits.testPause - now }
      state.testedAt[session] = now
      return .zero
    }
    if wait > .zero { throw ChatError.rateLimited(retryAfter: Int(wait.components.seconds) + 1) }
  }
}

/// The server's key, read from the store or made when it is first needed.
private actor IdentityKeeper {
  private let store: any PushStore
  private let contact: String?
  private var known: ServerIdentity?

  init(store: any PushStore, contact: String?) {
    self.store = store
    self.contact = contact
  }

  func identity() async throws -> ServerIdentity {
    if let known { return known }
    // Two that come here at once are given the same key by the store.
    let key = try await store.pushKey(orKeeping: ServerIdentity.makePrivateKey())
    let identity = try ServerIdentity(privateKey: key, contact: contact)
    known = identity
    return identity
  }
}
