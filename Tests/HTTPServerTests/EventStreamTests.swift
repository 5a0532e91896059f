import Base
import EventLoop
import HTTP
import TestSupport
import Testing

@testable import HTTPServer

/// Streams in the order in which they were opened, as a broker would keep them.
private final class Broker: Sendable {
  private struct State {
    var streams: [EventStream] = []
    var ended: [String] = []
  }

  private let state = Lock(State())

  func take(_ stream: EventStream) {
    stream.send(SharedBytes(EventStreamEncoding.event(name: "hello", data: "{}")))
    state.withLock { $0.streams.append(stream) }
    stream.onClose { [self] in state.withLock { $0.ended.append(stream.id) } }
  }

  var streams: [EventStream] { state.withLock { $0.streams } }
  /// The ids of ended streams, once for each call of their handlers.
  var ended: [String] { state.withLock { $0.ended } }

  /// Sends the frame to all streams, each on its loop.
  func publish(_ frame: SharedBytes) {
    for stream in streams { stream.loop.execute { stream.send(frame) } }
  }

  func onLoop<Value: Sendable>(of stream: EventStream, _ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      stream.loop.execute { continuation.resume(returning: work()) }
    }
  }
}

@Suite("Event streams", .timeLimit(.minutes(10)))
struct EventStreamTests {
  private static let hello = "event: hello\ndata: {}\n\n"

  private func withBroker<Result>(
    prepare: (inout Server.Configuration) -> Void = { _ in }, _ body: (TestServer, Broker) async throws -> Result
  ) async throws -> Result {
    let broker = Broker()
    return try await withServer { application, configuration in
      application.immediate("/events") { _ in Response(body: .eventStream { broker.take($0) }) }
      application.suspending("/late") { _ in
        await Task.yield()
        return Response(body: .eventStream { broker.take($0) })
      }
      prepare(&configuration)
    } _: {
      try await body($0, broker)
    }
  }

  /// Opens a stream and reads up to its first event.
  private func open(_ server: TestServer, _ path: String = "events", receiveBuffer: Int32? = nil) throws -> RawClient {
    let client = try server.client(receiveBuffer: receiveBuffer)
    try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = RawResponse(head: try client.receive(through: "\r\n\r\n"))
    #expect(head["content-type"] == "text/event-stream")
    #expect(head["cache-control"] == "no-store")
    #expect(head["content-length"] == nil)
    #expect(head["connection"] == "close")
    #expect(try client.receive(through: "\n\n") == Self.hello)
    return client
  }

