/// A request's head (RFC 9112 sections 3 and 5): one copy of its bytes, and offsets into it.
///
/// Made by ``RequestParser`` only, so everything in it is checked: `path` has no dot segment and no control character,
/// `host` is valid, the framing is free of contradictions.
public struct RequestHead: Sendable {
  /// The form of the request target (RFC 9112 section 3.2). The authority form is refused by the parser.
  public enum TargetForm: Sendable, Hashable {
    /// A path and query, as usual.
    case origin
    /// A whole URI, as sent to proxies; its authority overrides Host (RFC 9112 section 3.2.2).
    case absolute
    /// `*`, with OPTIONS: the server as a whole.
    case asterisk
  }

  /// Offsets into `bytes`; 32 bits suffice, for the parser's limits are far below.
  struct Slice: Sendable {
    var start: UInt32
    var end: UInt32
    var range: Range<Int> { Int(start)..<Int(end) }

    init(_ start: Int, _ end: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }
  }

  /// A field line's name and value, the value without the white space around it.
  struct FieldLine: Sendable {
    var name: Slice
    var value: Slice
  }

  /// The method.
  public let method: Method
  /// The version, as it is to be treated.
  public let version: Version
  /// The form of the target.
  public let targetForm: TargetForm
  /// Whether the absolute form names the https scheme: not for a connection without TLS (RFC 9110 section 7.4).
  public let targetIsSecure: Bool
  /// How the body's end is found.
  public let framing: BodyFraming
  /// Whether the client will send another request on this connection (RFC 9112 section 9.3).
  public let keepAlive: Bool
  /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 section 10.1.1).
  public let expectsContinue: Bool

  let bytes: [UInt8]
  let lines: ContiguousArray<FieldLine>
  let targetSlice: Slice
  let pathSlice: Slice
  let querySlice: Slice
  let hostSlice: Slice
  let pathHasEscapes: Bool

  /// The request target as it was sent.
  public var target: String { string(targetSlice) }

  /// The path, percent-decoded once. Always begins with "/"; "/" for the asterisk form and for an empty path.
  public var path: String {
    if pathSlice.range.isEmpty { return "/" }
    guard pathHasEscapes else { return string(pathSlice) }
    return String(decoding: PercentEncoding.decodeVerified(bytes[pathSlice.range]), as: UTF8.self)
  }

  /// The path before percent-decoding, without the query; empty for the asterisk form.
  public var encodedPath: ArraySlice<UInt8> { bytes[pathSlice.range] }

  /// The path's segments, each percent-decoded by itself, so that an encoded slash does not divide: `["rooms", "7"]`
  /// for `/rooms/7`, `[""]` for `/`.
  public var pathSegments: [String] {
    encodedPath.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      String(decoding: pathHasEscapes ? PercentEncoding.decodeVerified(segment) : Array(segment), as: UTF8.self)
    }
  }

  /// The query, empty when there is none.
  public var query: Query { Query(bytes: bytes[querySlice.range]) }

  /// The target's host and optional port: the absolute form's, else Host's (RFC 9112 section 3.3); nil only in HTTP/1.0.
  public var host: String? { hostSlice.range.isEmpty ? nil : string(hostSlice) }

  /// The value of the first field line of that name, nil when there is none.
  public subscript(name: FieldName) -> String? {
    line(name, from: 0).map { string(lines[$0].value) }
  }

  /// The values of all field lines of that name in order.
  public func all(_ name: FieldName) -> [String] {
    var values: [String] = []
    var start = 0
    while let index = line(name, from: start) {
      values.append(string(lines[index].value))
      start = index + 1
    }
    return values
  }

  /// All field lines in order, names as they were sent.
  public var fieldLines: [(name: String, value: String)] {
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
