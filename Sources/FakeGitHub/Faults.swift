/// A fault that the stand-in injects until it is changed again.
package struct Faults: Equatable, Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    /// No fault.
    case none
    /// Primary rate limit: 403, no remaining quota, a reset time.
    case rateLimit = "rate-limit"
    /// Secondary rate limit: 403 with GitHub's message for it.
    case secondary
    /// Secondary rate limit: 429.
    case tooMany = "too-many"
    /// 401: the token is no longer accepted.
    case unauthorized
    /// 403 that is not a rate limit.
    case forbidden
    /// 404 for everything.
    case notFound = "not-found"
    /// 451: blocked for legal reasons.
    case blocked
    /// 502 with an HTML page.
    case badGateway = "bad-gateway"
    /// 503 with GitHub's HTML page.
    case serverError = "server-error"
    /// Correct responses, delayed.
    case slow
    /// Correct responses with a delayed second half.
    case slowBody = "slow-body"
    /// No response for ten minutes.
    case timeout
    /// The connection closes without a response.
    case outage
    /// The connection closes in the middle of the body.
    case truncated
    /// Correct responses followed by millions of spaces.
    case oversized
    /// 200 with truncated JSON; an HTML page in place of a picture.
    case malformed
    /// Correct responses, compressed with gzip.
    case gzip
    /// 304 even without a validator.
    case notModified = "not-modified"
    /// A chain of 301s to other addresses on this server.
    case redirects
    /// 301 to another host.
    case foreignRedirect = "foreign-redirect"
    /// `Link` points to another host.
    case foreignLink = "foreign-link"
    /// A list's first page is empty but has a next one.
    case emptyPage = "empty-page"
    /// Each page of a feed starts with the events that end the page before.
    case overlap
  }

  package var mode: Mode
  /// The delay of every response in milliseconds, in any mode.
  package var delayMilliseconds: Int
  /// Seconds until a rate limit resets; nil means an hour for the quota, and not given for the secondary limit.
  package var resetInSeconds: Int64?
  /// The prefix of the paths concerned, such as `/u/` for pictures. Empty means the API, pictures, and the OAuth
  /// endpoints that programs call; pages for people need an explicit path.
  package var path = ""
  /// How many requests the fault applies to, or how many redirects there are; nil means no limit.
  package var times: Int?
  /// The origin that foreign redirects and links point to.
  package var foreignOrigin = "https://foreign.example"
  /// The size of an oversized body in bytes.
  package var bytes = 12 << 20

  /// A fault of this mode.
  package init(
    _ mode: Mode = .none, delayMilliseconds: Int = 0, resetInSeconds: Int64? = nil, path: String = "",
    times: Int? = nil
  ) {
    self.mode = mode
    self.delayMilliseconds = delayMilliseconds
    self.resetInSeconds = resetInSeconds
    self.path = path
    self.times = times
  }

  /// Parses the body of `POST /_faults`: `{"mode": "slow", "delay_ms": 2000, "reset_in_s": 60}`; nil if it is invalid.
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

  /// The fault as JSON.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "mode": .string(mode.rawValue), "delay_ms": .integer(Int64(delayMilliseconds)),
      "reset_in_s": resetInSeconds.map { .integer($0) } ?? .null,
    ]
    if !path.isEmpty { members["path"] = .string(path) }
    if let times { members["times"] = .integer(Int64(times)) }
    return .object(members)
  }

  /// Whether the fault applies to `path`.
  func concerns(_ path: String) -> Bool {
    if !self.path.isEmpty { return path.hasPrefix(self.path) }
    return !Simulation.isPage(path)
  }

  /// Whether the fault applies to pictures. Their host has no rate limits and no authentication, so those faults need
  /// its path.
  var concernsPictures: Bool {
    switch mode {
    case .rateLimit, .secondary, .tooMany, .unauthorized, .forbidden, .blocked, .notModified, .redirects,
      .foreignRedirect:
      !path.isEmpty
    default: true
    }
  }
}