  @Test("a published frame reaches every reader, in order")
  func fanOut() async throws {
    try await withBroker { server, broker in
      let clients = [try open(server), try open(server, "late"), try open(server), try open(server)]
      for number in 0..<100 {
        broker.publish(SharedBytes(EventStreamEncoding.event(id: "\(number)", data: "x")))
      }
      for client in clients {
        for number in 0..<100 { #expect(try client.receive(through: "\n\n") == "id: \(number)\ndata: x\n\n") }
      }
      #expect(server.server.statistics.streams == 4)
    }
  }

  @Test(
    "a reader that reads nothing is dropped when its queue is full, without affecting others", .shows("control 21"))
  func overflow() async throws {
    try await withBroker { server, broker in
      let stalled = try open(server, receiveBuffer: 4096)
      let bystander = try open(server)
      let frame = SharedBytes(EventStreamEncoding.event(data: String(repeating: "x", count: 10_000)))
      let streams = broker.streams
      var most = 0
      for _ in 0..<400 where broker.ended.isEmpty {
        broker.publish(frame)
        #expect(try bystander.receive(through: "\n\n").utf8.count == frame.count)
        most = max(most, await broker.onLoop(of: streams[0]) { streams[0].queuedBytes })
      }
      #expect(broker.ended == [streams[0].id])
      #expect(server.server.statistics.overflowedStreams == 1)
      #expect(server.server.statistics.streams == 1)
      #expect(most > 100_000 && most <= 256 * 1024)
      try stalled.waitForEnd()
      broker.publish(SharedBytes(Array("data: still here\n\n".utf8)))
      #expect(try bystander.receive(through: "\n\n") == "data: still here\n\n")
    }
  }

  @Test(
    "its end is reported exactly once, however the reader disconnects", arguments: ["reset", "close", "end of sending"])
  func readerGoes(way: String) async throws {
    try await withBroker { server, broker in
      let client = try open(server)
      switch way {
      case "reset": client.reset()
      case "close": client.close()
      default: client.endSending()
      }
      await server.wait { $0.streams == 0 }
      let stream = broker.streams[0]
      let isOpen = await broker.onLoop(of: stream) {
        stream.send(SharedBytes([1]))
        stream.close()
        return stream.isOpen
      }
      #expect(!isOpen)
      #expect(broker.ended == [stream.id])
      let isToldLate = await broker.onLoop(of: stream) {
        var isTold = false
        stream.onClose { isTold = true }
        return isTold
      }
      #expect(isToldLate)
    }
  }

  @Test("closing sends the queue and a last frame first")
  func close() async throws {
    try await withBroker { server, broker in
      let client = try open(server)
      let stream = broker.streams[0]
      stream.loop.execute {
        stream.send(SharedBytes(Array("data: 1\n\n".utf8)))
        stream.close(after: SharedBytes(Array("data: 2\n\n".utf8)))
        stream.send(SharedBytes(Array("data: 3\n\n".utf8)))
      }
      #expect(try client.receiveAll() == "data: 1\n\ndata: 2\n\n")
      await server.wait { $0.streams == 0 }
      #expect(broker.ended == [stream.id])
    }
  }

  @Test("a long replay waits for its reader between pages")
  func drained() async throws {
    let page = SharedBytes([UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
    try await withBroker { server, broker in
      let client = try open(server, receiveBuffer: 4096)
      let stream = broker.streams[0]
      let replay = Task(executorPreference: stream.loop) {
        var most = 0
        for _ in 0..<50 {
          stream.send(page)
          most = max(most, stream.queuedBytes)
          await stream.drained()
        }
        stream.close()
        return most
      }
      #expect(try client.receiveAll().utf8.count == 50 * page.count)
      #expect(await replay.value <= 256 * 1024)
      #expect(server.server.statistics.overflowedStreams == 0)
    }
  }

  @Test("a task waiting for room resumes when the reader disconnects")
  func drainedByEnd() async throws {
    try await withBroker { server, broker in
      let client = try open(server, receiveBuffer: 4096)
      let stream = broker.streams[0]
      let full = Gate()
      full.open()
      let waiting = Task(executorPreference: stream.loop) {
        let chunk = SharedBytes([UInt8](repeating: 0, count: 50_000))
        // Repeats until the kernel's buffers are full and more than half of the queue remains in use.
        repeat {
          for _ in 0..<4 where stream.queuedBytes < 180_000 { stream.send(chunk) }
          await withCheckedContinuation { continuation in
            stream.loop.execute { continuation.resume() }
          }
        } while stream.isOpen && stream.queuedBytes <= 128 * 1024
        await full.pass()
        await stream.drained()
        return stream.isOpen
      }
      await full.arrival()
      client.reset()
      #expect(await waiting.value == false)
    }
  }

  @Test("bytes from a reader are ignored, up to a limit")
  func input() async throws {
    try await withBroker { server, broker in
      let client = try open(server)
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      broker.publish(SharedBytes(Array("data: 1\n\n".utf8)))
      #expect(try client.receive(through: "\n\n") == "data: 1\n\n")
      _ = try? client.send([UInt8](repeating: 0, count: 100_000))
      await server.wait { $0.streams == 0 }
      #expect(broker.ended.count == 1)
    }
  }

  @Test("HEAD of a stream is only its head, and opens no stream")
  func head() async throws {
    try await withBroker { server, broker in
      let client = try server.client()
      try client.send("HEAD /events HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse(toHead: true).status == 200)
      #expect(try client.receiveResponse().body == "hello")
      #expect(broker.streams.isEmpty)
    }
  }
}
