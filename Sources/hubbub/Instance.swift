import Base
import Chat
import ChatSQLite
import EventLoop
import FakeGitHub
import FoundationEssentials
import GitHub
import HTTP
import HTTPServer
import Logging
import Web
import WebPush

/// A running Hubbub: the composition root.
///
/// Call `start` once and `stop` once, neither on a loop.
final class Instance: Sendable {
  private let settings: Settings
  private let logger: Logger
  private let group: EventLoopGroup
  private let store: SQLiteStore
  private let server: Server
  private let broker: Broker
  private let fakeGitHub: FakeGitHub?
  private let peers: Task<Void, Never>?
  private let push: WebPush
  /// The port this instance listens on, once it does; used for GitHub's redirects.
  private let port: Lock<Int>

  /// Opens the data, starts the loops and, in the demo, the stand-in for GitHub. Throws `StoreOpenError`,
  /// `Settings.Problem` or `SystemError`.
  init(_ settings: Settings, logger: Logger) async throws {
    self.settings = settings
    self.logger = logger
    group = try EventLoopGroup()
    group.start()
    let clock = SystemClock(loop: group.loops[0])
    let guests = GuestRegister()
    let presence = Presence(clock: clock, alwaysOnline: { guests.contains($0) })
    try FileManager.default.createDirectory(atPath: settings.data, withIntermediateDirectories: true)
    store = try SQLiteStore(
      path: settings.data + "/hubbub.sqlite",
      onSlowQuery: { [logger] sql, time in
        logger.warning("slow query", metadata: ["sql": "\(sql)", "seconds": "\(time / .seconds(1))"])
      },
      onNotice: { [logger] in logger.log(level: $0.level, "\($0)", metadata: $0.metadata) })
    if let backup = store.backupBeforeUpgrade {
      logger.notice("the database was upgraded; a backup of the former one is kept", metadata: ["backup": "\(backup)"])
    }
    do {
      try await store.bind(toGitHub: Instance.gitHubProvider(settings), formerly: settings.githubFormerly)
    } catch {
      store.close()
      throw error
    }
    let fake = settings.github == .demo ? FakeGitHub(group: group) : nil
    let base = try await fake?.start()
    if let base { logger.info("the stand-in for GitHub listens", metadata: ["address": "\(base)"]) }
    fakeGitHub = fake
    let gitHub = Instance.gitHubParts(settings, standIn: base, clock: clock, logger: logger)
    let directory = GitHubDirectory(
      configuration: gitHub.configuration, store: store, cacheFolder: settings.data + "/avatars", clock: clock,
      logger: logger, transport: gitHub.transport, client: gitHub.client)

    let lanes = group.loops.map { LoopLane($0) }
    let broker = Broker(
      lanes: lanes, clock: clock, presence: presence,
      limits: BrokerLimits(streamsPerUser: settings.streamsPerUser), encode: EventFrame.encode)
    self.broker = broker
    presence.connect(to: broker, store: store)
    try await presence.load(from: store)
    let push = Instance.webPush(settings, store: store, transport: gitHub.transport, broker: broker, clock, logger)
    self.push = push
    let core = Core(
      store: store,
      accounts: Accounts(
        store: store, passwords: ScryptPasswordHasher(), secrets: SHA256Secrets(), presence: presence, clock: clock,
        registration: settings.registration, throttle: settings.isRateLimited ? Throttle.Limits() : nil,
        onSessionEnded: {
          broker.endSession($0)
          push.sessionEnded($0)
        }),
      rooms: Rooms(store: store, directory: directory, clock: clock),
      messages: Messages(store: store, clock: clock), receipts: Receipts(store: store),
      typing: Typing(store: store, broker: broker, clock: clock), presence: presence, broker: broker, lanes: lanes,
      directory: directory,
      news: GitHubNews(client: gitHub.client, store: store, clock: clock, logger: logger),
      things: GitHubThingReader(client: gitHub.client, store: store, clock: clock, logger: logger),
      identity: gitHub.signIn, push: push, allowances: settings.isRateLimited ? Allowances(clock: clock) : nil,
      clock: clock)

    if fake != nil {
      let demo = DemoPeers(core: core, guests: guests, logger: logger)
      store.observeCommits { events in
        core.publish(events)
        push.notice(events)
        demo.notice(events)
      }
      peers = Task { await demo.run() }
    } else {
      store.observeCommits { events in
        core.publish(events)
        push.notice(events)
      }
      peers = nil
    }
    let port = Lock(settings.port)
    self.port = port
    var web = try Instance.web(settings, logger)
    if settings.hasAddress { web.signInOrigin = { settings.address(port: port.withLock { $0 }) ?? "" } }
    if settings.lacksProxy {
      logger.warning(
        "a public URL is set, and no proxy is believed: name it by --trusted-proxies, or all people count as one client"
      )
    }
    Instance.tellSignIn(settings, isSetUp: gitHub.signIn != nil, logger)
    let metrics = Metrics()
    let application = try WebApplication(core: core, configuration: web, metrics: metrics)
    server = Server(
      configuration: Instance.server(settings, logger), application: application.router, group: group)
    metrics.add(Instance.sources(server: server, store: store, directory: directory, push: push))
  }

  /// Accepts connections. Returns the port. Throws `ServerError`.
  func start() throws -> Int {
    let port = try server.start()
    self.port.withLock { $0 = port }
    return port
  }

  /// Checks a database in the background that is too large to check at start-up.
  func checkInBackground(onDamage: @escaping @Sendable (StoreOpenError) -> Void) {
    store.checkInBackground(onDamage: onDamage)
  }

  /// Ends the streams, lets requests in flight finish, checkpoints and closes the database, and stops the loops.
  func stop() async {
    peers?.cancel()
    push.close()
    await server.shutdown()
    broker.close()
    await fakeGitHub?.stop()
    store.close()
    group.stop()
  }

  private static func web(_ settings: Settings, _ logger: Logger) throws -> WebConfiguration {
    let program = ProcessInfo.processInfo.arguments.first ?? "."
    let assets = try AssetFolders.find(
      given: settings.assets, program: URL(filePath: program).deletingLastPathComponent().path(),
      working: FileManager.default.currentDirectoryPath)
    let source =
      switch settings.github {
      case .live: "live"
      case .demo: "demo"
      case .url: "url"
      }
    return WebConfiguration(
      publicBase: settings.publicURL, hostNames: settings.ownHostNames,
      metricsReaders: MetricsReaders(token: settings.metricsToken, networks: settings.metricsFrom),
      registration: settings.registration, github: source,
      publicFolder: assets + "/Public", templatesFolder: assets + "/Templates", logger: logger)
  }

  private static func server(_ settings: Settings, _ logger: Logger) -> Server.Configuration {
    var configuration = Server.Configuration()
    configuration.host = settings.host
    configuration.port = settings.port
    configuration.logger = logger
    configuration.limits = settings.limits
    configuration.trustedProxies = settings.trustedProxies
    return configuration
  }
}
