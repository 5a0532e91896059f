import Base
import EventLoop
import Glibc
import HTTP
import Logging
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Server", .timeLimit(.minutes(10)))
struct ServerTests {
  @Test("port 0 takes a free port; a port in use is a distinct error, on several loops too")
  func ports() async throws {
    try await withServer { server in
      #expect(server.port > 0)
      let group = try EventLoopGroup(count: 2)
      var configuration = Server.Configuration()
      configuration.port = server.port
      let second = Server(configuration: configuration, application: PathApplication(), group: group)
      let error = #expect(throws: ServerError.self) { try second.start() }
      #expect(error == .addressInUse(host: "127.0.0.1", port: server.port))
      #expect(error?.description == "127.0.0.1:\(server.port) is in use")
      await second.shutdown()
    }
  }

  @Test("an unknown host is an error that says so")
  func unknownHost() throws {
    var configuration = Server.Configuration()
    configuration.host = "no such host"
    let server = Server(
      configuration: configuration, application: PathApplication(), group: try EventLoopGroup(count: 1))
    let error = #expect(throws: ServerError.self) { try server.start() }
    #expect(error?.description.hasPrefix("cannot listen on no such host:0: getaddrinfo") == true)
  }

  @Test("a port can be used again right after a shutdown that left connections behind")
  func restart() async throws {
    let (port, client) = try await withServer { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse().status == 200)
      return (server.port, client)
    }
    try await withServer { _, configuration in
      configuration.port = port
    } _: { server in
      #expect(server.port == port)
    }
    #expect(try client.receiveAll().isEmpty)
  }

  @Test("the Server field is sent if configured")
  func serverHeader() async throws {
    try await withServer { _, configuration in
      configuration.serverHeader = "hubbub"
    } _: { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse()["server"] == "hubbub")
    }
  }

  @Test("shutdown finishes requests in flight, closes idle connections, and accepts none")
  func shutdown() async throws {
    let gate = Gate()
    try await withServer { application, configuration in
      configuration.limits.bodySeconds = 3600
      application.suspending("/wait") { _ in
        await gate.pass()
        return Response("finished")
      }
    } _: { server in
      let idle = try server.client()
      try idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try idle.receiveResponse().status == 200)
      let uploading = try server.client()
      try uploading.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
      let busy = try server.client()
      try busy.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await gate.arrival()
      await server.wait { $0.connections == 3 }

      async let ended: Void = server.server.shutdown()
      #expect(try idle.receiveAll().isEmpty)
      #expect(throws: SystemError.self) {
        // Refused, or reset if it was queued at a listener that was just closing.
        let late = try server.client()
        try late.send("GET / HTTP/1.1\r\n\r\n")
        _ = try? late.receiveAll()
        late.close()
        while true { _ = try server.client() }
      }
      try uploading.send("cd")
      let uploaded = try uploading.receiveResponse()
      #expect(uploaded.body == "abcd")
      #expect(uploaded["connection"] == "close")
      gate.open()
      let answer = try busy.receiveResponse()
      #expect(answer.body == "finished")
      #expect(answer["connection"] == "close")
      #expect(try busy.receiveAll().isEmpty)
      await ended
      #expect(server.server.statistics.connections == 0)
      await server.server.shutdown()
    }
  }

  @Test("shutdown ends streams with a random reconnection time each")
  func shutdownOfStreams() async throws {
    try await withServer { application, configuration in
      configuration.retryMilliseconds = 1000...9_000_000
      application.immediate("/events") { _ in
        Response(body: .eventStream { $0.send(SharedBytes(Array("data: 1\n\n".utf8))) })
      }
    } _: { server in
      let clients = try (0..<3).map { _ in try server.client() }
      for client in clients {
        try client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receive(through: "data: 1\n\n")
      }
      await server.server.shutdown()
      var pauses: Set<Int> = []
      for client in clients {
        let last = try client.receiveAll()
        #expect(last.hasPrefix("retry: ") && last.hasSuffix("\n\n"))
        pauses.insert(Int(last.dropFirst(7).dropLast(2)) ?? 0)
      }
      #expect(pauses.count == 3)
      #expect(pauses.allSatisfy { (1000...9_000_000).contains($0) })
    }
  }

  @Test("shutdown does not wait beyond its time limit")
  func shutdownLimit() async throws {
    let gate = Gate()
    try await withServer { application, configuration in
      configuration.drainSeconds = 0
      application.suspending("/wait") { _ in
        await gate.pass()
        return Response("too late")
      }
    } _: { server in
      let client = try server.client()
      try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
      await gate.arrival()
      await server.server.shutdown()
      try client.waitForEnd()
      gate.open()
    }
  }

  @Test(
    "a waiting responder is notified when its peer disconnects or the server shuts down",
    arguments: ["goes", "half-closes", "stays"])
  func interruption(peer: String) async throws {
    let arrived = Gate()
    let interrupted = Gate()
    try await withServer { application, _ in
      application.suspending("/poll") { request in
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          request.onInterruption { continuation.resume() }
          Task { await arrived.pass() }
        }
        Task { await interrupted.pass() }
        return Response("nothing new")
      }
      arrived.open()
      interrupted.open()
    } _: { server in
      let client = try server.client()
      try client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
      await arrived.arrival()
      switch peer {
      case "goes": client.close()
      case "half-closes":
        client.endSending()
        #expect(try client.receiveResponse().body == "nothing new")
      default:
        await server.server.shutdown()
        #expect(try client.receiveResponse().body == "nothing new")
      }
      await interrupted.arrival()
      #expect(interrupted.arrivals == 1)
    }
  }

  @Test("files are sent whole or in part, between other responses, and a truncated file ends the connection")
  func files() async throws {
    let path = "/tmp/hubbub-server-file-\(getpid())"
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) & 0x3F | 0x40 }
    let descriptor = creat(path, 0o600)
    defer { remove(path) }
    #expect(write(descriptor, content, content.count) == content.count)
    SystemCall.close(descriptor)
    let file = try OpenFile(path: path)
    #expect(file.size == 300_000)
    #expect(try FileBody(file, offset: 10, count: 5).bytes() == Array(content[10..<15]))
    try await withServer { application, _ in
      application.immediate("/file") { _ in Response(body: .file(FileBody(file))) }
      application.immediate("/part") { _ in Response(body: .file(FileBody(file, offset: 1000, count: 70))) }
    } _: { server in
      let client = try server.client()
      for path in ["", "file", "part", "", "file"] { try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
      let bodies = try (0..<5).map { _ in try client.receiveResponse().body }
      let whole = String(decoding: content, as: UTF8.self)
      #expect(bodies == ["hello", whole, String(decoding: content[1000..<1070], as: UTF8.self), "hello", whole])
      truncate(path, 10)
      try client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
      try client.waitForEnd()
      #expect(throws: SystemError.self) { try FileBody(file).bytes() }
    }
  }

  @Test("values that middleware attaches to a request are found by their keys")
  func requestValues() throws {
    enum Person: RequestKey { typealias Value = String }
    enum Count: RequestKey { typealias Value = Int }
    var parser = RequestParser()
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    guard case .parsed(let head, _) = parser.parse(bytes.span) else {
      Issue.record("not parsed")
      return
    }
    var request = Request(head: head)
    #expect(request[Person.self] == nil)
    request[Person.self] = "ada"
    request[Count.self] = 1
    request[Count.self] = 2
    #expect(request[Person.self] == "ada")
    #expect(request[Count.self] == 2)
    request[Person.self] = nil
    #expect(request[Person.self] == nil)
    request.onInterruption { Issue.record("nothing interrupts a request in memory") }
  }
}
