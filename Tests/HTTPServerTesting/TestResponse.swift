import HTTP

/// A received response.
package struct TestResponse: Sendable {
  /// The status.
  package let status: Status
  /// The fields.
  package let fields: Fields
  /// The whole body, without its transfer coding.
  package let body: [UInt8]

  /// The body as text; bytes that are not UTF-8 become replacement characters.
  package var text: String { String(decoding: body, as: UTF8.self) }

  init(status: Status, fields: Fields, body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Parses all bytes of a connection: one response; interim responses before it are dropped.
  ///
  /// - Parameter isHead: whether the request was HEAD, so that there is no body whatever the fields say.
  package init(parsing bytes: [UInt8], isHead: Bool = false) throws(TestClient.Failure) {
    var rest = bytes[...]
    var head: (status: Status, fields: Fields)
    repeat {
      head = try TestResponse.takeHead(&rest)
    } while head.status.code < 200
    var body = rest
    if isHead || head.status.isBodiless {
      body = []
    } else if head.fields[.transferEncoding] != nil {
      body = try TestResponse.dechunked(rest)[...]
    } else if let length = head.fields[.contentLength].flatMap({ Int($0) }) {
      guard length <= rest.count else { throw .invalidResponse("the body ends after \(rest.count) of \(length) bytes") }
      body = rest.prefix(length)
    }
    self.init(status: head.status, fields: head.fields, body: Array(body))
  }

  /// Removes a head from the front of `bytes`.
  static func takeHead(_ bytes: inout ArraySlice<UInt8>) throws(TestClient.Failure) -> (status: Status, fields: Fields)
  {
    guard let end = endOfHead(bytes) else { throw .invalidResponse("no head in \(bytes.count) bytes") }
    // In a Swift string CRLF is one character.
    var lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    bytes = bytes[(end + 4)...]
    let statusLine = lines.removeFirst()
    let parts = statusLine.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let code = Int(parts[1]), (100...999).contains(code) else {
      throw .invalidResponse("the status line is \(statusLine.debugDescription)")
    }
    var fields = Fields()
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = FieldName(String(parts[0])) else {
        throw .invalidResponse("a field line is \(line.debugDescription)")
      }
      fields.add(name, String(parts[1].drop { $0 == " " }))
    }
    return (Status(code), fields)
  }

  /// The end of the last field line; nil until the empty line has been received.
  static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (bytes.startIndex...(bytes.endIndex - 4)).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) }
  }

  private static func dechunked(_ bytes: ArraySlice<UInt8>) throws(TestClient.Failure) -> [UInt8] {
    var decoder = BodyDecoder(framing: .chunked, limit: .max)
    guard case .complete = decoder.feed(Array(bytes).span) else { throw .invalidResponse("the chunks do not end") }
    return decoder.takeBody()
  }
}
