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
  /// Chunk extensions of one body, all together, and likewise its trailers; more is 400 (RFC 9112 section 7.1.1). Default 4 KiB.
  public var chunkExtensionBytes = 4 * 1024
  /// From a head's first byte to its last; more is 408. Default 10.
  public var headSeconds = 10
  /// From a head's end to its body's end; more is 408. Default 30.
  public var bodySeconds = 30
  /// Between requests on a connection that is kept alive. Default 75.
  public var idleSeconds = 75
  /// A peer that takes none of the bytes waiting for it is dropped after this. Default 30.
  public var writeSeconds = 30
  /// Requests answered on one connection before it is closed. Default 10,000.
  public var requestsPerConnection = 10_000
  /// Connections in all. Default 10,000.
  public var connections = 10_000
  /// Connections of one peer address. Default 256.
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
