import HTTP

/// How long a connection may take for what, as durations; tests make them short.
struct Deadlines: Sendable {
  /// Between requests.
  var idle: Duration
  /// From a head's first byte to its last.
  var head: Duration
  /// From a head's end to its body's.
  var body: Duration
  /// From one progress in writing to the next.
  var write: Duration
  /// For a refused peer to read its answer (see `Connection.linger`).
  var linger: Duration
  /// Between two attempts to accept while descriptors are short.
  var acceptPause: Duration = .milliseconds(100)

  init(_ limits: Limits) {
    idle = .seconds(limits.idleSeconds)
    head = .seconds(limits.headSeconds)
    body = .seconds(limits.bodySeconds)
    write = .seconds(limits.writeSeconds)
    linger = .seconds(limits.lingerSeconds)
  }

  /// What a connection is waited for.
  enum Kind {
    case none, idle, head, body, write, linger
  }

  /// Durations as nanoseconds: arithmetic on durations is one of 128 bits.
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

    /// The time for `kind`; 0 when it may take for ever.
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
