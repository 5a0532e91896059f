import HTTP

/// One event as a browser would dispatch it.
package struct TestEvent: Hashable, Sendable {
  /// The event's type, by default `message`.
  package let name: String
  /// The last event id as of this event; nil if there was none yet.
  package let id: String?
  /// The data, with lines joined by line feeds.
  package let data: String

  package init(name: String, id: String?, data: String) {
    self.name = name
    self.id = id
    self.data = data
  }
}

/// An event stream, parsed like in a browser (HTML Living Standard, section 9.2.6). Dropping it closes its connection.
package final class TestEventStream {
  /// The response's status and fields.
  package let response: TestResponse
  /// The number of comments received; they keep an idle stream alive.
  package private(set) var comments = 0
  /// The last reconnection time, in milliseconds, that the server requested.
  package private(set) var retryMilliseconds: Int?

  private var parts: AsyncThrowingStream<[UInt8], any Error>.Iterator
  private var buffer: ArraySlice<UInt8>
  private var lastID: String?

  private init(
    _ response: TestResponse, _ parts: AsyncThrowingStream<[UInt8], any Error>.Iterator, _ rest: ArraySlice<UInt8>
  ) {
    self.response = response
    self.parts = parts
    buffer = rest
  }

  static func open(_ socket: SocketTransport, _ request: [UInt8]) async throws -> TestEventStream {
    var parts = socket.open(request).makeAsyncIterator()
    var bytes: ArraySlice<UInt8> = []
    while TestResponse.endOfHead(bytes) == nil {
      guard let part = try await parts.next(isolation: #isolation) else {
        throw TestClient.Failure.invalidResponse("the connection ended within the head")
      }
      bytes += part
    }
    let (status, fields) = try TestResponse.takeHead(&bytes)
    guard status == .ok, fields[.contentType]?.hasPrefix(EventStreamEncoding.mediaType) == true else {
      throw TestClient.Failure.invalidResponse("\(status), \(fields[.contentType] ?? "no type")")
    }
    guard fields[.transferEncoding] == nil else {
      throw TestClient.Failure.invalidResponse("the stream is chunked")
    }
    return TestEventStream(TestResponse(status: status, fields: fields, body: []), parts, bytes)
  }

  /// The next event; nil when the server has ended the stream. Waits up to the client's timeout.
  package func next() async throws -> TestEvent? {
    while true {
      while let block = takeBlock() {
        if let event = read(block) { return event }
      }
      guard let part = try await parts.next(isolation: #isolation) else { return nil }
      buffer += part
    }
  }

  /// Removes the lines up to the next empty one from the buffer. The server ends lines with LF only.
  private func takeBlock() -> [Substring]? {
    guard let end = buffer.indices.dropLast().first(where: { buffer[$0] == 10 && buffer[$0 + 1] == 10 }) else {
      return nil
    }
    let text = String(decoding: buffer[..<end], as: UTF8.self)
    buffer = buffer[(end + 2)...]
    return text.split(separator: "\n")
  }

  private func read(_ lines: [Substring]) -> TestEvent? {
    var name = "message"
    var data: [Substring] = []
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var value = parts.count > 1 ? parts[1] : ""
      if value.first == " " { value.removeFirst() }
      switch parts[0] {
      case "": comments += 1
      case "event": name = String(value)
      case "data": data.append(value)
      case "id": lastID = String(value)
      case "retry": retryMilliseconds = Int(value)
      default: break
      }
    }
    return data.isEmpty ? nil : TestEvent(name: name, id: lastID, data: data.joined(separator: "\n"))
  }
}
