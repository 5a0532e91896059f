/// Writes JSON (RFC 8259) directly into bytes: messages and events are encoded on hot paths, where a general encoder
/// costs tens of microseconds per message. UTF-8, without line breaks, members in the order they are written.
package struct JSONWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty writer; `capacity` is the expected number of bytes.
  package init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes an object, whose members `content` writes.
  package mutating func object(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    content(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array, whose elements `content` writes.
  package mutating func array(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    content(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a member's name; its value must follow.
  package mutating func name(_ name: StaticString) {
    let separators = needsComma ? 1 : 0
    bytes.append(atMost: name.utf8CodeUnitCount + 4) { memory in
      // Where there is no comma, the quote takes its place.
      memory[0] = UInt8(ascii: ",")
      memory[separators] = UInt8(ascii: "\"")
      let start = memory + separators + 1
      start.update(from: name.utf8Start, count: name.utf8CodeUnitCount)
      let end = start + name.utf8CodeUnitCount
      (end[0], end[1]) = (UInt8(ascii: "\""), UInt8(ascii: ":"))
      return end + 2 - memory
    }
    needsComma = false
  }

  /// Writes a member's name that is not known at compile time; its value must follow.
  package mutating func name(text: String) {
    separate()
    appendQuoted(text)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string value.
  package mutating func value(_ text: String) {
    separate()
    appendQuoted(text)
    needsComma = true
  }

  /// Writes an id as a string.
  package mutating func value<Subject>(_ id: ID<Subject>) {
    quoted { id.append(to: &$0) }
  }

  /// Writes a time as a string.
  package mutating func value(_ time: Timestamp) {
    quoted { time.append(to: &$0) }
  }

  /// Writes a whole number.
  package mutating func value(_ number: Int) {
    literal { $0.append(decimal: number) }
  }

  /// Writes a whole number.
  package mutating func value(_ number: Int64) { value(Int(number)) }

  /// Writes true or false.
  package mutating func value(_ flag: Bool) {
    literal { $0.append(contentsOf: (flag ? "true" : "false").utf8) }
  }

  /// Writes null.
  package mutating func null() {
    literal { $0.append(contentsOf: "null".utf8) }
  }

  /// Writes a value that is JSON already.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes members that are JSON already, without braces.
  package mutating func rawMembers(_ json: [UInt8]) { raw(json) }

  /// Writes a string, or null.
  package mutating func value(_ text: String?) {
    if let text { value(text) } else { null() }
  }

  private mutating func literal(_ write: (inout [UInt8]) -> Void) {
    separate()
    write(&bytes)
    needsComma = true
  }

  /// Writes a string without characters that need escaping.
  private mutating func quoted(_ write: (inout [UInt8]) -> Void) {
    literal { bytes in
      bytes.append(UInt8(ascii: "\""))
      write(&bytes)
      bytes.append(UInt8(ascii: "\""))
    }
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

  /// Escapes quotes, backslashes and control characters (section 7); everything else is copied.
  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Copies runs without escapes at once; in most messages that is nearly everything.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    let digits = StaticString("0123456789abcdef")
    var start = 0
    for (index, byte) in text.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
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

extension [UInt8] {
  /// Appends what `write` puts into memory of so many bytes; it returns how many they are.
  @inline(__always)
  mutating func append(atMost count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    append(addingCapacity: count) { span in
      span.withUnsafeMutableBufferPointer { memory, written in
        if let start = memory.baseAddress { written = write(start) }
      }
    }
  }

  /// Appends a number with at least `digits` digits.
  mutating func append(decimal number: Int, digits: Int = 1) {
    append(atMost: 21) { memory in
      var (rest, position) = (number.magnitude, 21)
      repeat {
        position -= 1
        memory[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0 || 21 - position < digits
      if number < 0 {
        position -= 1
        memory[position] = UInt8(ascii: "-")
      }
      memory.update(from: memory + position, count: 21 - position)
      return 21 - position
    }
  }
}
