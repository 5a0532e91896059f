import EventLoop
import Glibc
import HTTP

/// One accepted connection: a state machine between a socket and an application, on one loop.
///
/// Requests of one connection are carried out one after another, each begun when the one before is answered: so answers
/// keep their order, a later request sees what an earlier one did (RFC 9112 §9.3.2 allows more for safe methods only),
/// and no queue of answers is needed. What a client sends ahead waits in `input`, and then in the kernel.
///
/// The parts: `Connection+Input` reads and cuts the bytes into requests, `Connection+Answer` answers them,
/// `Connection+Stream` is the end of an event stream, `Connection+Life` has deadlines, shutdown and closing.
final class Connection: EventHandler, @unchecked Sendable {  // everything is touched on the worker's loop only
  /// Where the connection is between two events.
  enum Phase {
    /// Waits for a request, or has a part of its head.
    case head
    /// Reads the body of `incoming`.
    case body
    /// A suspending responder is at work.
    case responding
    /// Is an event stream.
    case streaming
    /// Writes its last bytes.
    case finishing
    /// Has ended its sending side, and reads what comes so that the peer can read the answer (RFC 9112 §9.6).
    case lingering
    case closed
  }

  /// A request whose body is being read.
  struct Incoming {
    let head: RequestHead
    let endpoint: Endpoint
    let parameters: [String: String]
    var decoder: BodyDecoder
    /// When the body must be whole, however slowly it comes at least.
    let deadline: MonotonicTime
  }

  let worker: Worker
  let socket: Int32
  let peer: NetworkAddress
  /// The peer's address as it is written.
  let peerText: String
  /// Whether the connection counts against the limits; if not, it is only being told that it is one too many.
  let isAdmitted: Bool

  var phase = Phase.head
  var registration: Registration?
  var interest: Readiness = [.readable, .peerClosed]

  // Input
  /// Bytes that were received and not yet parsed; empty while nothing is left over.
  var input: [UInt8] = []
  /// `input` may hold a whole request that was not parsed because its turn had not come.
  var hasUnreadRequests = false
  /// `continueNextTurn` is under way.
  private var isContinuing = false
  /// An event has come since the last `settle`, which will be at the end of the turn.
  private(set) var isUnsettled = false
  /// The parser is at work further up the stack: what answers now must not start it again.
  var isParsing = false
  var parser: RequestParser
  var incoming: Incoming?
  /// Bytes of the present request's body that count against `Limits.bodyBytesInAll`.
  var countedBodyBytes = 0
  /// The peer's data has ended; more can only be written.
  var peerHasFinished = false
  /// Bytes received and thrown away while streaming or lingering.
  var discardedBytes = 0

  // Output
  var output = OutputQueue()
  var isFlushScheduled = false
  var stream: EventStream?

  // The request under way
  /// Requests begun on this connection; a responder that comes late is known by an old number.
  var requestCount = 0
  var requestID = ""
  var interruption: (@Sendable () -> Void)?
  var isInterrupted = false
  /// The next answer is the last one.
  var closesAfterAnswer = false
  /// After the last answer the peer may still be sending.
  var lingersAfterAnswer = false

  // Deadline
  var timer: EventLoop.Timer?
  var deadline: (kind: Deadlines.Kind, sequence: Int, time: MonotonicTime)?
  /// Counts writes that got on, so that the deadline for writing starts anew.
  var writeProgress = 0

  /// A connection on `socket`, which it owns from now on; nil if epoll cannot watch it.
  init?(socket: Int32, peer: NetworkAddress, isAdmitted: Bool, worker: Worker) {
    self.socket = socket
    self.peer = peer
    peerText = peer.description
    self.isAdmitted = isAdmitted
    self.worker = worker
    parser = RequestParser(limits: worker.configuration.limits)
    guard let registration = try? worker.loop.register(socket, for: interest, handler: self) else { return nil }
    self.registration = registration
    updateDeadline()
  }

  /// What the loop saw on the socket.
  func handle(_ events: Readiness) {
    // A reset, or both directions at their end: nothing can be said any more.
    if !events.isDisjoint(with: .failed) { return close() }
    if events.contains(.writable) { flush() }
    if events.contains(.readable), wantsInput { receive() }
    if events.contains(.peerClosed) { peerIsLeaving() }
    isUnsettled = true
    worker.settleAtEndOfTurn(self)
  }

  /// Brings everything in line with the new state: writes, goes on with requests that wait, sets interest and deadline.
  /// At the end of each timer or answer that came from outside, and of each turn that had an event.
  func settle() {
    isUnsettled = false
    // What is there of a further request will never be whole (RFC 9112 §8).
    if phase == .head, peerHasFinished, !hasUnreadRequests { phase = .finishing }
    if phase != .closed { flush() }
    if phase == .head, hasUnreadRequests, output.isEmpty { continueNextTurn() }
    guard phase != .closed else { return }
    updateInterest()
    updateDeadline()
  }

  /// Other connections have their turn before this one goes on with what it has already received.
  private func continueNextTurn() {
    if isContinuing { return }
    isContinuing = true
    worker.loop.execute { [self] in
      isContinuing = false
      guard phase == .head else { return }
      parseInput()
      settle()
    }
  }

  /// Asks epoll for what matters now; in the common case that has not changed.
  private func updateInterest() {
    var wanted: Readiness = []
    if wantsInput { wanted.insert(.readable) }
    if !output.isEmpty { wanted.insert(.writable) }
    if !isInterrupted && !peerHasFinished { wanted.insert(.peerClosed) }
    guard wanted != interest, let registration else { return }
    interest = wanted
    worker.loop.update(registration, to: wanted)
  }

  // MARK: Writing

  /// Writes what the socket takes now.
  func flush() {
    isFlushScheduled = false
    do throws(SystemError) {
      while !output.isEmpty {
        guard case .done = try output.write(to: socket) else { break }
        writeProgress &+= 1
      }
    } catch {
      return close()
    }
    if let buffer = output.releaseBuffer() { worker.giveBack(buffer) }
    stream?.didWrite()
    if phase == .finishing, output.isEmpty { finish() }
  }

  /// Appends to the output's own bytes.
  func write(_ append: (inout [UInt8]) -> Void) {
    if output.tail.capacity == 0 { output.adopt(worker.takeBuffer()) }
    output.append(append)
  }
}
