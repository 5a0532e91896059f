/// All limits of the server. Sizes are in bytes, times in seconds.
package struct Limits: Sendable, Hashable {
  /// Longest request target; a longer one is 414 (RFC 9112 section 3). Default 8 KiB.
  package var targetBytes = 8 * 1024
  /// Longest field section, including line ends and the empty line; a longer one is 431 (RFC 6585 section 5). Default
  /// 16 KiB.
  package var fieldBytes = 16 * 1024
  /// Maximum number of field lines; more are 431. Default 100.
  package var fieldCount = 100
  /// Longest method; a longer one is 501 (RFC 9112 section 3). Default 24.
  package var methodBytes = 24
  /// Largest body for endpoints without a limit of their own; a larger one is 413. Default 64 KiB.
  package var bodyBytes = 64 * 1024
  /// Total bytes of all bodies being received in several reads; a further body is 503. Default 256 MiB.
  package var bodyBytesInAll = 256 * 1024 * 1024
  /// Total bytes of a body's chunk extensions, and likewise of its trailers; more are 400 (RFC 9112 section 7.1.1).
  /// Default 4 KiB.
  package var chunkExtensionBytes = 4 * 1024
  /// Time for receiving a head; after it, 408. Default 10.
  package var headSeconds = 10
  /// Time for receiving a body after its head; after it, 408, unless the body arrives at `bodyBytesPerSecond`. Default
  /// 30.
  package var bodySeconds = 30
  /// Bytes of a body that extend its deadline by one second. Default 4 KiB.
  package var bodyBytesPerSecond = 4 * 1024
  /// Time between requests on a kept-alive connection. Default 75.
  package var idleSeconds = 75
  /// Time after which a peer that reads none of its queued bytes is dropped. Default 30.
  package var writeSeconds = 30
  /// Requests served on one connection before it is closed. Default 10,000.
  package var requestsPerConnection = 10_000
  /// Total connections. Default 10,000.
  package var connections = 10_000
  /// Connections per IPv4 address or IPv6 /64 network; trusted proxies are exempt. Default 256.
  package var connectionsPerAddress = 256
  /// Bytes of events queued for one reader; beyond, the connection is closed. Default 256 KiB.
  package var queuedStreamBytes = 256 * 1024
  /// Pipelined requests served per connection and turn of the loop, before other connections continue. Default 64.
  package var pipelineDepth = 64
  /// Bytes read ahead while a request is being handled; the rest waits in the kernel. Default 64 KiB.
  package var readAheadBytes = 64 * 1024
  /// Bytes of responses queued for a slow reader; beyond, the connection's next request waits. Default 64 KiB.
  package var unwrittenBytes = 64 * 1024
  /// Total bytes of responses waiting for slow readers, over all connections; a response that would exceed it is 503.
  /// Files and responses that are the same for all readers take no memory per connection and are exempt. Default 64
  /// MiB.
  package var answerBytesInAll = 64 * 1024 * 1024
  /// Bytes waiting for a reader that extend its deadline, initially `writeSeconds`, by one second. Default 4 KiB.
  package var answerBytesPerSecond = 4 * 1024
  /// Unsent bytes the kernel holds per connection (TCP_NOTSENT_LOWAT). Without this limit a stalled reader takes
  /// megabytes, and thousands of them take all socket memory. Default 32 KiB.
  package var unsentBytes = 32 * 1024
  /// Bytes that the reader of an event stream may send; beyond, its connection is closed. Default 64 KiB.
  package var streamInputBytes = 64 * 1024
  /// Bytes discarded from a client after its request was refused (RFC 9112 section 9.6): many clients read nothing
  /// before they have sent everything. Default 16 MiB.
  package var lingerBytes = 16 * 1024 * 1024
  /// How long to wait for such a client. Default 2.
  package var lingerSeconds = 2

  /// The defaults.
  package init() {}
}

extension Limits {
  /// A limit that an operator can set by name.
  private struct Option {
    let name: String
    let range: ClosedRange<Int>
    let path: any WritableKeyPath<Limits, Int> & Sendable
  }

  /// Sizes up to 1 GiB, so that sums do not overflow and offsets fit 32 bits; times up to a day.
  private static let options: [Option] = [
    Option(name: "target_bytes", range: 64...1 << 20, path: \.targetBytes),
    Option(name: "field_bytes", range: 256...1 << 20, path: \.fieldBytes),
    Option(name: "field_count", range: 8...10_000, path: \.fieldCount),
    Option(name: "method_bytes", range: 7...256, path: \.methodBytes),
    Option(name: "body_bytes", range: 1024...1 << 30, path: \.bodyBytes),
    Option(name: "body_bytes_in_all", range: 1 << 20...1 << 40, path: \.bodyBytesInAll),
    Option(name: "chunk_extension_bytes", range: 0...1 << 20, path: \.chunkExtensionBytes),
    Option(name: "head_seconds", range: 1...86_400, path: \.headSeconds),
    Option(name: "body_seconds", range: 1...86_400, path: \.bodySeconds),
    Option(name: "body_bytes_per_second", range: 1...1 << 30, path: \.bodyBytesPerSecond),
    Option(name: "idle_seconds", range: 1...86_400, path: \.idleSeconds),
    Option(name: "write_seconds", range: 1...86_400, path: \.writeSeconds),
    Option(name: "requests_per_connection", range: 1...1 << 30, path: \.requestsPerConnection),
    Option(name: "connections", range: 1...1_000_000, path: \.connections),
    Option(name: "connections_per_address", range: 1...1_000_000, path: \.connectionsPerAddress),
    Option(name: "queued_stream_bytes", range: 4096...1 << 30, path: \.queuedStreamBytes),
    Option(name: "pipeline_depth", range: 1...1 << 20, path: \.pipelineDepth),
    Option(name: "read_ahead_bytes", range: 1024...1 << 30, path: \.readAheadBytes),
    Option(name: "unwritten_bytes", range: 1024...1 << 30, path: \.unwrittenBytes),
    Option(name: "answer_bytes_in_all", range: 1 << 16...1 << 40, path: \.answerBytesInAll),
    Option(name: "answer_bytes_per_second", range: 1...1 << 30, path: \.answerBytesPerSecond),
    Option(name: "unsent_bytes", range: 4096...1 << 30, path: \.unsentBytes),
    Option(name: "stream_input_bytes", range: 0...1 << 30, path: \.streamInputBytes),
    Option(name: "linger_bytes", range: 0...1 << 30, path: \.lingerBytes),
    Option(name: "linger_seconds", range: 1...86_400, path: \.lingerSeconds),
  ]

  /// The names that `set` accepts, in the order above.
  package static var names: [String] { options.map(\.name) }

  /// The permitted values of a limit; nil for an unknown name.
  package static func range(of name: String) -> ClosedRange<Int>? {
    options.first { $0.name == name }?.range
  }

  /// The limit of that name; nil for an unknown name.
  package func value(of name: String) -> Int? {
    Limits.options.first { $0.name == name }.map { self[keyPath: $0.path] }
  }

  /// Sets a limit by its name.
  /// - Returns: false for an unknown name or a value out of range; nothing is changed then.
  package mutating func set(_ name: String, to value: Int) -> Bool {
    guard let option = Limits.options.first(where: { $0.name == name }), option.range.contains(value) else {
      return false
    }
    self[keyPath: option.path] = value
    return true
  }
}
