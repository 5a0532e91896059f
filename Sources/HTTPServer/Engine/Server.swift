import EventLoop
import HTTP
import Logging

/// An HTTP/1.1 server: one listener and any number of connections on each loop of a group.
///
/// `start` once, `shutdown` once; the group is the caller's to start and to stop.
public final class Server: Sendable {
  /// Where a server listens and what it allows.
  public struct Configuration: Sendable {
    /// A literal address or a name.
    public var host = "127.0.0.1"
    /// 0 takes a free port.
    public var port = 0
    /// The bounds of everything.
    public var limits = Limits()
    /// Whose word about their clients is believed; nobody's by default.
    public var trustedProxies = TrustedProxies()
    /// Gets what goes wrong, and at level `info` a line for each answer, by its route and request id.
    public var logger = Logger(label: "http")
    /// The value of the `Server` field; nil, the default: none is sent.
    public var serverHeader: String?
    /// How long `shutdown` waits for requests and streams to end, in seconds.
    public var drainSeconds = 5
    /// At shutdown each event stream is told to come back after a time drawn from this range, in milliseconds, so that
    /// the next server does not meet all of them at once.
    public var retryMilliseconds = 500...5000

    /// Replaces the times in `limits`: tests cannot wait for seconds.
    var deadlines: Deadlines?

    /// The defaults.
    public init() {}
  }

  private struct State {
    var workers: [Worker] = []
    var isStarted = false
  }

  private let configuration: Configuration
  private let application: any Application
  private let group: EventLoopGroup
  private let state = Lock(State())

  /// A server for `application` on the loops of `group`. It does nothing before `start`.
  public init(configuration: Configuration, application: any Application, group: EventLoopGroup) {
    self.configuration = configuration
    self.application = application
    self.group = group
  }

  /// Listens. When it returns, clients can connect.
  /// - Returns: the port.
  /// - Throws: what the operator must change.
  /// - Precondition: not called before. From any thread but a loop's, since a host name may have to be looked up.
  @discardableResult
  public func start() throws(ServerError) -> Int {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    precondition(isFirst, "a server starts once")
    let (sockets, port) = try Listener.open(
      host: configuration.host, port: configuration.port, count: group.loops.count,
      silenceSeconds: configuration.limits.writeSeconds, unsentBytes: configuration.limits.unsentBytes)
    let admission = AdmissionControl(limits: configuration.limits, proxies: configuration.trustedProxies)
    let workers = group.loops.map {
      Worker(
        loop: $0, application: application, configuration: configuration, admission: admission,
        share: group.loops.count)
    }
    state.withLock { $0.workers = workers }
    for (worker, socket) in zip(workers, sockets) {
      worker.loop.execute { worker.listen(on: socket) }
    }
    return port
  }

  /// Stops accepting, closes connections that wait, lets requests in flight finish, tells event streams when to come
  /// back and ends them; cuts what has not ended after `drainSeconds`. Returns when no connection is left.
  ///
  /// Needs the group's loops to run.
  public func shutdown() async {
    let workers = state.withLock { $0.workers }
    if workers.isEmpty { return }
    let time = Duration.seconds(configuration.drainSeconds)
    let remaining = Lock(workers.count)
    await withCheckedContinuation { continuation in
      for worker in workers {
        worker.loop.execute {
          worker.drain(within: time) {
            let left = remaining.withLock { remaining in
              remaining -= 1
              return remaining
            }
            if left == 0 { continuation.resume() }
          }
        }
      }
    }
  }

  /// What the server has done so far.
  public var statistics: ServerStatistics {
    var statistics = ServerStatistics()
    for worker in state.withLock({ $0.workers }) { worker.counters.add(to: &statistics) }
    return statistics
  }
}
