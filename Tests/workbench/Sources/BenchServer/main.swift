import Base
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Logging

// The server alone, with what the other servers of the benchmark offer too:
//   BenchServer PORT LOOPS FOLDER     GET /  ·  POST /echo  ·  GET /files/*  ·  GET /events, POST /publish

/// The open event streams, by the loop they live on.
final class Streams: Sendable {
  private let byLoop: [(loop: EventLoop, streams: Lock<[ObjectIdentifier: EventStream]>)]

  init(_ loops: [EventLoop]) {
    byLoop = loops.map { ($0, Lock([:])) }
  }

  func take(_ stream: EventStream) {
    guard let mine = byLoop.first(where: { $0.loop === stream.loop })?.streams else { return }
    mine.withLock { $0[ObjectIdentifier(stream)] = stream }
    stream.onClose { mine.withLock { $0[ObjectIdentifier(stream)] = nil } }
  }

  /// One encoding and one wake-up of each loop for all streams.
  func publish(_ frame: SharedBytes) {
    for (loop, streams) in byLoop {
      loop.execute {
        for stream in streams.withLock({ Array($0.values) }) { stream.send(frame) }
      }
    }
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[1]), let loops = Int(arguments[2]) else {
  print("usage: BenchServer PORT LOOPS FOLDER")
  exit(64)
}
SystemCall.raiseDescriptorLimit()
let group = try EventLoopGroup(count: loops)
let streams = Streams(group.loops)
var router = Router()
router.on(
  .get, "/",
  immediate: { _ in Response(fields: [.contentType: "text/plain"], body: .bytes(Array("hello\n".utf8))) })
router.on(.post, "/echo", immediate: { Response(fields: [.contentType: "text/plain"], body: .bytes($0.body)) })
router.on(.get, "/files/*path", try StaticFiles(root: arguments[3], prefix: "/files").responder())
router.on(.get, "/events", immediate: { _ in Response(body: .eventStream { streams.take($0) }) })
router.on(
  .post, "/publish",
  immediate: { request in
    streams.publish(SharedBytes(EventStreamEncoding.event(data: request.body)))
    return Response(status: .accepted)
  })
var configuration = Server.Configuration()
configuration.port = port
configuration.limits.connections = 100_000
configuration.limits.connectionsPerAddress = 100_000
configuration.limits.requestsPerConnection = 1 << 30
configuration.logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
group.start()
let server = Server(configuration: configuration, application: router, group: group)
print("listening on \(try server.start())")
fflush(nil)
while true { sleep(1000) }
