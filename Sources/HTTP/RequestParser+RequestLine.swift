/// The request line: method SP request-target SP HTTP-version CRLF, one space each (RFC 9112 section 3).
extension RequestParser {
  /// The method (RFC 9112 section 3.1).
  mutating func readMethod(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    // Fast path: the draft's default method, if all of it has been received.
    if position == mark, bytes.count - position >= 4, limits.methodBytes >= 3,
      RequestParser.word(bytes, position, UInt32.self) == RequestParser.word("GET ", UInt32.self)
    {
      position += 4
      mark = position
      phase = .target
      return true
    }
    // The longest method and its space.
    let limit = mark + limits.methodBytes + 1
    let end = min(bytes.count, limit)
    while position < end, Characters.isToken(bytes[position]) { position += 1 }
    if position == limit { throw ProtocolError(.notImplemented, "the method is too long") }
    if position == bytes.count { return false }
    guard bytes[position] == Characters.space, position > mark else {
      throw ProtocolError(.badRequest, "invalid method")
    }
    draft.method = RequestParser.method(UnsafeBufferPointer(rebasing: bytes[mark..<position]))
    position += 1
    mark = position
    phase = .target
    return true
  }

  private static func method(_ bytes: Buffer) -> Method {
    // Fast path: the second most common method, without creating a string.
    if bytes.count == 4, word(bytes, 0, UInt32.self) == word("POST", UInt32.self) { return .post }
    return Method(verified: String(decoding: bytes, as: UTF8.self))
  }

