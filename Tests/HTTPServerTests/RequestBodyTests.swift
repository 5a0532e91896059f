import Base
import EventLoop
import HTTP
import HTTPServerTesting
import Testing

@testable import HTTPServer

/// Adds endpoints that read their bodies while they arrive.
extension PathApplication {
  mutating func receiving(
    _ path: String, limit: Int = 1 << 30, _ respond: @escaping @Sendable (Request, RequestBody) async throws -> Response
  ) {
    let responder = Responder.suspending { try await respond($0, try #require($0.arrivingBody)) }
    endpoints[path] = Endpoint(responder: responder, bodyLimit: limit, receivesBody: true, pattern: path)
  }
}

@Suite("Bodies read while they arrive", .timeLimit(.minutes(10)))
struct RequestBodyTests {
  /// Answers with the body's length, the sum of its bytes, and the longest piece.
  private static func summary(_ body: RequestBody) async throws -> (count: Int, sum: Int, longest: Int) {
    var summary = (count: 0, sum: 0, longest: 0)
    while let piece = try await body.next() {
      summary.count += piece.count
      summary.sum += piece.reduce(0) { $0 + Int($1) }
      summary.longest = max(summary.longest, piece.count)
    }
    return summary
  }

  private static func summing(_ application: inout PathApplication) {
    application.receiving("/sum", limit: 8 << 20) { _, body in
      let (count, sum, _) = try await summary(body)
      return Response("\(count) \(sum)")
    }
  }

  private static func head(_ path: String, _ fields: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
  }

  @Test(
    "the bytes come in order however they are sent, and the next request follows",
    arguments: [0, 1, 100, 65_536, 1_000_000], [false, true])
  func whole(count: Int, isChunked: Bool) async throws {
    try await withServer { application, _ in
      Self.summing(&application)
    } _: { server in
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let sum = bytes.reduce(0) { $0 + Int($1) }
      let client = try server.client()
      let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count)"
      var message = Array(Self.head("/sum", framing).utf8)
      if isChunked {
        for start in stride(from: 0, to: count, by: 70_001) {
          let chunk = bytes[start..<min(count, start + 70_001)]
          message += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        message += Array("0\r\n\r\n".utf8)
      } else {
        message += bytes
      }
      try client.send(message + Array("GET /number?n=7 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      #expect(try client.receiveResponse().body == "\(count) \(sum)")
      #expect(try client.receiveResponse().body == "7")
    }
  }

  @Test("what the responder does not read waits at the client: the server keeps no more than it may read ahead")
  func backPressure() async throws {
    let longest = Lock(0)
    let (go, gate) = AsyncStream<Void>.makeStream()
    try await withServer(loops: 1) { application, configuration in
      configuration.limits.readAheadBytes = 10_000
      application.receiving("/later") { _, body in
        for await _ in go { break }
        let (count, _, piece) = try await Self.summary(body)
        longest.withLock { $0 = piece }
        return Response("\(count)")
      }
    } _: { server in
      // More than the kernel's buffers hold on both sides.
      let count = 32 << 20
      let message = Array(Self.head("/later", "Content-Length: \(count)\r\nConnection: close").utf8)
      async let answer = TestClient.socket(port: server.port).exchange(message + [UInt8](repeating: 1, count: count))
      // Others are served meanwhile.
      let other = try server.client()
      for _ in 0..<20 {
        try other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try other.receiveResponse().body == "hello")
      }
      gate.yield()
      #expect(String(decoding: try await answer, as: UTF8.self).hasSuffix("\r\n\r\n\(count)"))
      // One read beyond what it may read ahead.
      #expect(longest.withLock { $0 } <= 10_000 + 65_536)
    }
  }

  @Test("100 (Continue) is sent when the responder reads, and not if it answers without")
  func expectation() async throws {
    try await withServer { application, _ in
      Self.summing(&application)
      application.receiving("/no") { _, _ in Response(status: .forbidden, body: .bytes(Array("no".utf8))) }
    } _: { server in
      let reading = try server.client()
      try reading.send(Self.head("/sum", "Content-Length: 3\r\nExpect: 100-continue"))
      #expect(try reading.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
      try reading.send("\u{1}\u{2}\u{3}")
      #expect(try reading.receiveResponse().body == "3 6")

      let refused = try server.client()
      try refused.send(Self.head("/no", "Content-Length: 3\r\nExpect: 100-continue"))
      let refusal = try refused.receiveResponse()
      #expect(refusal.status == 403 && refusal.body == "no" && refusal["connection"] == "close")
      #expect(try refused.receiveAll().isEmpty)
    }
  }

  @Test("an answer before the body's end is the connection's last, and can be read by who still sends")
  func early() async throws {
    try await withServer { application, _ in
      application.receiving("/enough") { _, body in
        let first = try await body.next()
        return Response("\(first?.isEmpty == false)")
      }
    } _: { server in
      let client = try server.client()
      try client.send(Self.head("/enough", "Content-Length: 3000000"))
      try client.send([UInt8](repeating: 1, count: 3_000_000))
      let answer = try client.receiveResponse()
      #expect(answer.body == "true" && answer["connection"] == "close")
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("a malformed rest is 400, one too large 413, one too slow 408; what came before was read")
  func failures() async throws {
    let read = Lock<[Int]>([])
    try await withServer { application, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.body = .milliseconds(20)
      application.receiving("/some", limit: 10) { _, body in
        var count = 0
        do {
          while let piece = try await body.next() { count += piece.count }
        } catch {
          read.withLock { $0.append(count) }
          throw error
        }
        return Response("whole")
      }
    } _: { server in
      for (fields, body, status) in [
        ("Transfer-Encoding: chunked", "3\r\nabc\r\nx", 400), ("Transfer-Encoding: chunked", "3\r\nabc\r\n9\r\n", 413),
        ("Content-Length: 5", "abc", 408),
      ] {
        let client = try server.client()
        try client.send(Self.head("/some", fields) + body)
        let answer = try client.receiveResponse()
        #expect(answer.status == status && answer["connection"] == "close")
        #expect(try client.receiveAll().isEmpty)
      }
      #expect(read.withLock { $0 } == [3, 3, 3])
      // Known before the first byte: the responder does not run.
      let client = try server.client()
      try client.send(Self.head("/some", "Content-Length: 11"))
      #expect(try client.receiveResponse().status == 413)
      #expect(read.withLock { $0.count } == 3)
    }
  }

  @Test("time in which the responder does not read is not the client's", .timeLimit(.minutes(10)))
  func slowResponder() async throws {
    let (go, gate) = AsyncStream<Void>.makeStream()
    try await withServer(loops: 1) { application, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.body = .milliseconds(20)
      configuration.limits.bodyBytesPerSecond = 1 << 20
      application.receiving("/later") { _, body in
        for await _ in go { break }
        return Response("\(try await Self.summary(body).count)")
      }
    } _: { server in
      let client = try server.client()
      try client.send(Self.head("/later", "Content-Length: 2") + "a")
      // The deadline passes several times on the loop.
      let stalled = try server.client()
      for _ in 0..<3 {
        let other = try server.client()
        try other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab")
        #expect(try other.receiveResponse().status == 408)
      }
      stalled.close()
      try client.send("b")
      gate.yield()
      #expect(try client.receiveResponse().body == "2")
    }
  }

  @Test(
    "who leaves, or is cut off when the server stops, ends the reading; nobody is answered", arguments: [false, true])
  func gone(byTheServer: Bool) async throws {
    let (ends, end) = AsyncStream<String>.makeStream()
    try await withServer { application, configuration in
      configuration.drainSeconds = 0
      application.receiving("/wait") { _, body in
        var count = 0
        do {
          while let piece = try await body.next() {
            count += piece.count
            if count == 4 { end.yield("4") }
          }
        } catch {
          end.yield("\(count) \(type(of: error))")
          throw error
        }
        return Response("whole")
      }
    } _: { server in
      let client = try server.client()
      try client.send(Self.head("/wait", "Content-Length: 10") + "abcd")
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == "4")
      if byTheServer {
        await server.server.shutdown()
      } else {
        client.endSending()
      }
      #expect(await iterator.next() == "4 AbandonedRequest")
      try client.waitForEnd()
    }
  }

  @Test("bodies count against the limit in all only with what nobody has read yet")
  func inAll() async throws {
    try await withServer(loops: 1) { application, configuration in
      configuration.limits.bodyBytesInAll = 200_000
      Self.summing(&application)
    } _: { server in
      for _ in 0..<2 {
        let client = try server.client()
        try client.send(Self.head("/sum", "Content-Length: 2000000"))
        try client.send([UInt8](repeating: 1, count: 2_000_000))
        #expect(try client.receiveResponse().body == "2000000 2000000")
      }
    }
  }
}
