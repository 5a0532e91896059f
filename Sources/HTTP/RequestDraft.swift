/// The parts of a head parsed so far. Offsets count from the first byte passed to the parser.
struct RequestDraft: Sendable {
  typealias Buffer = UnsafeBufferPointer<UInt8>

  var method = Method.get
  var version = Version.http11
  var targetForm = RequestHead.TargetForm.origin
  var target = RequestHead.Slice(0, 0)
  var path = RequestHead.Slice(0, 0)
  var query = RequestHead.Slice(0, 0)
  var host = RequestHead.Slice(0, 0)
  /// The position of the target's first "?".
  var queryMark: Int?
  /// The path has a "%".
  var pathHasEscapes = false
  /// A segment begins with ".": it may be a dot segment.
  var pathHasDots = false
  var lines: ContiguousArray<RequestHead.FieldLine> = []
  var hostLines = 0
  var contentLength: Int?
  var coding = TransferCoding.none
  var connectionClose = false
  var connectionKeepAlive = false
  var expectsContinue = false
  /// The absolute form names the https scheme.
  var targetIsSecure = false

  /// The transfer codings seen so far (RFC 9112 section 6.1).
  enum TransferCoding: Sendable {
    case none
    /// Just `chunked`.
    case chunked
    /// Codings other than chunked, and whether chunked came last.
    case others(chunkedLast: Bool)
  }

  /// Appends a field line. Five names concern the connection itself and are interpreted at once.
  mutating func append(
    name: RequestHead.Slice, value: Range<Int>, in bytes: Buffer
  ) throws(ProtocolError) {
    // OWS around the value is not part of it (RFC 9112 section 5.1).
    let value = RequestDraft.trimmed(value, in: bytes)
    lines.append(RequestHead.FieldLine(name: name, value: RequestHead.Slice(value.lowerBound, value.upperBound)))
    let name = name.range
    switch name.count {
    case 4 where RequestHead.matches(bytes, name, "host"):
      try readHost(value, in: bytes)
    case 6 where RequestHead.matches(bytes, name, "expect"):
      try readExpect(value, in: bytes)
    case 10 where RequestHead.matches(bytes, name, "connection"):
      readConnection(value, in: bytes)
    case 14 where RequestHead.matches(bytes, name, "content-length"):
      try readContentLength(value, in: bytes)
    case 17 where RequestHead.matches(bytes, name, "transfer-encoding"):
      try readTransferEncoding(value, in: bytes)
    default:
      break
    }
  }

  /// RFC 9112 section 3.2: more than one Host line or an invalid value is 400.
  private mutating func readHost(_ value: Range<Int>, in bytes: Buffer) throws(ProtocolError) {
    hostLines += 1
    guard hostLines == 1 else { throw ProtocolError(.badRequest, "more than one Host") }
    guard TargetSyntax.isAuthority(bytes, value) else { throw ProtocolError(.badRequest, "invalid Host") }
    // The absolute form's authority comes first (RFC 9112 section 3.2.2).
    if targetForm != .absolute { host = RequestHead.Slice(value.lowerBound, value.upperBound) }
  }

  /// RFC 9110 section 10.1.1: 100-continue is supported, anything else is 417; HTTP/1.0 has no Expect.
  private mutating func readExpect(_ value: Range<Int>, in bytes: Buffer) throws(ProtocolError) {
    guard version == .http11 else { return }
    var rest: Range<Int>? = value
    // An empty element is no member of the list (RFC 9110 section 5.6.1.2).
    while let member = nextElement(of: &rest, in: bytes) {
      if member.isEmpty { continue }
      guard equals(member, "100-continue", in: bytes) else {
        throw ProtocolError(.expectationFailed, "unknown expectation")
      }
      expectsContinue = true
    }
  }

  /// RFC 9110 section 7.6.1: a list of case-insensitive options.
  private mutating func readConnection(_ value: Range<Int>, in bytes: Buffer) {
    var rest: Range<Int>? = value
    while let option = nextElement(of: &rest, in: bytes) {
      if equals(option, "close", in: bytes) { connectionClose = true }
      if equals(option, "keep-alive", in: bytes) { connectionKeepAlive = true }
    }
  }

