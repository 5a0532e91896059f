import HTTP

/// A connection's time limits, as durations; tests shorten them.
struct Deadlines: Sendable {
  /// Between requests.
  var idle: Duration
  /// For a whole head.
  var head: Duration
  /// For a whole body, after its head.
  var body: Duration
  /// Between two writes that make progress.
  var write: Duration
  /// For a refused peer to read its response (see `Connection.linger`).
  var linger: Duration
  /// Between attempts to accept while descriptors are exhausted.
  var acceptPause: Duration = .milliseconds(100)

  init(_ limits: Limits) {
    idle = .seconds(limits.idleSeconds)
    head = .seconds(limits.headSeconds)
    body = .seconds(limits.bodySeconds)
    write = .seconds(limits.writeSeconds)
    linger = .seconds(limits.lingerSeconds)
  }

  /// The reasons to wait for a peer.
  enum Kind {
    case none, idle, head, body, write, linger
  }

  /// The durations in nanoseconds, because `Duration` computes with 128 bits.
  struct Nanoseconds: Sendable {
    private let idle: Int64
    private let head: Int64
    private let body: Int64
    private let write: Int64
    private let linger: Int64

    init(_ deadlines: Deadlines) {
      func count(_ duration: Duration) -> Int64 { Int64(clamping: duration.attoseconds / 1_000_000_000) }
      idle = count(deadlines.idle)
      head = count(deadlines.head)
      body = count(deadlines.body)
      write = count(deadlines.write)
      linger = count(deadlines.linger)
    }

    /// The time for `kind`; 0 means no limit.
    subscript(kind: Kind) -> Int64 {
      switch kind {
      case .none: 0
      case .idle: idle
      case .head: head
      case .body: body
      case .write: write
      case .linger: linger
      }
    }
  }
}
