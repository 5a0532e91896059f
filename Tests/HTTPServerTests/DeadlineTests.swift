import EventLoop
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Deadlines, and bodies in all", .timeLimit(.minutes(10)))
struct DeadlineTests {
  @Test("a slow but steady body gets more time, a trickling one does not")
  func bodyRate() async throws {
    try await withServer { _, configuration in
      configuration.limits.bodyBytesPerSecond = 1000
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.body = .milliseconds(20)
    } _: { server in
      // 40,000 bytes earn 40 s, more than this test takes.
      let steady = try server.client()
      try steady.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40001\r\n\r\n")
      try steady.send([UInt8](repeating: 0x61, count: 40_000))
      let dripping = try server.client()
      try dripping.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40001\r\n\r\na")
      #expect(try dripping.receiveResponse().status == 408)
      try steady.send("a")
      #expect(try steady.receiveResponse().body.utf8.count == 40_001)
    }
  }

  @Test("the bodies being received are bounded in total: one too many is 503, the others continue")
  func bodiesInAll() async throws {
    try await withServer(loops: 1) { _, configuration in
      configuration.limits.bodyBytesInAll = 100_000
    } _: { server in
      let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
      let first = try server.client()
      try first.send(request)
      try first.send([UInt8](repeating: 0x61, count: 59_999))
      let second = try server.client()
      try second.send(request)
      try second.send([UInt8](repeating: 0x62, count: 59_999))
      // Which one is refused depends on whose bytes are read first.
      await server.wait { $0.requests == 1 }
      var refused = 0
      for client in [first, second] {
        do { try client.send("c") } catch {}
        let answer = try client.receiveResponse()
        if answer.status == 503 { refused += 1 } else { #expect(answer.body.utf8.count == 60_000) }
      }
      #expect(refused == 1)
      // The accounting is released: repeated several times.
      for _ in 0..<4 {
        let client = try server.client()
        try client.send(request)
        try client.send([UInt8](repeating: 0x61, count: 60_000))
        #expect(try client.receiveResponse().status == 200)
      }
    }
  }

  @Test(
    "a head that stops is 408, a body that stops is 408",
    arguments: ["GET / HT", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab"])
  func stalled(request: String) async throws {
    try await withServer { _, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.head = .milliseconds(20)
      configuration.deadlines?.body = .milliseconds(20)
    } _: { server in
      let client = try server.client()
      try client.send(request)
      let refusal = try client.receiveResponse()
      #expect(refusal.status == 408)
      #expect(refusal["connection"] == "close")
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("an idle connection is closed without a response, before and after a request")
  func idle() async throws {
    try await withServer { _, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.idle = .milliseconds(20)
    } _: { server in
      let silent = try server.client()
      #expect(try silent.receiveAll().isEmpty)
      let used = try server.client()
      try used.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try used.receiveResponse().body == "hello")
      #expect(try used.receiveAll().isEmpty)
      await server.wait { $0.connections == 0 }
    }
  }

  @Test("a request that meets its deadline gets a response")
  func idleRace() async throws {
    let carriedOut = Atomic<Int>(0)
    try await withServer(loops: 1) { application, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.idle = .milliseconds(2)
      application.immediate("/count") { _ in
        carriedOut.add(1, ordering: .relaxed)
        return Response("counted")
      }
    } _: { server in
      var answered = 0
      for round in 0..<400 {
        let client = try server.client()
        let moment = MonotonicTime.now() + .microseconds(1000 + round * 5)
        while MonotonicTime.now() < moment {}
        // Being late is no failure: then nothing is performed.
        do {
          try client.send("GET /count HTTP/1.1\r\nHost: a\r\n\r\n")
          if try client.receiveAll().hasSuffix("counted") { answered += 1 }
        } catch {}
      }
      #expect(carriedOut.load(ordering: .relaxed) == answered)
    }
  }

  @Test("a reader that does not read its response is disconnected")
  func writeDeadline() async throws {
    try await withServer { application, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.write = .milliseconds(20)
      application.immediate("/huge") { _ in Response(body: .bytes([UInt8](repeating: 0, count: 30_000_000))) }
    } _: { server in
      let client = try server.client(receiveBuffer: 4096)
      try client.send("GET /huge HTTP/1.1\r\nHost: a\r\n\r\n")
      await server.wait { $0.requests == 1 }
      await server.wait { $0.connections == 0 }
    }
  }

  @Test("a reader that reads too slowly is disconnected, however steadily", .shows("control 21"))
  func slowReader() async throws {
    try await withServer { application, configuration in
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.write = .milliseconds(200)
      configuration.limits.answerBytesPerSecond = 40_000_000
      application.immediate("/huge") { _ in Response(body: .bytes([UInt8](repeating: 0, count: 8_000_000))) }
    } _: { server in
      let client = try server.client(receiveBuffer: 4096)
      try client.send("GET /huge HTTP/1.1\r\nHost: a\r\n\r\n")
      // A kilobyte every two milliseconds is steady progress, and would take 16 seconds.
      var (received, next) = (0, MonotonicTime.now())
      do {
        while received < 8_000_000 {
          received += try client.receive(count: 1000).utf8.count
          next = next + .milliseconds(2)
          while MonotonicTime.now() < next {}
        }
      } catch {}
      #expect(received < 4_000_000)
      await server.wait { $0.connections == 0 }
    }
  }

  @Test(
    "responses waiting for readers have a budget over all connections; beyond it is 503", .shows("control 21"))
  func unreadAnswers() async throws {
    try await withServer(loops: 1) { application, configuration in
      configuration.limits.answerBytesInAll = 10_000_000
      configuration.limits.writeSeconds = 3600
      application.immediate("/large") { _ in Response(body: .bytes([UInt8](repeating: 0, count: 4_000_000))) }
      application.immediate("/shared") { _ in
        var response = Response(body: .bytes([UInt8](repeating: 0, count: 4_000_000)))
        response.isSameForAll = true
        return response
      }
    } _: { server in
      let stalled = try (0..<2).map { _ in try server.client(receiveBuffer: 4096) }
      for client in stalled { try client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n") }
      await server.wait { $0.requests == 2 }
      let third = try server.client()
      func ask(_ path: String) throws -> RawResponse {
        try third.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return try third.receiveResponse()
      }
      let refused = try ask("/large")
      #expect(refused.status == 503 && refused["retry-after"] == "1")
      #expect(try ask("/").status == 200)
      #expect(try ask("/shared").status == 200)
      for client in stalled { client.close() }
      await server.wait { $0.connections == 1 }
      #expect(try ask("/large").status == 200)
      // Bytes that have been read no longer count.
      #expect(try ask("/large").status == 200)
      #expect(try ask("/large").status == 200)
    }
  }

  @Test("at the limit, connections idle for more than a second are closed for new ones; active ones are not")
  func makingRoom() async throws {
    let gate = Gate()
    try await withServer(loops: 1) { application, configuration in
      configuration.limits.connections = 2
      application.suspending("/wait") { _ in
        await gate.pass()
        return Response("worked")
      }
    } _: { server in
      let idle = try server.client()
      try idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try idle.receiveResponse().status == 200)
      let working = try server.client()
      try working.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
      await gate.arrival()
      // Refused until the idle one has been idle for a second.
      var status = 503
      let end = MonotonicTime.now() + .seconds(30)
      while status == 503, MonotonicTime.now() < end {
        let newcomer = try server.client()
        try newcomer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        status = try newcomer.receiveResponse().status
      }
      #expect(status == 200)
      #expect(try idle.receiveAll().isEmpty)
      gate.open()
      #expect(try working.receiveResponse().body == "worked")
    }
  }
}
