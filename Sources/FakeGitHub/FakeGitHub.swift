import EventLoop
import HTTP
import HTTPServer
import Synchronization

/// A stand-in for GitHub on loopback: `Simulation` over real HTTP. For the demo and for tests; no network is used.
///
/// `start` once, `stop` once; the group is the caller's to start and to stop. `faults` may change at any time, here or by
/// `POST /_faults`.
public final class FakeGitHub: Sendable {
  /// What answers.
  public let simulation: Simulation
  private let group: EventLoopGroup
  private let port: Int
  private let server = Mutex<Server?>(nil)

  /// A stand-in on the loops of `group`, at `port` or a free one.
  public init(group: EventLoopGroup, port: Int = 0, options: Simulation.Options = Simulation.Options()) {
    self.group = group
    self.port = port
    simulation = Simulation(options: options)
  }

  /// What goes wrong at present.
  public var faults: Faults {
    get { simulation.faults }
    set { simulation.faults = newValue }
  }

  /// Listens on 127.0.0.1. Returns the API's base address. Throws `ServerError`. Not from a loop's thread.
  public func start() async throws -> String {
    var configuration = Server.Configuration()
    configuration.port = port
    configuration.drainSeconds = 1
    let server = Server(configuration: configuration, application: SimulationApplication(simulation), group: group)
    let port = try server.start()
    self.server.withLock { $0 = server }
    simulation.origin = "http://127.0.0.1:\(port)"
    return simulation.base
  }

  /// Ends all connections and stops listening. The group must still run.
  public func stop() async {
    let server = server.withLock { server in
      defer { server = nil }
      return server
    }
    await server?.shutdown()
  }
}

/// One endpoint for everything: the simulation routes by itself, as GitHub's oddities want it.
private struct SimulationApplication: Application {
  private let endpoint: Endpoint

  init(_ simulation: Simulation) {
    endpoint = Endpoint(
      responder: .suspending { request in
        let answer = simulation.answer(Simulation.Request(request))
        await Delay.pass(.milliseconds(answer.delayMilliseconds), before: request)
        if answer.isDropped { throw AbandonedRequest() }
        return try Response(answer)
      }, pattern: "/*")
  }

  func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) { (endpoint, [:]) }
}

/// The slowness of an answer; it ends early when the peer gives up or the server stops.
private final class Delay: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  private init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// Waits on the request's loop; not at all without one.
  static func pass(_ time: Duration, before request: Request) async {
    guard time > .zero, let loop = request.loop else { return }
    await withCheckedContinuation { continuation in
      let delay = Delay(continuation)
      _ = loop.after(time) { delay.end() }
      request.onInterruption { delay.end() }
    }
  }

  /// Whichever comes second finds nothing to end.
  private func end() {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume()
  }
}

extension Simulation.Request {
  fileprivate init(_ request: Request) {
    let fields = Dictionary(
      request.head.fieldLines.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    self.init(
      method: request.head.method.description, target: request.head.target, fields: fields, body: request.body)
  }
}

extension Response {
  fileprivate init(_ answer: Simulation.Answer) throws {
    var fields = Fields()
    // The server sends its own Date, which is the same but in tests that set the simulation's clock.
    for (name, value) in answer.fields.sorted(by: { $0.key < $1.key }) where name != "date" {
      if let name = FieldName(name) { fields.add(name, value) }
    }
    let body: Body
    switch answer.delivery {
    case .whole: body = answer.body.isEmpty ? .empty : .bytes(answer.body)
    case .cut: body = .file(FileBody(try CutFile.open(answer.body)))
    case .halting(let milliseconds): body = .eventStream(Self.inParts(answer.body, milliseconds: milliseconds))
    }
    self.init(status: Status(answer.status), fields: fields, body: body)
  }

  /// Sends a beginning, and later the rest. An event stream is what the server leaves to others to end.
  private static func inParts(_ body: [UInt8], milliseconds: Int) -> @Sendable (EventStream) -> Void {
    let middle = min(body.count / 2, 16_384)
    let beginning = SharedBytes(Array(body[..<middle]))
    let rest = SharedBytes(Array(body[middle...]))
    return { stream in
      stream.send(beginning)
      let timer = stream.loop.after(.milliseconds(milliseconds)) { stream.close(after: rest) }
      stream.onClose { timer.cancel() }
    }
  }
}
