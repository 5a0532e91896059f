import Foundation
import HTTP
import Synchronization

/// GitHub as a function from request to answer: the recorded accounts, its headers, pages, validators, limits and faults.
/// Sockets are `FakeGitHub`'s business. Safe from any thread.
public final class Simulation: Sendable {
  /// A request as far as GitHub looks at it.
  public struct Request: Sendable {
    /// The method.
    public var method: String
    /// Path and query as sent.
    public var target: String
    /// Header fields by lower-case names.
    public var fields: [String: String]
    /// The body.
    public var body: [UInt8]

    /// A request from its parts.
    public init(method: String = "GET", target: String, fields: [String: String] = [:], body: [UInt8] = []) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }

  /// An answer, or none.
  public struct Answer: Sendable {
    /// The status.
    public var status: Int
    /// Header fields by lower-case names.
    public var fields: [String: String] = [:]
    /// The body.
    public var body: [UInt8] = []
    /// How late it comes.
    public var delayMilliseconds = 0
    /// Whether the connection ends without it.
    public var isDropped = false
  }

  /// What a test or the demo chooses.
  public struct Options: Sendable {
    /// Where the API lies on its host: empty, or `/api/v3` as on Enterprise Server.
    public var basePath = ""
    /// Requests an hour with a credential.
    public var quota: Int64 = 5000
    /// Requests an hour without one: 60 at GitHub, more here, so that a demo does not end after a few clicks.
    public var anonymousQuota: Int64 = 5000
    /// Searches a minute.
    public var searchQuota: Int64 = 30
    /// Whether a 304 without a credential counts, as it seems to at GitHub.
    public var chargesAnonymousNotModified = true
    /// The time in seconds since the epoch.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// The demo's choice.
    public init() {}
  }

  private struct State {
    var origin = "http://127.0.0.1"
    var faults = Faults()
    var quota = Quota()
    var requests = 0
  }

  let options: Options
  /// Everybody; read from the recordings with the first request, so that a program starts without waiting for it.
  var population: Population { .recorded }
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

  /// What goes wrong at present.
  public var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// How many requests came, those to the fault switch not counted.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// Where the API is.
  public var base: String { origin + options.basePath }

  /// The answer to a request.
  public func answer(_ request: Request) -> Answer {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    if path == "/_faults" { return switchFaults(request) }
    let query = Query(parts.count > 1 ? String(parts[1]) : "")
    let (faults, number) = state.withLock { state in
      state.requests += 1
      return (state.faults, state.requests)
    }
    var answer: Answer
    if faults.mode == .outage {
      answer = Answer(status: 0, isDropped: true)
    } else if path.hasPrefix("/u/") {
      answer = picture(path, query: query, request: request, faults: faults)
    } else {
      answer = api(path, query: query, request: request, faults: faults)
    }
    answer.delayMilliseconds = faults.delayMilliseconds
    answer.fields["date"] = HTTPDate(seconds: Int(options.now())).description
    answer.fields["x-github-request-id"] = requestID(number)
    return answer
  }

  /// `GET` and `POST /_faults`: the switch for browser tests, which share no memory with the stand-in.
  private func switchFaults(_ request: Request) -> Answer {
    if request.method == "POST" {
      guard let faults = Faults(json: request.body) else { return Answer(status: 422) }
      self.faults = faults
    }
    return Answer(status: 200, fields: ["content-type": "application/json"], body: faults.json)
  }

  /// Counts a request against its quota.
  func count(_ request: Request, resource: String, cost: Int64) -> Quota.Reading {
    let credential = request.fields["authorization"]
    let limit = resource == "search" ? options.searchQuota : credential == nil ? options.anonymousQuota : options.quota
    return state.withLock { state in
      state.quota.count(
        credential: credential ?? "", resource: resource, limit: limit, cost: cost, now: options.now())
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
