/// Bytes encoded once and shared by all readers: the queues of a thousand streams refer to one array.
package final class SharedBytes: Sendable {
  package let bytes: [UInt8]

  /// Wraps `bytes` without copying.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var count: Int { bytes.count }
}
