import Hummingbird
import Logging
import NIOPosix

//   Peer PORT THREADS     GET /  ·  POST /echo  ·  GET /json

struct Person: ResponseEncodable {
  let id = 7
  let login = "ada"
  let name = "Ada Lovelace"
  let bio = "Notes on the Analytical Engine, and on what it cannot do"
}

let arguments = CommandLine.arguments
let port = Int(arguments[1]) ?? 0
let threads = Int(arguments[2]) ?? 1
let router = Router()
router.get("/") { _, _ in "hello\n" }
router.get("/json") { _, _ in Person() }
router.post("/echo") { request, _ in
  Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 1 << 16)))
}
var logger = Logger(label: "peer")
logger.logLevel = .error
let application = Application(
  router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), backlog: 4096),
  eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: threads)), logger: logger)
try await application.runService()
