import Base
import EventLoop
import HTTP
import Logging

/// An HTTP/1.1 server: one listener and its connections on each loop of a group.
///
/// Call `start` once and `shutdown` once; the caller starts and stops the group.
package final class Server: Sendable {
  /// A server's address and limits.
  package struct Configuration: Sendable {
    /// A literal address or a name.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port = 0
    package var limits = Limits()
    /// The trusted proxies; none by default.
    package var trustedProxies = TrustedProxies()
    /// Logs failures, and at level `info` each response with its route and request id.
    package var logger = Logger(label: "http")
    /// The value of the `Server` field; nil, the default, sends none.
    package var serverHeader: String?
    /// How long `shutdown` waits for requests and streams to end, in seconds.
    package var drainSeconds = 5
    /// The range of random reconnection times sent to event streams at shutdown, in milliseconds, so that they do not
    /// all return at once.
    package var retryMilliseconds = 500...5000

    /// Replaces the times in `limits`, for tests.
    var deadlines: Deadlines?

    /// The defaults.
    package init() {}
  }

  private struct State {
    var workers: [Worker] = []
    var isStarted = false
  }

  private let configuration: Configuration
  private let application: any Application
  private let group: EventLoopGroup
  private let state = Lock(State())

  /// A server for `application` on the loops of `group`; `start` opens it.
  package init(configuration: Configuration, application: any Application, group: EventLoopGroup) {
    self.configuration = configuration
    self.application = application
    self.group = group
  }

  /// Listens; clients can connect when it returns.
  /// - Returns: the port.
  /// - Throws: `ServerError`.
  /// - Precondition: called once, and not on a loop, since resolving the host may block.
  @discardableResult
  package func start() throws(ServerError) -> Int {
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

  /// Stops accepting, closes idle connections, lets requests in flight finish, and ends event streams with a
  /// reconnection time. Closes the rest after `drainSeconds`. Returns when no connection is left.
  ///
  /// The group's loops must be running.
  package func shutdown() async {
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

  /// The server's counters.
  package var statistics: ServerStatistics {
    var statistics = ServerStatistics()
    for worker in state.withLock({ $0.workers }) { worker.counters.add(to: &statistics) }
    return statistics
  }
}
