import EventLoop
import HTTP
import HTTPServer

/// Counts answers and how long they took, by route. Outermost, so that what other middleware answers is counted too.
///
/// The time is from the request's head and body being there to the answer's head: of a stream, how long it took to open.
struct RequestMeter: Middleware {
  /// The bounds of the histogram in seconds.
  static let bounds = [0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

  private let routes: Routes

  /// A meter that tells `metrics` what it counted.
  init(_ metrics: Metrics) {
    let routes = Routes()
    self.routes = routes
    metrics.add { routes.write(into: &$0) }
  }

  func wrap(_ next: Responder, pattern: String) -> Responder {
    let meter = routes.meter(of: pattern)
    switch next {
    case .immediate(let respond):
      return .immediate { request in
        let began = MonotonicTime.now()
        let response = try respond(request)
        meter.count(response.status, since: began)
        return response
      }
    case .suspending(let respond):
      return .suspending { request in
        let began = MonotonicTime.now()
        let response = try await respond(request)
        meter.count(response.status, since: began)
        return response
      }
    }
  }

  /// The routes' meters in the order of their patterns. A pattern may be wrapped once for each of its methods.
  private final class Routes: Sendable {
    private let meters = Lock<[String: Meter]>([:])

    func meter(of pattern: String) -> Meter {
      meters.withLock { meters in
        if let known = meters[pattern] { return known }
        let meter = Meter()
        meters[pattern] = meter
        return meter
      }
    }

    func write(into writer: inout MetricsWriter) {
      let used = meters.withLock { $0 }.mapValues(\.counts).filter { $0.value.buckets.contains { $0 > 0 } }
        .sorted { $0.key < $1.key }
      writer.family("hubbub_http_requests_total", .counter, "Answers by route and class of status.")
      for (pattern, counts) in used {
        for (index, count) in counts.statuses.enumerated() where count > 0 {
          writer.sample("hubbub_http_requests_total", [("route", pattern), ("status", "\(index + 1)xx")], count)
        }
      }
      let name = "hubbub_http_request_duration_seconds"
      writer.family(name, .histogram, "From a request being read to its answer being made, by route.")
      for (pattern, counts) in used {
        writer.histogram(
          name, [("route", pattern)], bounds: RequestMeter.bounds, counts: counts.buckets, sum: counts.seconds)
      }
    }
  }

  /// One route's counts; from any thread.
  private final class Meter: Sendable {
    struct Counts {
      /// From 1xx to 5xx.
      var statuses = [0, 0, 0, 0, 0]
      var buckets = Array(repeating: 0, count: RequestMeter.bounds.count + 1)
      var seconds = 0.0
    }

    private let state = Lock(Counts())

    var counts: Counts { state.withLock { $0 } }

    func count(_ status: Status, since began: MonotonicTime) {
      let seconds = (MonotonicTime.now() - began) / .seconds(1)
      let bucket = RequestMeter.bounds.firstIndex { seconds <= $0 } ?? RequestMeter.bounds.count
      state.withLock { state in
        state.statuses[min(max(Int(status.code) / 100, 1), 5) - 1] += 1
        state.buckets[bucket] += 1
        state.seconds += seconds
      }
    }
  }
}
