/// What goes wrong at the stand-in's GitHub, until it is switched again.
public struct Faults: Equatable, Sendable {
  /// The kinds of trouble.
  public enum Mode: String, Sendable, CaseIterable {
    /// All is well.
    case none
    /// The quota is used up: 403, nothing remaining, a reset time.
    case rateLimit = "rate-limit"
    /// Asked too fast: 403 with GitHub's words for it.
    case secondary
    /// Asked too fast: 429.
    case tooMany = "too-many"
    /// 401: the token is not accepted any more.
    case unauthorized
    /// 403 that is no limit.
    case forbidden
    /// 404 for everything.
    case notFound = "not-found"
    /// 451: blocked for legal reasons.
    case blocked
    /// 502 with an HTML page.
    case badGateway = "bad-gateway"
    /// 503 with GitHub's HTML page.
    case serverError = "server-error"
    /// Right answers, late.
    case slow
    /// Right answers whose second half is late.
    case slowBody = "slow-body"
    /// No answer for ten minutes.
    case timeout
    /// The connection ends without an answer.
    case outage
    /// The connection ends in the middle of the body.
    case truncated
    /// Right answers with millions of blanks behind.
    case oversized
    /// 200 with JSON that breaks off; a page of HTML for pictures.
    case malformed
    /// Right answers, compressed with gzip.
    case gzip
    /// 304 whether or not the asker has it.
    case notModified = "not-modified"
    /// 301 to another address here, and so on.
    case redirects
    /// 301 to another host.
    case foreignRedirect = "foreign-redirect"
    /// `Link` leads to another host.
    case foreignLink = "foreign-link"
    /// The first page of a list is empty and has a next one.
    case emptyPage = "empty-page"
    /// Each page of a feed begins with what the one before ended with.
    case overlap
  }

  /// The kind of trouble.
  public var mode: Mode
  /// How late answers come, in milliseconds, in any mode.
  public var delayMilliseconds: Int
  /// In how many seconds a limit resets; nil: an hour for the quota, untold for the secondary limit.
  public var resetInSeconds: Int64?
  /// What the paths begin with that it goes wrong for, such as `/u/` for pictures; empty: the API, pictures and what
  /// programs ask OAuth for. Pages for people go wrong by a path only.
  public var path = ""
  /// How many requests it lasts for, or how many redirects there are; nil: no end.
  public var times: Int?
  /// Where foreign redirects and links lead, without a path.
  public var foreignOrigin = "https://foreign.example"
  /// How many bytes an oversized body has.
  public var bytes = 12 << 20

  /// Trouble of that kind.
  public init(
    _ mode: Mode = .none, delayMilliseconds: Int = 0, resetInSeconds: Int64? = nil, path: String = "",
    times: Int? = nil
  ) {
    self.mode = mode
    self.delayMilliseconds = delayMilliseconds
    self.resetInSeconds = resetInSeconds
    self.path = path
    self.times = times
  }

  /// The switch as `POST /_faults` takes it: `{"mode": "slow", "delay_ms": 2000, "reset_in_s": 60}`; nil for what is none.
  init?(json value: JSONValue) {
    guard let mode = value["mode"]?.string.flatMap(Mode.init(rawValue:)) else { return nil }
    let delay = value["delay_ms"]?.integer ?? (mode == .slow || mode == .slowBody ? 3000 : 0)
    guard (0...600_000).contains(delay) else { return nil }
    self.init(
      mode, delayMilliseconds: Int(delay), resetInSeconds: value["reset_in_s"]?.integer,
      path: value["path"]?.string ?? "")
    if let times = value["times"]?.integer {
      guard (1...1000).contains(times) else { return nil }
      self.times = Int(times)
    }
    if let origin = value["origin"]?.string { foreignOrigin = origin }
    if let bytes = value["bytes"]?.integer {
      guard (0...100_000_000).contains(bytes) else { return nil }
      self.bytes = Int(bytes)
    }
  }

  /// The switch as JSON.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "mode": .string(mode.rawValue), "delay_ms": .integer(Int64(delayMilliseconds)),
      "reset_in_s": resetInSeconds.map { .integer($0) } ?? .null,
    ]
    if !path.isEmpty { members["path"] = .string(path) }
    if let times { members["times"] = .integer(Int64(times)) }
    return .object(members)
  }

  /// Whether it goes wrong for that path.
  func concerns(_ path: String) -> Bool {
    if !self.path.isEmpty { return path.hasPrefix(self.path) }
    return !Simulation.isPage(path)
  }

  /// Whether pictures go wrong: their host has no quota and knows nobody, unless it is meant by its path.
  var concernsPictures: Bool {
    switch mode {
    case .rateLimit, .secondary, .tooMany, .unauthorized, .forbidden, .blocked, .notModified, .redirects,
      .foreignRedirect:
      !path.isEmpty
    default: true
    }
  }
}
