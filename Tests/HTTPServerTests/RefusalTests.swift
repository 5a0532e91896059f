import EventLoop
import Glibc
import HTTP
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Refusals", .timeLimit(.minutes(10)))
struct RefusalTests {
  struct Refusal: CustomTestStringConvertible {
    let status: Int
    let testDescription: String
    let request: String

    init(_ status: Int, _ reason: String, _ request: String) {
      self.status = status
      testDescription = "\(status): \(reason)"
      self.request = request
    }

    static let post = "POST /echo HTTP/1.1\r\nHost: a\r\n"
    static let all = [
      Refusal(400, "no Host", "GET / HTTP/1.1\r\n\r\n"),
      Refusal(400, "a control character", "GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n"),
      Refusal(400, "a chunk size that is none", "\(post)Transfer-Encoding: chunked\r\n\r\nxyz\r\n"),
      Refusal(413, "a long body", "\(post)Content-Length: 65537\r\n\r\n"),
      Refusal(413, "a long chunk", "\(post)Transfer-Encoding: chunked\r\n\r\n10001\r\n"),
      Refusal(414, "a long target", "GET /" + String(repeating: "x", count: 9000) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
      Refusal(417, "an unknown expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n"),
      Refusal(431, "long fields", "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n"),
      Refusal(501, "a long method", String(repeating: "M", count: 30) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
      Refusal(505, "HTTP/2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
    ]
  }

  @Test(
    "a request that violates the protocol or a limit gets one response, in order, and the connection closes",
    arguments: Refusal.all)
  func refusal(_ refusal: Refusal) async throws {
    try await withServer { server in
      let client = try server.client()
      let usual = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n" + refusal.request + usual)
      #expect(try client.receiveResponse().body == "later")
      let answer = try client.receiveResponse()
      #expect(answer.status == refusal.status)
      #expect(answer["connection"] == "close")
      #expect(answer["content-type"] == "application/problem+json")
      #expect(answer["x-request-id"] != nil)
      #expect(answer["x-content-type-options"] == "nosniff")
      #expect(answer["date"].flatMap { HTTPDate($0) } != nil)
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test(
    "9110 9.3.2 HEAD gets no content, even for an error",
    arguments: [
      (400, "HEAD / HTTP/1.1\r\n\r\n"), (413, "HEAD /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n"),
      (413, "HEAD /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n99999\r\n"),
      (417, "HEAD / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n"), (404, "HEAD /none HTTP/1.0\r\n\r\n"),
      (408, "HEAD / HTTP/1.1\r\nHost:"), (408, "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na"),
      (421, "HEAD https://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    ])
  func headOfErrors(status: Int, request: String) async throws {
    try await withServer { _, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.head = .milliseconds(20)
      configuration.deadlines?.body = .milliseconds(20)
    } _: { server in
      let client = try server.client()
      try client.send(request)
      let answer = try client.receiveResponse(toHead: true)
      #expect(answer.status == status)
      #expect(answer["content-length"].flatMap { Int($0) } ?? 0 > 0, "what GET would have got")
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("a client that keeps sending a refused body can still read the response")
  func lingering() async throws {
    try await withServer { server in
      let client = try server.client()
      try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
      #expect(try client.receive(through: "\r\n").contains("413"))
      try client.send([UInt8](repeating: 0, count: 500_000))
      #expect(try client.receiveAll().contains("larger than 65536 bytes"))
      client.endSending()
      await server.wait { $0.connections == 0 }
    }
  }

  @Test("a refused client that never stops sending is disconnected", arguments: [true, false])
  func endlessClient(sends: Bool) async throws {
    try await withServer { _, configuration in
      configuration.limits.lingerBytes = 1_000_000
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.linger = sends ? .seconds(3600) : .milliseconds(10)
    } _: { server in
      let client = try server.client()
      try client.send("nonsense\r\n\r\n")
      #expect(try client.receiveAll().contains("400"))
      if sends { _ = try? client.send([UInt8](repeating: 0, count: 4_000_000)) }
      await server.wait { $0.connections == 0 }
    }
  }

  @Test("an endpoint's own limit replaces the general one")
  func bodyLimit() async throws {
    try await withServer { application, _ in
      application.immediate("/large", bodyLimit: 100_000) { Response("\($0.body.count)") }
      application.immediate("/small", bodyLimit: 2) { Response("\($0.body.count)") }
    } _: { server in
      let client = try server.client()
      let body = String(repeating: "x", count: 100_000)
      try client.send("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + body)
      #expect(try client.receiveResponse().body == "100000")
      try client.send("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
      #expect(try client.receiveResponse().status == 413)
    }
  }

  @Test("100 Continue is sent if the body is needed and missing, and only then")
  func expectation() async throws {
    try await withServer { server in
      let head = "HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
      let wanted = try server.client()
      try wanted.send("POST /echo \(head)")
      #expect(try wanted.receive(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      try wanted.send("abc")
      #expect(try wanted.receiveResponse().body == "abc")
      try wanted.send("POST /echo \(head)abc")
      #expect(try wanted.receiveResponse().status == 200, "the body was there already")

      let unwanted = try server.client()
      try unwanted.send("POST /missing \(head)")
      let answer = try unwanted.receiveResponse()
      #expect(answer.status == 404)
      #expect(answer["connection"] == "close")

      let tooLarge = try server.client()
      try tooLarge.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n")
      #expect(try tooLarge.receiveResponse().status == 413)
    }
  }

  @Test("a head that never ends is 408 at its deadline, however often another byte arrives", .shows("control 21"))
  func slowHead() async throws {
    try await withServer { _, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.head = .milliseconds(50)
    } _: { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n")
      #expect(try client.receiveResponse().body == "hello")
      // The slow sending ends when the server has responded and closed the socket.
      do {
        while server.server.statistics.requests < 2 { try client.send("X: y\r\n") }
      } catch is SystemError {}
      let refusal = try client.receiveResponse()
      #expect(refusal.status == 408 || refusal.status == 431)
    }
  }

  @Test(
    "a connection beyond a limit, per address or total, is refused with a response; a freed slot can be used",
    arguments: [true, false])
  func connectionLimits(byAddress: Bool) async throws {
    try await withServer { _, configuration in
      if byAddress { configuration.limits.connectionsPerAddress = 2 } else { configuration.limits.connections = 2 }
    } _: { server in
      let clients = [try server.client(), try server.client()]
      for client in clients {
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
      }
      let excess = try server.client()
      let refusal = try excess.receiveResponse()
      #expect(refusal.status == 503)
      #expect(refusal["x-content-type-options"] == "nosniff" && refusal["x-request-id"] != nil)
      #expect(refusal["connection"] == "close")
      #expect(server.server.statistics.refusedConnections == 1)
      clients[0].close()
      excess.close()
      await server.wait { $0.connections == 1 }
      let next = try server.client()
      try next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try next.receiveResponse().status == 200)
    }
  }

  @Test("without descriptors accepting pauses, connected clients are served, and it recovers", .shows("control 21"))
  func descriptors() async throws {
    await #expect(processExitsWith: .success) {
      try await withServer(loops: 1) { _, configuration in
        configuration.deadlines = Deadlines(configuration.limits)
        configuration.deadlines?.acceptPause = .milliseconds(5)
      } _: { server in
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let bystander = try server.client()
        try bystander.send(request)
        _ = try bystander.receiveResponse()
        var limit = rlimit(rlim_cur: 64, rlim_max: 64)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // One descriptor is left: the client takes it, and the server has none to accept with. The runtime's own
        // threads may free another one just then, so the shortage is arranged until it holds.
        var taken: [Int32] = []
        var waiting: RawClient?
        for _ in 0..<50 where waiting == nil {
          while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
          SystemCall.close(taken.removeLast())
          guard let client = try? server.client() else { continue }
          try client.send(request)
          for _ in 0..<100 {
            try bystander.send(request)
            guard try bystander.receiveResponse().body == "hello" else { exit(1) }
          }
          if server.server.statistics.connections == 1 {
            waiting = client
          } else {
            client.close()
            await server.wait { $0.connections == 1 }
          }
        }
        guard let waiting else { exit(2) }
        for descriptor in taken { SystemCall.close(descriptor) }
        guard try waiting.receiveResponse().body == "hello" else { exit(3) }
      }
    }
  }
}
