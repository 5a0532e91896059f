/// A response's head and its encoding (RFC 9112 sections 4 and 6).
package struct ResponseHead: Sendable {
  /// The framing of the body that follows.
  package enum Framing: Hashable, Sendable {
    /// Content-Length; for HEAD, the length GET would send (RFC 9110 section 8.6).
    case length(Int)
    /// Transfer-Encoding: chunked (RFC 9112 section 7.1); for HTTP/1.1 readers only.
    case chunked
    /// The body ends with the connection; requires `keepAlive: false`.
    case untilClose
  }

  /// The Connection field (RFC 9112 section 9.3).
  package enum Persistence: Hashable, Sendable {
    /// HTTP/1.1, kept open: no field.
    case implied
    /// HTTP/1.0, kept open: `connection: keep-alive`.
    case keepAlive
    /// The last response: `connection: close`.
    case close
  }

  package var status: Status
  /// The fields. Connection, Content-Length, Date, Keep-Alive and Transfer-Encoding are ignored: the encoding sets
  /// them.
  package var fields: Fields

  package init(status: Status, fields: Fields = [:]) {
    self.status = status
    self.fields = fields
  }

  /// Appends the encoded head. `common` contains encoded field lines of every response, such as ``HTTPDate/fieldLine``;
  /// `defaults` are omitted where the response has fields of the same name.
  package func encode(
    into buffer: inout [UInt8], framing: Framing, persistence: Persistence, requestID: String? = nil,
    common: [UInt8] = [], defaults: DefaultFields = DefaultFields()
  ) {
    // The status line, the framing and connection lines and the empty line fit into 256 bytes; the id's line needs 16
    // and its length.
    var measure = 256 + common.count + defaults.count + (requestID?.utf8.count ?? 0) + 16
    for line in fields { measure += line.name.canonical.utf8.count + line.value.utf8.count + 4 }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: measure) { memory in
      var writer = HeadWriter(memory)
      writeStatusLine(&writer)
      writer.write(common)
      if let requestID {
        writer.write("x-request-id: ")
        writer.write(requestID)
        writer.write("\r\n")
      }
      for line in fields where !ResponseHead.isOwn(line.name) {
        writer.write(line.name.canonical)
        writer.write(": ")
        writer.write(line.value)
        writer.write("\r\n")
      }
      for line in defaults.lines where !fields.contains(line.name) { writer.write(line.bytes) }
      writeEnd(&writer, framing, persistence)
      buffer.append(contentsOf: writer.written)
    }
  }

  /// The interim 100 response (RFC 9110 section 15.2.1).
  package static var continueBytes: [UInt8] { Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) }

  /// The lines for framing and connection, and the empty line.
  private func writeEnd(_ writer: inout HeadWriter, _ framing: Framing, _ persistence: Persistence) {
    switch framing {
    // RFC 9110 section 8.6: no Content-Length in 1xx and 204; 304 may leave it out.
    case .length where status.isBodiless: break
    case .length(let length):
      writer.write("content-length: ")
      writer.write(decimal: length)
      writer.write("\r\n")
    case .chunked: writer.write("transfer-encoding: chunked\r\n")
    case .untilClose: break
    }
    switch persistence {
    case .implied: writer.write("\r\n")
    case .keepAlive: writer.write("connection: keep-alive\r\n\r\n")
    case .close: writer.write("connection: close\r\n\r\n")
    }
  }

  /// status-line = HTTP-version SP status-code SP [ reason-phrase ] CRLF (RFC 9112 section 4). The version is the
  /// server's own, whatever the request's (RFC 9110 section 6.2).
  private func writeStatusLine(_ writer: inout HeadWriter) {
    switch status.code {
    case 200: writer.write("HTTP/1.1 200 OK\r\n")
    case 201: writer.write("HTTP/1.1 201 Created\r\n")
    case 204: writer.write("HTTP/1.1 204 No Content\r\n")
    case 304: writer.write("HTTP/1.1 304 Not Modified\r\n")
    case 404: writer.write("HTTP/1.1 404 Not Found\r\n")
    default:
      writer.write("HTTP/1.1 ")
      writer.write(decimal: status.code)
      writer.write(" ")
      writer.write(status.reason)
      writer.write("\r\n")
    }
  }

  private static func isOwn(_ name: FieldName) -> Bool {
    // Compares the lengths first, because most names differ in length.
    switch name.canonical.utf8.count {
    case 4: name == .date
    case 10: name == .connection || name.canonical == "keep-alive"
    case 14: name == .contentLength
    case 17: name == .transferEncoding
    default: false
    }
  }
}

extension Fields {
  package func encode(into buffer: inout [UInt8]) {
    for line in self { buffer.append(line) }
  }
}

extension [UInt8] {
  /// Appends a static text without creating a string.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ line: Fields.Line) {
    append(contentsOf: line.name.canonical.utf8)
    append(": ")
    append(contentsOf: line.value.utf8)
    append("\r\n")
  }

  /// Appends a number that is not negative in decimal digits.
  mutating func append(decimal number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}
