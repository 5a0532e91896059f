import EventLoop
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Deadlines, and bodies in all", .timeLimit(.minutes(1)))
struct DeadlineTests {
  @Test("a body that comes slowly but steadily gets the time it earns, and one that drips does not")
  func bodyRate() async throws {
    try await withServer { _, configuration in
      configuration.limits.bodyBytesPerSecond = 1000
      configuration.deadlines = Deadlines(configuration.limits)
      configuration.deadlines?.body = .milliseconds(20)
    } _: { server in
      // 40,000 bytes earn 40 s: however long this test takes, less.
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

  @Test("bodies under way are bounded in all: one too many is 503, and the rest goes on")
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
      // Which of them is one too many depends on whose bytes are read first.
      await server.wait { $0.requests == 1 }
      var refused = 0
      for client in [first, second] {
        do { try client.send("c") } catch {}
        let answer = try client.receiveResponse()
        if answer.status == 503 { refused += 1 } else { #expect(answer.body.utf8.count == 60_000) }
      }
      #expect(refused == 1)
      // What was counted is let go: the same again and again.
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

  @Test("a connection that says nothing is closed without a word, before and after a request")
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

  @Test("what is carried out is answered, even where the request meets the deadline for it")
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
        // Too late is no mistake: then nothing is carried out.
        do {
          try client.send("GET /count HTTP/1.1\r\nHost: a\r\n\r\n")
          if try client.receiveAll().hasSuffix("counted") { answered += 1 }
        } catch {}
      }
      #expect(carriedOut.load(ordering: .relaxed) == answered)
    }
  }

  @Test("a reader that takes nothing of its answer loses the connection")
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

  @Test("where there is no place left, who has waited for more than a second makes room; who works does not")
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
      // Refused until the idle one has been so for a second.
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
