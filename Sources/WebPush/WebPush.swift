import Chat
import Foundation
import Logging
import Outbound
import Synchronization

/// Sends push notifications to browsers that have no page of this server open.
///
/// It takes messages from commits, waits briefly for them to be read, checks the store again, and sends. So messages
/// read, deleted or muted meanwhile, and ended sessions, cause no push. Nothing waits for it: it drops and counts what
/// exceeds its limits. Without subscriptions it does nothing.
package final class WebPush: PushNotifications {
  package struct Limits: Sendable {
    /// How long to wait for a message to be read before pushing it.
    package var grace = Duration.seconds(4)
    /// The maximum number of calls in that wait.
    package var waiting = 10_000
    /// The maximum number of calls processed at once.
    package var atOnce = 8
    /// The number of attempts for a push.
    package var attempts = 5
    /// The delay before a retry, doubled each time, if the service states none.
    package var retryPause = Duration.seconds(10)
    /// The time limit for a push service's response.
    package var answer = Duration.seconds(5)
    /// The maximum number of a person's browsers that get a push.
    package var subscriptions = 20
    /// The minimum time between two test notifications.
    package var testPause = Duration.seconds(5)

    /// The default limits.
    package init() {}
  }

  /// Counts of outcomes.
  package struct Counts: Hashable, Sendable {
    /// Accepted by push services.
    package var accepted = 0
    /// Sent to ended subscriptions.
    package var gone = 0
    /// Refused by push services.
    package var refused = 0
    /// Dropped after several attempts, or because a limit was reached.
    package var dropped = 0
  }

  /// A chat of a person, in all of their browsers, or in the one that a retry is for.
  struct Call: Hashable, Sendable {
    let user: UserID
    let room: RoomID
    var session: SessionID?

    /// The same call for all browsers.
    var chat: Call { Call(user: user, room: room) }
  }

  struct Waiting: Sendable {
    /// The first waiting message.
    let seq: Int
    /// The attempts so far.
    var attempts = 0
  }

  struct State {
    /// The people with a subscription, or with one that ended a moment ago.
    var subscribers: Set<UserID> = []
    /// The number of subscriptions made.
    var subscribed = 0
    var waiting: [Call: Waiting] = [:]
    var ready: [Call] = []
    /// The calls being answered.
    var running: Set<Call> = []
    var counts = Counts()
    var shown = ShownNotifications()
    /// Until when a push service, by name, or a browser, by endpoint, refuses pushes, in monotonic time.
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

  /// Web Push over `transport`. `contact` is the operator's address for push services (`mailto:` or `https:`); `isHere`
  /// says whether a session's browser has an open page, which then shows notifications itself.
  package init(
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

  /// The outcomes so far. Callable from any thread.
  package var counts: Counts { state.withLock { $0.counts } }

  /// Takes a commit's events if there are subscriptions. Cheap, and callable from any thread.
  package func notice(_ events: [LoggedEvent]) {
    guard state.withLock({ !$0.subscribers.isEmpty && !$0.isClosed }) else { return }
    for event in events where event.name == "message.created" || event.name == "receipt.updated" { arrive.yield(event) }
  }

  /// Runs until `close`: loads the subscribers, then handles events. Throws the store's errors.
  package func run() async throws {
    let subscribers = try await store.pushSubscribers()
    state.withLock { $0.subscribers.formUnion(subscribers) }
    for await event in arrivals { take(event) }
  }

  /// Starts nothing more. Pushes in flight end within seconds.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.ready = []
      state.waiting = [:]
    }
    arrive.finish()
  }

  // MARK: PushNotifications

  /// See `PushNotifications`.
  package func publicKey() async throws -> String { try await identity.identity().publicKey }

  /// See `PushNotifications`.
  package func isSubscribed(_ session: Session) async throws -> Bool {
    try await store.pushSubscriptions(of: session.userID, at: clock.now).contains { $0.sessionID == session.id }
  }

  /// See `PushNotifications`.
  package func subscribe(_ session: Session, endpoint: String, publicKey: String, secret: String) async throws {
    var errors: [FieldError] = []
    func refuse(_ field: String, _ detail: String) {
      errors.append(FieldError(field: field, code: "invalid", detail: detail))
    }
    let address = endpoint.utf8.count <= 1024 ? WebAddress(endpoint) : nil
    if address.flatMap(hosts.reach) == nil {
      refuse("endpoint", "This server may not send to this push service.")
    }
    let key = Base64URL.decode(publicKey) ?? []
    if (try? MessageEncryption.publicKey(key)) == nil { refuse("keys.p256dh", "This is not a P-256 public key.") }
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
  package func unsubscribe(_ session: Session) async throws -> Bool {
    // Stored first, because a push in flight reads the store afterwards.
    let had = try await store.deletePushSubscription(of: session.id, endpoint: nil)
    state.withLock { $0.shown.forget(session.id) }
    return had
  }

  /// See `PushNotifications`.
  package func sessionEnded(_ session: SessionID) {
    state.withLock { state in
      state.shown.forget(session)
      state.testedAt[session] = nil
      state.waiting = state.waiting.filter { $0.key.session != session }
    }
  }

  /// See `PushNotifications`.
  package func sendTest(to session: Session, text: String) async throws {
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

/// The server's key, read from the store, or created on first use.
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
    // The store gives concurrent callers the same key.
    let key = try await store.pushKey(orKeeping: ServerIdentity.makePrivateKey())
    let identity = try ServerIdentity(privateKey: key, contact: contact)
    known = identity
    return identity
  }
}
