import Base

/// A request's head (RFC 9112 sections 3 and 5): one copy of its bytes, and offsets into it.
///
/// Only ``RequestParser`` creates one, so it is valid: `path` has no dot segments or control characters, `host` is
/// valid, the framing is unambiguous.
package struct RequestHead: Sendable {
  /// The form of the request target (RFC 9112 section 3.2). The authority form is refused by the parser.
  package enum TargetForm: Sendable, Hashable {
    /// A path and query: the usual form.
    case origin
    /// A URI, as sent to proxies; its authority overrides Host (RFC 9112 section 3.2.2).
    case absolute
    /// `*`, with OPTIONS: the server as a whole.
    case asterisk
  }

  /// Offsets into `bytes`; the parser's limits keep them within 32 bits.
  struct Slice: Sendable {
    var start: UInt32
    var end: UInt32
    var range: Range<Int> { Int(start)..<Int(end) }

    init(_ start: Int, _ end: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }
  }

  /// A field line's name and value, without surrounding white space.
  struct FieldLine: Sendable {
    var name: Slice
    var value: Slice
  }

  /// The method.
  package let method: Method
  /// The version to treat the request as.
  package let version: Version
  /// The form of the target.
  package let targetForm: TargetForm
  /// Whether the absolute form names the https scheme: not for a connection without TLS (RFC 9110 section 7.4).
  package let targetIsSecure: Bool
  package let framing: BodyFraming
  /// Whether the client will send another request on this connection (RFC 9112 section 9.3).
  package let keepAlive: Bool
  /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 section 10.1.1).
  package let expectsContinue: Bool

  let bytes: [UInt8]
  let lines: ContiguousArray<FieldLine>
  let targetSlice: Slice
  let pathSlice: Slice
  let querySlice: Slice
  let hostSlice: Slice
  let pathHasEscapes: Bool

  /// The request target as it was sent.
  package var target: String { string(targetSlice) }

  /// The path, percent-decoded once. Begins with "/"; it is "/" for the asterisk form and for an empty path.
  package var path: String {
    if pathSlice.range.isEmpty { return "/" }
    return decoded(encodedPath)
  }

  /// The path before percent-decoding, without the query; empty for the asterisk form.
  package var encodedPath: ArraySlice<UInt8> { bytes[pathSlice.range] }

  /// The path's segments, percent-decoded individually, so that an encoded slash does not separate: `["rooms", "7"]`
  /// for `/rooms/7`, `[""]` for `/`.
  package var pathSegments: [String] {
    encodedPath.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(decoded)
  }

  /// A part of the path, whose escapes the parser has checked.
  private func decoded(_ part: ArraySlice<UInt8>) -> String {
    let plain = pathHasEscapes ? PercentEncoding.decode(part) : nil
    return plain.map { String(decoding: $0, as: UTF8.self) } ?? String(decoding: part, as: UTF8.self)
  }

  /// The query, empty when there is none.
  package var query: Query { Query(bytes: bytes[querySlice.range]) }

  /// The host and optional port: the absolute form's, else Host's (RFC 9112 section 3.3); nil only in HTTP/1.0.
  package var host: String? { hostSlice.range.isEmpty ? nil : string(hostSlice) }

  /// Calls `body` with the bytes of `host`, without making a string; none when there is no host.
  package func withHost<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[hostSlice.range])) }
  }

  /// The value of the first field line of that name, nil when there is none.
  package subscript(name: FieldName) -> String? {
    line(name, from: 0).map { string(lines[$0].value) }
  }

  /// The values of all field lines of that name in order.
  package func all(_ name: FieldName) -> [String] {
    var values: [String] = []
    var start = 0
    while let index = line(name, from: start) {
      values.append(string(lines[index].value))
      start = index + 1
    }
    return values
  }

  /// All field lines in order, names as they were sent.
  package var fieldLines: [(name: String, value: String)] {
    lines.map { (string($0.name), string($0.value)) }
  }

  /// The index of the first line of that name at or after `start`.
  func line(_ name: FieldName, from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      lines[start...].firstIndex { line in
        line.name.range.count == name.canonical.utf8.count
          && RequestHead.matches(bytes, line.name.range, name.canonical)
      }
    }
  }

  private func string(_ slice: Slice) -> String {
    String(decoding: bytes[slice.range], as: UTF8.self)
  }

  /// Whether the bytes, in lower case, are those of `text`, which is of the same length.
  @inline(__always)
  static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
    var index = range.lowerBound
    for byte in text.utf8 {
      if Characters.lowercased(bytes[index]) != byte { return false }
      index += 1
    }
    return true
  }
}
