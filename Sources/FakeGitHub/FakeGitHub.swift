import Base
import EventLoop
import HTTP
import HTTPServer
import Synchronization

/// A stand-in for GitHub on the loopback interface: `Simulation` over real HTTP, for the demo and for tests. Uses no
/// network.
///
/// Call `start` and `stop` once each; the caller starts and stops the group. `faults` may change at any time, here or
/// through `POST /_faults`.
package final class FakeGitHub: Sendable {
  /// The GitHub being served.
  package let simulation: Simulation
  private let group: EventLoopGroup
  private let port: Int
  private let server = Mutex<Server?>(nil)

  /// A stand-in on the loops of `group`, listening on `port` or, if that is 0, on any free port.
  package init(group: EventLoopGroup, port: Int = 0, options: Simulation.Options = Simulation.Options()) {
    self.group = group
    self.port = port
    simulation = Simulation(options: options)
  }

  /// The fault in force.
  package var faults: Faults {
    get { simulation.faults }
    set { simulation.faults = newValue }
  }

  /// Listens on 127.0.0.1. Returns the API's base URL. Throws `ServerError`. Must not be called on a loop's thread.
  package func start() async throws -> String {
    var configuration = Server.Configuration()
    configuration.port = port
    configuration.drainSeconds = 1
    let server = Server(configuration: configuration, application: SimulationApplication(simulation), group: group)
    let port = try server.start()
    self.server.withLock { $0 = server }
    simulation.origin = "http://127.0.0.1:\(port)"
    return simulation.base
  }

  /// Closes all connections and stops listening. The group must still be running.
  package func stop() async {
    let server = server.withLock { server in
      defer { server = nil }
      return server
    }
    await server?.shutdown()
  }
}

/// A single endpoint for everything: the simulation does its own routing to reproduce GitHub's peculiarities.
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

/// Delays a response; ends early when the peer disconnects or the server stops.
private final class Delay: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  private init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// Waits on the request's loop; returns at once if `time` is zero.
  static func pass(_ time: Duration, before request: Request) async {
    guard time > .zero, let loop = request.loop else { return }
    await withCheckedContinuation { continuation in
      let delay = Delay(continuation)
      _ = loop.after(time) { delay.end() }
      request.onInterruption { delay.end() }
    }
  }

  /// The timer and the disconnection race; the second one has no effect.
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
    // The server sends its own Date. It differs only in tests that set the simulation's clock.
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

  /// Sends the first part now and the rest later, as an event stream, because the server leaves ending those to the
  /// application.
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