  /// Several bytes as one integer in native byte order; all must have been received.
  @inline(__always)
  private static func word<Word: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: Buffer, _ start: Int, _ type: Word.Type
  ) -> Word {
    precondition(start + MemoryLayout<Word>.size <= bytes.count, "read behind the end")
    return UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: type)
  }

  /// The first bytes of `text` as one integer, to compare with.
  @inline(__always)
  private static func word<Word: FixedWidthInteger & BitwiseCopyable>(_ text: StaticString, _ type: Word.Type) -> Word {
    word(Buffer(start: text.utf8Start, count: text.utf8CodeUnitCount), 0, type)
  }

  /// The target up to its space; its form is checked at the end of the line.
  mutating func readTarget(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    let limit = mark + limits.targetBytes + 1
    let end = min(bytes.count, limit)
    while position < end {
      let byte = bytes[position]
      if !TargetSyntax.isPlain(byte) {
        if byte == Characters.space { break }
        try readSpecial(byte, previous: position > mark ? bytes[position - 1] : 0)
      }
      position += 1
    }
    // RFC 9112 section 3: a target beyond the limit is 414.
    if position == limit { throw ProtocolError(.uriTooLong, "the target is too long") }
    if position == bytes.count { return false }
    guard position > mark else { throw ProtocolError(.badRequest, "no target") }
    draft.target = RequestHead.Slice(mark, position)
    position += 1
    mark = position
    phase = .version
    return true
  }

  private mutating func readSpecial(_ byte: UInt8, previous: UInt8) throws(ProtocolError) {
    let isPath = draft.queryMark == nil
    switch byte {
    case UInt8(ascii: "?"):
      if isPath { draft.queryMark = position }
    case UInt8(ascii: "%"):
      if isPath { draft.pathHasEscapes = true }
    case UInt8(ascii: "."):
      if isPath, previous == UInt8(ascii: "/") { draft.pathHasDots = true }
    case UInt8(ascii: "\\") where !isPath:
      break
    default:
      // RFC 9112 section 3.2: respond with 400; do not repair it.
      throw ProtocolError(.badRequest, "invalid character in the target")
    }
  }

  /// HTTP-version = "HTTP/" DIGIT "." DIGIT, in capitals (RFC 9112 section 2.3), and the line's end.
  mutating func readVersion(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    let pattern: StaticString = "HTTP/1.1\r\n"
    // Fast path: the draft's default version, if the whole line has been received.
    if position == mark, bytes.count - position >= 10,
      RequestParser.word(bytes, position, UInt64.self) == RequestParser.word(pattern, UInt64.self),
      RequestParser.word(bytes, position + 8, UInt16.self) == RequestParser.word("\r\n", UInt16.self)
    {
      position += 10
    }
    while position < mark + pattern.utf8CodeUnitCount {
      guard position < bytes.count else { return false }
      let byte = bytes[position]
      switch position - mark {
      case 5:
        guard Characters.isDigit(byte) else { throw ProtocolError(.badRequest, "invalid version") }
      case 7:
        guard Characters.isDigit(byte) else { throw ProtocolError(.badRequest, "invalid version") }
        // RFC 9110 section 15.6.6; the HTTP/2 preface ends here too (RFC 9113 section 3.4).
        guard bytes[mark + 5] == UInt8(ascii: "1") else {
          throw ProtocolError(.httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are spoken")
        }
        // RFC 9110 section 2.5: a higher minor version is read as the highest known.
        draft.version = byte == UInt8(ascii: "0") ? .http10 : .http11
      case let index:
        // A bare LF could end the line (RFC 9112 section 2.2 allows it, section 11.2 warns): refused here.
        guard byte == pattern.utf8Start[index] else { throw ProtocolError(.badRequest, "invalid version") }
      }
      position += 1
    }
    try finishRequestLine(bytes)
    fieldsStart = position
    draft.lines.reserveCapacity(16)
    phase = .lineStart
    return true
  }

  /// The target's form (RFC 9112 section 3.2), its parts, and the path's checks.
  private mutating func finishRequestLine(_ bytes: Buffer) throws(ProtocolError) {
    // CONNECT is for proxies (RFC 9110 section 9.3.6) and alone uses the authority form (RFC 9112 section 3.2.3).
    guard draft.method != .connect else { throw ProtocolError(.notImplemented, "CONNECT is not offered") }
    let target = draft.target.range
    let pathEnd = draft.queryMark ?? target.upperBound
    draft.query = RequestHead.Slice(min(pathEnd + 1, target.upperBound), target.upperBound)
    switch bytes[target.lowerBound] {
    case UInt8(ascii: "/"):
      draft.path = RequestHead.Slice(target.lowerBound, pathEnd)
    case UInt8(ascii: "*") where target.count == 1:
      // RFC 9112 section 3.2.4: for OPTIONS only.
      guard draft.method == .options else { throw ProtocolError(.badRequest, "the target * is for OPTIONS") }
      draft.targetForm = .asterisk
    default:
      try readAbsoluteForm(bytes, target, pathEnd: pathEnd)
    }
    if draft.pathHasEscapes || draft.pathHasDots { try TargetSyntax.checkPath(bytes, draft.path.range) }
  }

  /// RFC 9112 section 3.2.2: servers must accept the absolute form, although clients send it to proxies only.
  private mutating func readAbsoluteForm(_ bytes: Buffer, _ target: Range<Int>, pathEnd: Int) throws(ProtocolError) {
    let authority: Int
    if RequestParser.begins(bytes, target, "http://") {
      authority = target.lowerBound + 7
    } else if RequestParser.begins(bytes, target, "https://") {
      authority = target.lowerBound + 8
      draft.targetIsSecure = true
    } else {
      throw ProtocolError(.badRequest, "invalid target")
    }
    guard authority < pathEnd else { throw ProtocolError(.badRequest, "invalid authority") }
    let slash = bytes[authority..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
    guard TargetSyntax.isAuthority(bytes, authority..<slash) else {
      throw ProtocolError(.badRequest, "invalid authority")
    }
    draft.targetForm = .absolute
    draft.host = RequestHead.Slice(authority, slash)
    draft.path = RequestHead.Slice(slash, pathEnd)
  }

  private static func begins(_ bytes: Buffer, _ range: Range<Int>, _ prefix: String) -> Bool {
    range.count >= prefix.utf8.count && RequestHead.matches(bytes, range, prefix)
  }
}
