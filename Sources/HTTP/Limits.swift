/// Every bound of the server in one place. Sizes in bytes, times in seconds.
public struct Limits: Sendable, Hashable {
  /// Longest request target; more is 414 (RFC 9112 section 3). Default 8 KiB.
  public var targetBytes = 8 * 1024
  /// Longest field section, line ends and the empty line included; more is 431 (RFC 6585 section 5). Default 16 KiB.
  public var fieldBytes = 16 * 1024
  /// Most field lines; more is 431. Default 100.
  public var fieldCount = 100
  /// Longest method; more is 501 (RFC 9112 section 3). Default 24.
  public var methodBytes = 24
  /// Largest body where the endpoint names no other limit; more is 413. Default 64 KiB.
  public var bodyBytes = 64 * 1024
  /// Bytes of all bodies together that are being received in several parts; a body beyond is 503. Default 256 MiB.
  public var bodyBytesInAll = 256 * 1024 * 1024
  /// Chunk extensions of one body, all together, and likewise its trailers; more is 400 (RFC 9112 section 7.1.1).
  /// Default 4 KiB.
  public var chunkExtensionBytes = 4 * 1024
  /// From a head's first byte to its last; more is 408. Default 10.
  public var headSeconds = 10
  /// From a head's end to its body's end; more is 408, unless the body comes at `bodyBytesPerSecond`. Default 30.
  public var bodySeconds = 30
  /// A body gets a second more for this many bytes that have come. Default 4 KiB.
  public var bodyBytesPerSecond = 4 * 1024
  /// Between requests on a connection that is kept alive. Default 75.
  public var idleSeconds = 75
  /// A peer that takes none of the bytes waiting for it is dropped after this. Default 30.
  public var writeSeconds = 30
  /// Requests answered on one connection before it is closed. Default 10,000.
  public var requestsPerConnection = 10_000
  /// Connections in all. Default 10,000.
  public var connections = 10_000
  /// Connections of one peer address, of IPv6 of one network of 64 bits; trusted proxies have no such limit. Default
  /// 256.
  public var connectionsPerAddress = 256
  /// Bytes of events waiting for one reader; more closes that reader's connection. Default 256 KiB.
  public var queuedStreamBytes = 256 * 1024
  /// Pipelined requests of one connection that are answered in one turn of its loop, before the other connections have
  /// theirs. Default 64.
  public var pipelineDepth = 64
  /// Bytes that a client may send ahead while its request is being answered; the rest waits in the kernel. Default 64
  /// KiB.
  public var readAheadBytes = 64 * 1024
  /// Bytes of answers that wait for a slow reader; beyond, no further request of its connection is begun. Default 64
  /// KiB.
  public var unwrittenBytes = 64 * 1024
  /// Bytes that the kernel holds for one connection beyond those that are on their way (TCP_NOTSENT_LOWAT): without it
  /// a reader that stalls gets megabytes there, and thousands of them all memory that the system has for connections.
  /// Default 32 KiB.
  public var unsentBytes = 32 * 1024
  /// Bytes that the reader of an event stream may send, where nothing is expected of it; more closes its connection.
  /// Default 64 KiB.
  public var streamInputBytes = 64 * 1024
  /// Bytes that a client whose request was refused may still send while it reads the answer (RFC 9112 section 9.6): many
  /// clients read nothing before they have sent all. They are thrown away as they come. Default 16 MiB.
  public var lingerBytes = 16 * 1024 * 1024
  /// How long such a client is waited for. Default 2.
  public var lingerSeconds = 2

  /// The defaults.
  public init() {}
}

extension Limits {
  /// A limit that an operator can set by its name.
  private struct Option {
    let name: String
    let range: ClosedRange<Int>
    let path: any WritableKeyPath<Limits, Int> & Sendable
  }

  /// Sizes up to a gigabyte, so that no sum of them overflows and offsets fit 32 bits; times up to a day.
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
    Option(name: "unsent_bytes", range: 4096...1 << 30, path: \.unsentBytes),
    Option(name: "stream_input_bytes", range: 0...1 << 30, path: \.streamInputBytes),
    Option(name: "linger_bytes", range: 0...1 << 30, path: \.lingerBytes),
    Option(name: "linger_seconds", range: 1...86_400, path: \.lingerSeconds),
  ]

  /// The names that `set` takes, in the order above.
  public static var names: [String] { options.map(\.name) }

  /// What the limit of that name may be; nil for an unknown name.
  public static func range(of name: String) -> ClosedRange<Int>? {
    options.first { $0.name == name }?.range
  }

  /// The limit of that name; nil for an unknown name.
  public func value(of name: String) -> Int? {
    Limits.options.first { $0.name == name }.map { self[keyPath: $0.path] }
  }

  /// Sets a limit by its name.
  /// - Returns: false when there is no limit of that name, or it cannot be `value`; nothing is changed then.
  public mutating func set(_ name: String, to value: Int) -> Bool {
    guard let option = Limits.options.first(where: { $0.name == name }), option.range.contains(value) else {
      return false
    }
    self[keyPath: option.path] = value
    return true
  }
}
