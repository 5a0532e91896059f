/// Bytes that are encoded once and then shared by every reader: an event goes to a thousand streams as one array
/// that each stream's queue refers to.
public final class SharedBytes: Sendable {
  /// The encoded bytes.
  public let bytes: [UInt8]

  /// Wraps `bytes`, which are not copied.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes.
  public var count: Int { bytes.count }
}
