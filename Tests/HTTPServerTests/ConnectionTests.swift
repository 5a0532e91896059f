import EventLoop
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test("a response has its length, the date, a request id, and nosniff")
  func commonFields() async throws {
    try await withServer { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let (first, second) = (try client.receiveResponse(), try client.receiveResponse())
      #expect(first.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(first.body == "hello")
      #expect(first["content-length"] == "5")
      #expect(first["x-content-type-options"] == "nosniff")
      #expect(first["date"]?.hasSuffix(" GMT") == true)
      #expect(first["connection"] == nil)
      #expect(first["server"] == nil)
      let ids = [first["x-request-id"], second["x-request-id"]]
      #expect(ids[0] != nil)
      #expect(ids[0] != ids[1])
    }
  }

  @Test("1,000 pipelined requests, alternately synchronous and suspending, get responses in order")
  func pipelining() async throws {
    try await withServer { server in
      let client = try server.client()
      var requests = ""
      for number in 0..<1000 {
        requests += "GET /\(number % 3 == 0 ? "later" : "number")?n=\(number) HTTP/1.1\r\nHost: a\r\n\r\n"
      }
      try client.send(requests)
      for number in 0..<1000 { #expect(try client.receiveResponse().body == "\(number)") }
    }
  }

  @Test("unread responses pause further requests, and reading them resumes")
  func unreadAnswers() async throws {
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    let served = Atomic<Int>(0)
    try await withServer { application, _ in
      application.immediate("/large") { _ in
        served.add(1, ordering: .relaxed)
        return Response(body: .bytes(body))
      }
    } _: { server in
      let client = try server.client(receiveBuffer: 8192)
      let bystander = try server.client()
      try client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 500))
      for _ in 0..<20 {
        try bystander.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try bystander.receiveResponse().body == "hello")
      }
      #expect(served.load(ordering: .relaxed) < 500)
      for _ in 0..<500 { #expect(try client.receiveResponse().body.utf8.count == 100_000) }
    }
  }

  @Test("a request is read one byte at a time, head and chunked body")
  func byteByByte() async throws {
    try await withServer { server in
      let client = try server.client()
      let request =
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"
      for byte in request.utf8 { try client.send([byte]) }
      #expect(try client.receiveResponse().body == "hello world")
      for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 { try client.send([byte]) }
      #expect(try client.receiveResponse().body == "abc")
    }
  }

  @Test("a body in several pieces and the next request are separated correctly")
  func bodies() async throws {
    try await withServer { server in
      let client = try server.client()
      let body = String(repeating: "0123456789", count: 5000)
      try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n")
      try client.send(body + "GET /number?n=7 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse().body == body)
      #expect(try client.receiveResponse().body == "7")
      try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      #expect(try client.receiveResponse().body.isEmpty)
    }
  }

  @Test("a client that shuts down sending still receives every response, even suspending ones")
  func halfClose() async throws {
    try await withServer { server in
      let client = try server.client()
      try client.send("GET /later?n=1 HTTP/1.1\r\nHost: a\r\n\r\nGET /later?n=2 HTTP/1.1\r\nHost: a\r\n\r\n")
      try client.send("GET /number?n=3 HTTP/1.1\r\nHost: a\r\n\r\nGET /half HTTP/1.1\r\n")
      client.endSending()
      for number in 1...3 { #expect(try client.receiveResponse().body == "\(number)") }
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("HEAD is like GET without the body, and the connection stays open")
  func head() async throws {
    try await withServer { server in
      let client = try server.client()
      try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = try client.receiveResponse(toHead: true)
      #expect(response.status == 200)
      #expect(response["content-length"] == "5")
      #expect(try client.receiveResponse().body == "hello")
    }
  }

  @Test("204 and 304 have no body")
  func bodiless() async throws {
    try await withServer { application, _ in
      application.immediate("/none") { _ in Response(status: .noContent, body: .bytes([1, 2, 3])) }
      application.immediate("/same") { _ in Response(status: .notModified, body: .bytes([1, 2, 3])) }
    } _: { server in
      let client = try server.client()
      for path in ["none", "same", "none"] { try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
      let first = try client.receiveResponse(toHead: true)
      #expect(first.status == 204)
      #expect(first["content-length"] == nil)
      #expect(try client.receiveResponse(toHead: true).status == 304)
      #expect(try client.receiveResponse(toHead: true).status == 204)
    }
  }

  @Test("9110 15.3.6 a 205 has no content, and says so")
  func resetContent() async throws {
    try await withServer { application, _ in
      application.immediate("/reset") { _ in Response(status: Status(205), body: .bytes([1, 2, 3])) }
    } _: { server in
      let client = try server.client()
      try client.send("GET /reset HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receiveResponse()
      #expect(answer.status == 205 && answer["content-length"] == "0")
      #expect(try client.receiveResponse().body == "hello")
    }
  }

  @Test("HTTP/1.0 closes after the response, unless it requests keep-alive")
  func version10() async throws {
    try await withServer { server in
      let closing = try server.client()
      try closing.send("GET / HTTP/1.0\r\n\r\n")
      let answer = try closing.receiveAll()
      #expect(answer.contains("\r\nconnection: close\r\n"))
      #expect(answer.hasSuffix("hello"))
      let keeping = try server.client()
      for _ in 0..<2 {
        try keeping.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try keeping.receiveResponse()["connection"] == "keep-alive")
      }
    }
  }

  @Test("Connection: close is respected, and later pipelined requests get no response")
  func connectionClose() async throws {
    try await withServer { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receiveAll()
      #expect(answer.components(of: "HTTP/1.1 200 OK") == 1)
      #expect(answer.contains("connection: close"))
    }
  }

  @Test("after the last permitted request, the connection is closed with notice")
  func requestsPerConnection() async throws {
    try await withServer { _, configuration in
      configuration.limits.requestsPerConnection = 2
    } _: { server in
      let client = try server.client()
      try client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
      #expect(try client.receiveResponse()["connection"] == nil)
      #expect(try client.receiveResponse()["connection"] == "close")
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("a responder that throws gives 500 with a problem, and the connection stays open", arguments: ["now", "later"])
  func throwing(path: String) async throws {
    struct Broken: Error {}
    try await withServer { application, _ in
      application.immediate("/now") { _ in throw Broken() }
      application.suspending("/later") { _ in
        await Task.yield()
        throw Broken()
      }
    } _: { server in
      let client = try server.client()
      try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let failed = try client.receiveResponse()
      #expect(failed.status == 500)
      #expect(failed["content-type"] == "application/problem+json")
      #expect(failed.body.contains(failed["x-request-id"] ?? "none"))
      #expect(try client.receiveResponse().body == "hello")
    }
  }

  @Test("resets at any moment leave no connection behind and do not affect others")
  func resets() async throws {
    let gate = Gate()
    try await withServer { application, _ in
      application.suspending("/wait") { _ in
        await gate.pass()
        return Response("too late")
      }
    } _: { server in
      let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n012345"
      for length in 0...request.utf8.count {
        let client = try server.client()
        try client.send(Array(request.utf8.prefix(length)))
        client.reset()
      }
      let waiting = try server.client()
      try waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
      await gate.arrival()
      waiting.reset()
      await server.wait { $0.connections == 0 }
      gate.open()
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse().body == "hello")
    }
  }

  @Test("handlers run on the connection's loop, even after an await, and see the client's address")
  func requestValues() async throws {
    try await withServer { application, _ in
      application.suspending("/where") { request in
        let before = request.loop?.isCurrent
        await Task.yield()
        let after = request.loop?.isCurrent
        let path = request.parameters["path"] ?? ""
        return Response("\(before == true) \(after == true) \(request.remoteAddress) \(path) \(request.id)")
      }
    } _: { server in
      let client = try server.client()
      try client.send("GET /where HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = try client.receiveResponse()
      #expect(response.body == "true true 127.0.0.1 /where \(response["x-request-id"] ?? "")")
    }
  }
}

extension String {
  /// The number of occurrences of `text`.
  func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
