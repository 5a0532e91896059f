/// The field section: field-line = field-name ":" OWS field-value OWS CRLF (RFC 9112 section 5).
extension RequestParser {
  mutating func readLineStart(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    guard try isThere(bytes, limit: fieldsEnd) else { return false }
    let byte = bytes[position]
    if byte == Characters.carriageReturn {
      position += 1
      phase = .endLineFeed
      return true
    }
    // obs-fold (RFC 9112 section 5.2), or white space before the first line (section 2.2): refused, never joined.
    if Characters.isWhitespace(byte) { throw ProtocolError(.badRequest, "folded field line") }
    if draft.lines.count >= limits.fieldCount {
      throw ProtocolError(.requestHeaderFieldsTooLarge, "too many field lines")
    }
    mark = position
    phase = .name
    return true
  }

  /// field-name (RFC 9110 section 5.1).
  mutating func readName(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    let end = min(bytes.count, fieldsEnd)
    while position < end, Characters.isToken(bytes[position]) { position += 1 }
    guard try isThere(bytes, limit: fieldsEnd) else { return false }
    // White space before the colon is 400 (RFC 9112 section 5.1).
    guard bytes[position] == UInt8(ascii: ":"), position > mark else {
      throw ProtocolError(.badRequest, "invalid field name")
    }
    name = RequestHead.Slice(mark, position)
    position += 1
    mark = position
    phase = .value
    return true
  }

  /// field-value with the white space around it (RFC 9110 section 5.5).
  mutating func readValue(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    let end = min(bytes.count, fieldsEnd)
    position = RequestParser.endOfValue(bytes, from: position, to: end)
    guard try isThere(bytes, limit: fieldsEnd) else { return false }
    // NUL, LF and the other controls are refused rather than replaced (RFC 9110 section 5.5, RFC 9112 section 2.2).
    guard bytes[position] == Characters.carriageReturn else {
      throw ProtocolError(.badRequest, "invalid character in a field value")
    }
    position += 1
    phase = .valueLineFeed
    return true
  }

  /// A CR that is not followed by LF is invalid (RFC 9112 section 2.2).
  mutating func readValueLineFeed(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    guard try isThere(bytes, limit: fieldsEnd) else { return false }
    guard bytes[position] == Characters.lineFeed else { throw ProtocolError(.badRequest, "bare CR") }
    try draft.append(name: name, value: mark..<(position - 1), in: bytes)
    position += 1
    phase = .lineStart
    return true
  }

  /// The first byte in the range that is not field-content, testing eight bytes at a time.
  private static func endOfValue(_ bytes: Buffer, from start: Int, to end: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(bytes)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highBits = ones << 7
    while index + 8 <= end {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let deletes = word ^ (ones &* 0x7F)
      // Sets the high bit of each byte that is below 0x20 or is 0x7F.
      let controls = ((word &- ones &* 0x20) & ~word) | ((deletes &- ones) & ~deletes)
      if controls & highBits != 0 { break }
      index += 8
    }
    while index < end, Characters.isFieldValue(bytes[index]) { index += 1 }
    return index
  }
}