  /// RFC 9112 section 6.3 rule 5: rejects anything but a single decimal number, even a repeated equal value.
  private mutating func readContentLength(_ value: Range<Int>, in bytes: Buffer) throws(ProtocolError) {
    guard contentLength == nil else { throw ProtocolError(.badRequest, "more than one Content-Length") }
    guard !value.isEmpty else { throw ProtocolError(.badRequest, "invalid Content-Length") }
    var length = 0
    for index in value {
      guard Characters.isDigit(bytes[index]) else { throw ProtocolError(.badRequest, "invalid Content-Length") }
      let (tenfold, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int(bytes[index] - 0x30))
      // A valid number, but larger than any accepted body (RFC 9110 section 8.6 warns of overflow).
      if overflow || carry { throw ProtocolError(.contentTooLarge, "Content-Length is too large") }
      length = sum
    }
    contentLength = length
  }

  /// RFC 9112 section 6.1. Rejects empty list elements, although RFC 9110 section 5.6.1 would skip them: proxies
  /// interpret them differently, which allows request smuggling (RFC 9112 section 11.2).
  private mutating func readTransferEncoding(_ value: Range<Int>, in bytes: Buffer) throws(ProtocolError) {
    var rest: Range<Int>? = value
    while let element = nextElement(of: &rest, in: bytes) {
      guard let first = element.first, Characters.isToken(bytes[first]) else {
        throw ProtocolError(.badRequest, "invalid Transfer-Encoding")
      }
      let isChunked = equals(element, "chunked", in: bytes)
      switch coding {
      case .none: coding = isChunked ? .chunked : .others(chunkedLast: false)
      case .others(chunkedLast: false): coding = .others(chunkedLast: isChunked)
      // Chunked may be applied once, and last (RFC 9112 section 7).
      case .chunked, .others(chunkedLast: true): throw ProtocolError(.badRequest, "chunked is not the last coding")
      }
    }
  }

  /// The finished head, after its empty line.
  mutating func finish(_ bytes: Buffer, end: Int) throws(ProtocolError) -> RequestHead {
    // RFC 9112 section 3.2: HTTP/1.1 must name the host.
    if version == .http11, hostLines == 0 { throw ProtocolError(.badRequest, "no Host") }
    let framing = try framing()
    return RequestHead(
      method: method, version: version, targetForm: targetForm, targetIsSecure: targetIsSecure, framing: framing,
      // RFC 9112 section 9.3: close wins; HTTP/1.1 persists by default, HTTP/1.0 on request.
      keepAlive: !connectionClose && (version == .http11 || connectionKeepAlive),
      expectsContinue: expectsContinue && framing != .none && framing != .length(0),
      bytes: Array(bytes[..<end]), lines: lines, targetSlice: target, pathSlice: path, querySlice: query,
      hostSlice: host, pathHasEscapes: pathHasEscapes)
  }

  /// RFC 9112 section 6.3, the rules for requests; rejects contradictions (section 11.2).
  private func framing() throws(ProtocolError) -> BodyFraming {
    if case .none = coding { return contentLength.map(BodyFraming.length) ?? .none }
    // Section 6.1: such a message's framing is faulty.
    if version == .http10 { throw ProtocolError(.badRequest, "Transfer-Encoding in HTTP/1.0") }
    if contentLength != nil { throw ProtocolError(.badRequest, "Transfer-Encoding with Content-Length") }
    switch coding {
    case .none, .chunked: return .chunked
    // Section 6.3 rule 4: the length cannot be determined.
    case .others(chunkedLast: false): throw ProtocolError(.badRequest, "chunked is not the last coding")
    // Section 6.1: a coding that is not understood.
    case .others(chunkedLast: true): throw ProtocolError(.notImplemented, "unknown transfer coding")
    }
  }

  private func equals(_ range: Range<Int>, _ text: String, in bytes: Buffer) -> Bool {
    range.count == text.utf8.count && RequestHead.matches(bytes, range, text)
  }

  /// Removes the next element of a comma-separated list from the front of `rest`, without surrounding white space (RFC
  /// 9110 section 5.6.1); nil at the end.
  private func nextElement(of rest: inout Range<Int>?, in bytes: Buffer) -> Range<Int>? {
    guard let list = rest else { return nil }
    let comma = bytes[list].firstIndex(of: UInt8(ascii: ",")) ?? list.upperBound
    rest = comma < list.upperBound ? (comma + 1)..<list.upperBound : nil
    return RequestDraft.trimmed(list.lowerBound..<comma, in: bytes)
  }

  /// The range without surrounding white space.
  private static func trimmed(_ range: Range<Int>, in bytes: Buffer) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, Characters.isWhitespace(bytes[start]) { start += 1 }
    while start < end, Characters.isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}
