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
  var linger: Duration = .seconds(2)
  /// Between two attempts to accept while descriptors are short.
  var acceptPause: Duration = .milliseconds(100)

  init(_ limits: Limits) {
    idle = .seconds(limits.idleSeconds)
    head = .seconds(limits.headSeconds)
    body = .seconds(limits.bodySeconds)
    write = .seconds(limits.writeSeconds)
  }

  /// What a connection is waited for.
  enum Kind {
    case none, idle, head, body, write, linger
  }

  /// The time for `kind`; nil when it may take for ever.
  subscript(kind: Kind) -> Duration? {
    switch kind {
    case .none: nil
    case .idle: idle
    case .head: head
    case .body: body
    case .write: write
    case .linger: linger
    }
  }
}
