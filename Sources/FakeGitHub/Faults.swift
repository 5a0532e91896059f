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
    /// 503 with GitHub's HTML page.
    case serverError = "server-error"
    /// Right answers, late.
    case slow
    /// The connection ends without an answer.
    case outage
    /// 404 for everything.
    case notFound = "not-found"
    /// Each page of a feed begins with what the one before ended with.
    case overlap
    /// 200 with JSON that breaks off.
    case malformed
  }

  /// The kind of trouble.
  public var mode: Mode
  /// How late answers come, in milliseconds, in any mode.
  public var delayMilliseconds: Int
  /// In how many seconds a limit resets; nil: an hour for the quota, untold for the secondary limit.
  public var resetInSeconds: Int64?

  /// Trouble of that kind.
  public init(_ mode: Mode = .none, delayMilliseconds: Int = 0, resetInSeconds: Int64? = nil) {
    self.mode = mode
    self.delayMilliseconds = delayMilliseconds
    self.resetInSeconds = resetInSeconds
  }

  /// The switch as `POST /_faults` takes it: `{"mode": "slow", "delay_ms": 2000, "reset_in_s": 60}`; nil for what is none.
  init?(json: [UInt8]) {
    guard let value = JSONValue(json), let mode = value["mode"]?.string.flatMap(Mode.init(rawValue:)) else {
      return nil
    }
    let delay = value["delay_ms"]?.integer ?? (mode == .slow ? 3000 : 0)
    guard (0...600_000).contains(delay) else { return nil }
    self.init(mode, delayMilliseconds: Int(delay), resetInSeconds: value["reset_in_s"]?.integer)
  }

  /// The switch as JSON.
  var json: [UInt8] {
    let reset: JSONValue = resetInSeconds.map { .integer($0) } ?? .null
    return JSONValue.object([
      "mode": .string(mode.rawValue), "delay_ms": .integer(Int64(delayMilliseconds)), "reset_in_s": reset,
    ]).bytes
  }
}
