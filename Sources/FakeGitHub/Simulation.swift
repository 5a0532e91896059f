import HTTP
import Synchronization

/// GitHub as a function from request to response: the recorded accounts, and GitHub's header fields, pages, validators,
/// rate limits and faults. Sockets are left to `FakeGitHub`. Safe from any thread.
package final class Simulation: Sendable {
  private struct State {
    var origin = "http://127.0.0.1"
    var faults: [Faults] = []
    /// The modified population; nil while it is as recorded.
    var population: Population?
    var quota = Quota()
    var requests = 0
    var approval = Approval.page
    var signIns = SignIns()
    var secondsAhead: Int64 = 0

    /// The fault for a path; uses up one request of a fault that applies to a limited number.
    mutating func takeFaults(_ path: String) -> Faults {
      guard let index = faults.firstIndex(where: { $0.concerns(path) }) else { return Faults() }
      let found = faults[index]
      // For redirects, `times` is the length of the chain.
      if found.mode != .redirects, let times = found.times {
        faults[index].times = times - 1
        if times <= 1 { faults.remove(at: index) }
      }
      return found
    }
  }

  let options: Options
  /// All accounts, read from the recordings on the first request, so that start-up does not wait for it.
  var population: Population {
    var population = state.withLock { $0.population } ?? .recorded
    population.crowd.size = options.crowd
    return population
  }
  private let state = Mutex(State())

  /// A GitHub with the recorded accounts.
  package init(options: Options = Options()) {
    self.options = options
  }

  /// The origin (scheme, host and port) of the URLs in responses.
  package var origin: String {
    get { state.withLock { $0.origin } }
    set { state.withLock { $0.origin = newValue } }
  }

  /// The fault in force; the first if there are several.
  package var faults: Faults {
    get { faultRules.first ?? Faults() }
    set { faultRules = [newValue] }
  }

  /// All faults in force; the first that applies to a request is used.
  package var faultRules: [Faults] {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// Modifies the population.
  func changePopulation(_ change: (inout Population) -> Bool) -> Bool {
    var changed = population
    guard change(&changed) else { return false }
    state.withLock { $0.population = changed }
    return true
  }

  /// How sign-ins and devices are approved.
  package var approval: Approval {
    get { state.withLock { $0.approval } }
    set { state.withLock { $0.approval = newValue } }
  }

  /// How many seconds the clock for codes, devices and events is ahead of real time. `Date` and rate limits are
  /// unaffected, since clients compare those.
  package var secondsAhead: Int64 {
    get { state.withLock { $0.secondsAhead } }
    set { state.withLock { $0.secondsAhead = newValue } }
  }

  /// The time for codes, devices and events, in seconds since the epoch.
  var time: Int64 { options.now() + secondsAhead }

  /// Reads or changes the sign-in state; the body also gets the current `time`.
  func withSignIns<Result>(_ body: (inout SignIns, Int64) -> Result) -> Result {
    let now = time
    return state.withLock { body(&$0.signIns, now) }
  }

  /// The client's rate-limit state, without counting a request.
  func reading(_ asker: Asker, resource: String) -> Quota.Reading { count(asker, resource: resource, cost: 0) }

  /// The number of requests received, not counting those to the controls.
  package var requestCount: Int { state.withLock { $0.requests } }

  /// The API's base URL.
  package var base: String { origin + options.basePath }

  /// The response to a request.
  package func answer(_ request: Request) -> Answer {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    if path.hasPrefix("/_") { return flip(path, request) }
    let query = Query(parts.count > 1 ? String(parts[1]) : "")
    let (faults, number) = state.withLock { state in
      state.requests += 1
      return (state.takeFaults(path), state.requests)
    }
    var answer: Answer
    if path.hasPrefix("/u/") {
      answer = picture(path, query: query, request: request, faults: faults)
    } else if Self.isSignIn(path) {
      answer =
        fault(faults, path: path, query: query, asker: .anonymous, resource: "core")
        ?? signIn(path, query: query, request: request)
    } else {
      answer = api(path, query: query, request: request, faults: faults)
    }
    spoil(&answer, faults)
    answer.fields["date"] = HTTPDate(seconds: Int(options.now())).description
    answer.fields["x-github-request-id"] = requestID(number)
    return answer
  }

  /// Counts a request against the client's quota.
  func count(_ asker: Asker, resource: String, cost: Int64) -> Quota.Reading {
    let limit = resource == "search" ? options.searchQuota : asker.isKnown ? options.quota : options.anonymousQuota
    return state.withLock { state in
      state.quota.count(
        credential: asker.account, resource: resource, limit: limit, cost: cost, now: options.now())
    }
  }

  /// A request id in GitHub's format: five groups of hexadecimal digits.
  private func requestID(_ number: Int) -> String {
    let digits = SeededHash.hexadecimal(Array("\(number)".utf8)).uppercased()
    return [0..<4, 4..<8, 8..<14, 14..<20, 20..<28].map { group in
      String(Array(digits)[group])
    }.joined(separator: ":")
  }
}
