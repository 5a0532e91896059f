/// The `text/event-stream` format (HTML Living Standard, section 9.2.6).
package enum EventStreamEncoding {
  /// The media type of event streams.
  package static let mediaType = "text/event-stream"

  /// One event: `id:` if there is one, `event:` unless it is the default type, a `data:` line for each line of `data`,
  /// and the empty line that dispatches it. Drops line ends and NUL in `name` and `id`, which would end the field.
  package static func event(name: String? = nil, id: String? = nil, data: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(data.count + 64)
    if let id { appendField("id: ", id, to: &encoded) }
    if let name { appendField("event: ", name, to: &encoded) }
    appendLines("data: ", data, to: &encoded)
    encoded.append("\n")
    return encoded
  }

  package static func event(name: String? = nil, id: String? = nil, data: String) -> [UInt8] {
    event(name: name, id: id, data: Array(data.utf8))
  }

  /// A comment, which clients ignore: keeps an idle stream alive through proxies.
  package static func comment(_ text: String = "") -> [UInt8] {
    var encoded: [UInt8] = []
    appendLines(": ", Array(text.utf8), to: &encoded)
    encoded.append("\n")
    return encoded
  }

  /// Sets the client's reconnection time.
  package static func retry(milliseconds: Int) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.append("retry: ")
    encoded.append(decimal: max(0, milliseconds))
    encoded.append("\n\n")
    return encoded
  }

  private static func appendField(_ field: StaticString, _ value: String, to encoded: inout [UInt8]) {
    encoded.append(field)
    for byte in value.utf8 where byte != Characters.carriageReturn && byte != Characters.lineFeed && byte != 0 {
      encoded.append(byte)
    }
    encoded.append("\n")
  }

  /// CRLF, LF and CR each end a line in this format, so each becomes a line of its own.
  private static func appendLines(_ field: StaticString, _ text: [UInt8], to encoded: inout [UInt8]) {
    encoded.append(field)
    // Fast path: nearly all data is JSON on one line.
    guard text.contains(where: { $0 == Characters.lineFeed || $0 == Characters.carriageReturn }) else {
      encoded.append(contentsOf: text)
      encoded.append("\n")
      return
    }
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case Characters.lineFeed where previous == Characters.carriageReturn:
        break
      case Characters.lineFeed, Characters.carriageReturn:
        encoded.append("\n")
        encoded.append(field)
      default:
        encoded.append(byte)
      }
      previous = byte
    }
    encoded.append("\n")
  }
}
