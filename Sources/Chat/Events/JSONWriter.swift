/// JSON (RFC 8259) into bytes, by hand: messages and events are written on hot paths, where a general encoder costs tens
/// of microseconds a message. No line breaks, UTF-8, members in the order they are written.
public struct JSONWriter: Sendable {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty text; `capacity` is a guess of its bytes.
  public init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes an object, whose members `content` writes.
  public mutating func object(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    content(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array, whose elements `content` writes.
  public mutating func array(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    content(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a member's name; its value must follow.
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string value.
  public mutating func value(_ text: String) {
    separate()
    appendQuoted(text)
    needsComma = true
  }

  /// Writes a whole number.
  public mutating func value(_ number: some BinaryInteger) {
    literal(String(number))
  }

  /// Writes true or false.
  public mutating func value(_ flag: Bool) {
    literal(flag ? "true" : "false")
  }

  /// Writes null.
  public mutating func null() {
    literal("null")
  }

  /// Writes a value that is JSON already.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes a string, or null.
  public mutating func value(_ text: String?) {
    if let text { value(text) } else { null() }
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// Quotes, backslashes and control characters are escaped (section 7); all else stands as it is.
  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Copies what needs no escape in one piece: of a message that is mostly all of it.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    let digits = StaticString("0123456789abcdef")
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      bytes.append(contentsOf: text[start..<index])
      start = index + 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A:
        bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
      case 0x00...0x1F:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(digits.utf8Start[Int(byte >> 4)])
        bytes.append(digits.utf8Start[Int(byte & 0xF)])
      default:
        break
      }
    }
    bytes.append(contentsOf: text[start...])
  }
}
