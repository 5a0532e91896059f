import Base
import Chat
import ChatSQLite
import ChatTesting
import EventLoop
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import Logging
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Web
@testable import WebPush

/// A complete Hubbub for a test: the real store in a temporary folder, the real core, and a server once it is needed.
final class TestHub: Sendable {
  /// What differs between tests.
  struct Options {
    var directory: (@Sendable (any ChatStore, any ChatClock) -> any Directory)?
    var gitHub: (@Sendable (any NewsStore, any ChatClock) -> any News & GitHubThings)?
    var publicBase: String?
    var hostNames: Set<String>?
    var metricsReaders = MetricsReaders()
    var trustedProxies = TrustedProxies()
    var registration = RegistrationMode.open
    var throttle: Throttle.Limits?
    /// Whether people have rate limits.
    var hasAllowances = false
    /// Replaces the cheap passwords.
    var hasher: (any PasswordHashing)?
    var broker = BrokerLimits(streamsPerUser: 100)
    var loops = 2
    /// GitHub sign-in; nil if it is not configured.
    var identity: (any GitHubIdentity)?
    /// This instance's own address.
    var origin: String? = "http://hub.example"
    /// The transport for pushes; nil disables Web Push.
    var pushTransport: (any Transport)?
    var pushHosts = PushHosts()
    var pushLimits = WebPush.Limits()
    var logger = Logger.silent
  }

  let group: EventLoopGroup
  let clock = ManualClock()
  let passwords = CheapPasswords()
  var store: any ChatStore { database }
  let directory: any Directory
  let gitHub: any News & GitHubThings
  let broker: Broker
  let core: Core
  let push: WebPush?
  let application: WebApplication
  private let database: SQLiteStore
  private let logger: Logger
  private let trustedProxies: TrustedProxies
  private let commits = Mutex<(last: EventID, waiting: [(EventID, CheckedContinuation<Void, Never>)])>((0, []))
  private let server = Mutex<(server: Server, port: Int)?>(nil)

  init(_ options: Options = Options()) throws {
    group = try EventLoopGroup(count: options.loops)
    group.start()
    logger = options.logger
    trustedProxies = options.trustedProxies
    let presence = Presence(clock: clock)
    let store = try SQLiteStore(path: ":memory:")
    database = store
    directory = options.directory?(store, clock) ?? ScriptedDirectory()
    gitHub = options.gitHub?(store, clock) ?? ScriptedGitHub()
    let lanes = group.loops.map { LoopLane($0) }
    let broker = Broker(
      lanes: lanes, clock: clock, presence: presence, limits: options.broker, encode: EventFrame.encode)
    self.broker = broker
    presence.connect(to: broker, store: store)
    let (clock, logger) = (clock, options.logger)
    let push = options.pushTransport.map { transport in
      WebPush(
        store: store, transport: transport, hosts: options.pushHosts, clock: clock, limits: options.pushLimits,
        logger: logger, isHere: { broker.hasStream(of: $0) })
    }
    self.push = push
    if let push { Task { try await push.run() } }
    core = Core(
      store: store,
      accounts: Accounts(
        store: store, passwords: options.hasher ?? passwords, secrets: SHA256Secrets(), presence: presence,
        clock: clock,
        registration: options.registration, throttle: options.throttle,
        onSessionEnded: {
          broker.endSession($0)
          push?.sessionEnded($0)
        }),
      rooms: Rooms(store: store, directory: directory, clock: clock),
      messages: Messages(store: store, clock: clock), receipts: Receipts(store: store),
      typing: Typing(store: store, broker: broker, clock: clock), presence: presence, broker: broker, lanes: lanes,
      directory: directory, news: gitHub, things: gitHub, identity: options.identity, push: push,
      allowances: options.hasAllowances ? Allowances(clock: clock) : nil, clock: clock)
    var signInOrigin: (@Sendable () -> String)?
    if let origin = options.publicBase ?? options.origin { signInOrigin = { origin } }
    application = try WebApplication(
      core: core,
      configuration: WebConfiguration(
        publicBase: options.publicBase, hostNames: options.hostNames, metricsReaders: options.metricsReaders,
        registration: options.registration, github: "demo",
        signInOrigin: signInOrigin,
        publicFolder: TestHub.root + "/Public", templatesFolder: TestHub.root + "/Templates", logger: options.logger))
    store.observeCommits { [unowned self] events in
      core.publish(events)
      push?.notice(events)
      noteCommit(events.last?.id ?? 0)
    }
  }

  /// The package's folder.
  static var root: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
  }

  /// Runs `body` with a hub, and shuts it down afterwards.
  static func with<Value>(
    _ options: Options = Options(), _ body: (TestHub) async throws -> Value
  ) async throws -> Value {
    let hub = try TestHub(options)
    do {
      let value = try await body(hub)
      await hub.stop()
      return value
    } catch {
      await hub.stop()
      throw error
    }
  }

  /// A client without a connection.
  var memory: TestClient { .inMemory(application.router) }

  /// A client over a real socket; the first one starts the server.
  func socket() throws -> TestClient { .socket(port: try port()) }

  /// The server's port; the first call starts it.
  func port() throws -> Int {
    try server.withLock { server in
      if let server { return server.port }
      var configuration = Server.Configuration()
      configuration.logger = logger
      configuration.trustedProxies = trustedProxies
      configuration.drainSeconds = 1
      let started = Server(configuration: configuration, application: application.router, group: group)
      let port = try started.start()
      server = (started, port)
      return port
    }
  }

  func stop() async {
    push?.close()
    await server.withLock { $0?.server }?.shutdown()
    broker.close()
    database.close()
    group.stop()
  }

  /// Returns when event `id` is on disk and has been published.
  func committed(_ id: EventID) async {
    await withCheckedContinuation { continuation in
      let isDone = commits.withLock { commits in
        if commits.last >= id { return true }
        commits.waiting.append((id, continuation))
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  private func noteCommit(_ id: EventID) {
    let met = commits.withLock { commits in
      commits.last = max(commits.last, id)
      let met = commits.waiting.filter { $0.0 <= id }
      commits.waiting.removeAll { $0.0 <= id }
      return met
    }
    for (_, continuation) in met { continuation.resume() }
  }
}
