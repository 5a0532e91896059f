import HTTP
import Synchronization

/// GitHub as a function from request to answer: the recorded accounts, its headers, pages, validators, limits and faults.
/// Sockets are `FakeGitHub`'s business. Safe from any thread.
public final class Simulation: Sendable {
  private struct State {
    var origin = "http://127.0.0.1"
    var faults: [Faults] = []
    /// The population with what was changed; nil as long as it is the recorded one.
    var population: Population?
    var quota = Quota()
    var requests = 0
    var approval = Approval.page
    var signIns = SignIns()
    var secondsAhead: Int64 = 0

    /// What goes wrong for a path; a fault that lasts for so many requests has one less ahead of it then.
    mutating func takeFaults(_ path: String) -> Faults {
      guard let index = faults.firstIndex(where: { $0.concerns(path) }) else { return Faults() }
      let found = faults[index]
      // With redirects the number means those.
      if found.mode != .redirects, let times = found.times {
        faults[index].times = times - 1
        if times <= 1 { faults.remove(at: index) }
      }
      return found
    }
  }

  let options: Options
  /// Everybody; read from the recordings with the first request, so that a program starts without waiting for it.
  var population: Population {
    var population = state.withLock { $0.population } ?? .recorded
    population.crowd.size = options.crowd
    return population
  }
  private let state = Mutex(State())

  /// A GitHub of the recorded accounts.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Scheme, host and port that the addresses in the answers begin with.
  public var origin: String {
    get { state.withLock { $0.origin } }
    set { state.withLock { $0.origin = newValue } }
  }

  /// What goes wrong at present; of several the first.
  public var faults: Faults {
    get { faultRules.first ?? Faults() }
    set { faultRules = [newValue] }
  }

  /// All that goes wrong at present; for each request the first that concerns it counts.
  public var faultRules: [Faults] {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// Changes who is there.
  func changePopulation(_ change: (inout Population) -> Bool) -> Bool {
    var changed = population
    guard change(&changed) else { return false }
    state.withLock { $0.population = changed }
    return true
  }

  /// Who decides when somebody is sent to sign in, and about devices that ask.
  public var approval: Approval {
    get { state.withLock { $0.approval } }
    set { state.withLock { $0.approval = newValue } }
  }

  /// How far what ages is ahead of the clock, in seconds: codes, devices and news. `Date` and the quotas are not, since
  /// clients hold those against each other.
  public var secondsAhead: Int64 {
    get { state.withLock { $0.secondsAhead } }
    set { state.withLock { $0.secondsAhead = newValue } }
  }

  /// The time of what ages, in seconds since the epoch.
  var time: Int64 { options.now() + secondsAhead }

  /// Looks into what GitHub remembers of sign-ins, or changes it, at the time of what ages.
  func withSignIns<Result>(_ body: (inout SignIns, Int64) -> Result) -> Result {
    let now = time
    return state.withLock { body(&$0.signIns, now) }
  }

  /// Reads the counts of somebody who asks.
  func reading(_ asker: Asker, resource: String) -> Quota.Reading { count(asker, resource: resource, cost: 0) }

  /// How many requests came, those to the switches not counted.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// Where the API is.
  public var base: String { origin + options.basePath }

  /// The answer to a request.
  public func answer(_ request: Request) -> Answer {
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

  /// Counts a request against its quota.
  func count(_ asker: Asker, resource: String, cost: Int64) -> Quota.Reading {
    let limit = resource == "search" ? options.searchQuota : asker.isKnown ? options.quota : options.anonymousQuota
    return state.withLock { state in
      state.quota.count(
        credential: asker.account, resource: resource, limit: limit, cost: cost, now: options.now())
    }
  }

  /// In GitHub's form: five groups of hexadecimal digits.
  private func requestID(_ number: Int) -> String {
    let digits = StableHash.hexadecimal(Array("\(number)".utf8)).uppercased()
    return [0..<4, 4..<8, 8..<14, 14..<20, 20..<28].map { group in
      String(Array(digits)[group])
    }.joined(separator: ":")
  }
}
