import Base
import EventLoop
import HTTP

/// Counts responses and their durations, by route.
///
/// The duration is from when the request's head and body have arrived to when the response's head is ready; for a
/// stream, until it opens.
struct RequestMeter: Sendable {
  /// The histogram's bounds in seconds.
  static let bounds = [0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
  private static let nanoseconds = bounds.map { Int64($0 * 1e9) }

  private let routes: Routes

  /// Registers the counters with `metrics`.
  init(_ metrics: Metrics) {
    let routes = Routes()
    self.routes = routes
    metrics.add { routes.write(into: &$0) }
  }

  /// The counts of one route, by its pattern.
  func route(_ pattern: String) -> Route { routes.meter(of: pattern) }

  /// The routes' meters, sorted by pattern. A pattern may be wrapped once for each of its methods.
  private final class Routes: Sendable {
    private let meters = Lock<[String: Route]>([:])

    func meter(of pattern: String) -> Route {
      meters.withLock { meters in
        if let known = meters[pattern] { return known }
        let meter = Route()
        meters[pattern] = meter
        return meter
      }
    }

    func write(into writer: inout MetricsWriter) {
      let used = meters.withLock { $0 }.mapValues(\.counts).filter { $0.value.buckets.contains { $0 > 0 } }
        .sorted { $0.key < $1.key }
      writer.family("hubbub_http_requests_total", .counter, "Responses by route and status class.")
      for (pattern, counts) in used {
        for (index, count) in counts.statuses.enumerated() where count > 0 {
          writer.sample("hubbub_http_requests_total", [("route", pattern), ("status", "\(index + 1)xx")], count)
        }
      }
      let name = "hubbub_http_request_duration_seconds"
      writer.family(name, .histogram, "Time from reading a request to creating its response, by route.")
      for (pattern, counts) in used {
        writer.histogram(
          name, [("route", pattern)], bounds: RequestMeter.bounds, counts: counts.buckets,
          sum: Double(counts.nanoseconds) / 1e9)
      }
    }
  }

  /// The counters of one route. Safe from any thread.
  final class Route: Sendable {
    struct Counts {
      /// By status class, 1xx to 5xx.
      var statuses = [0, 0, 0, 0, 0]
      var buckets = Array(repeating: 0, count: RequestMeter.bounds.count + 1)
      var nanoseconds: Int64 = 0
    }

    private let state = Lock(Counts())

    var counts: Counts { state.withLock { $0 } }

    /// Counts a response to a request that started at `began`.
    func count(_ status: Status, since began: MonotonicTime) {
      let duration = MonotonicTime.now().nanoseconds - began.nanoseconds
      let bucket = RequestMeter.nanoseconds.firstIndex { duration <= $0 } ?? RequestMeter.nanoseconds.count
      state.withLock { state in
        state.statuses[min(max(Int(status.code) / 100, 1), 5) - 1] += 1
        state.buckets[bucket] += 1
        state.nanoseconds += duration
      }
    }
  }
}
