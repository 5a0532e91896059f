import EventLoop
import Glibc
import HTTP

/// One accepted connection: a state machine between a socket and an application, on one loop.
///
/// Requests of one connection run one after another: responses keep their order, later requests see the effects of
/// earlier ones (RFC 9112 §9.3.2 allows more for safe methods only), and responses need no queue. Pipelined bytes wait
/// in `input`, then in the kernel.
///
/// `Connection+Input` reads and parses, `Connection+Body` passes bodies on, `Connection+Answer` responds, `Connection+Stream` handles event streams,
/// `Connection+Life` has deadlines, shutdown and closing.
final class Connection: EventHandler, @unchecked Sendable {  // everything is touched on the worker's loop only
  enum Phase {
    /// Waits for a request, or for the rest of its head.
    case head
    /// Reads the body of `incoming`.
    case body
    /// A suspending responder is at work, to which `receiving` passes the body on if it asked for that.
    case responding
    case streaming
    /// Writes its last bytes.
    case finishing
    /// Has shut down sending, and reads on so that the peer can read the response (RFC 9112 §9.6).
    case lingering
    case closed
  }

  /// A request whose body is being read.
  struct Incoming {
    let head: RequestHead
    let endpoint: Endpoint
    let parameters: [String: String]
    var decoder: BodyDecoder
    /// The body's deadline without extensions.
    let deadline: MonotonicTime
  }

  let worker: Worker
  let socket: Int32
  let peer: NetworkAddress
  /// The peer's address as text.
  let peerText: String
  /// Whether the connection was admitted; if not, it only receives its refusal.
  let isAdmitted: Bool

  var phase = Phase.head
  var registration: Registration?
  var interest: Readiness = [.readable, .peerClosed]

  // Input
  /// Received bytes not parsed yet.
  var input: [UInt8] = []
  /// `input` may contain a complete request that has not had its turn.
  var hasUnreadRequests = false
  /// `continueNextTurn` is scheduled.
  private var isContinuing = false
  /// An event has occurred since the last `settle`, which is due at the end of the turn.
  private(set) var isUnsettled = false
  /// The parser is on the stack: a response must not start it again.
  var isParsing = false
  var parser: RequestParser
  var incoming: Incoming?
  var receiving: Receiving?
  /// Bytes of the current body counted against `Limits.bodyBytesInAll`.
  var countedBodyBytes = 0
  /// The peer's data has ended; the connection can only write.
  var peerHasFinished = false
  /// Bytes discarded while streaming or lingering.
  var discardedBytes = 0

  // Output
  var output = OutputQueue()
  /// Bytes of `output` counted against `Limits.answerBytesInAll`.
  var countedAnswerBytes = 0
  /// When `output` last became non-empty, and how many of its bytes have been written since.
  var delivery: (began: MonotonicTime, written: Int)?
  var isFlushScheduled = false
  var stream: EventStream?

  // The request under way
  /// Requests begun on this connection; an older number identifies a late responder.
  var requestCount = 0
  var requestID = ""
  /// The client and the request's start, for the log; set only if responses are logged.
  var clientText = ""
  var requestBegan = MonotonicTime(nanoseconds: 0)
  var interruption: (@Sendable () -> Void)?
  var isInterrupted = false
  /// The next response is the last one.
  var closesAfterAnswer = false
  /// The peer may still be sending after the last response.
  var lingersAfterAnswer = false

  // Deadline
  var timer: EventLoop.Timer?
  var deadline: (kind: Deadlines.Kind, sequence: Int, time: MonotonicTime)?
  /// Counts writes with progress, each of which restarts the write deadline.
  var writeProgress = 0

  /// A connection that owns `socket`; nil if epoll cannot watch it.
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

  /// Handles the socket's events.
  func handle(_ events: Readiness) {
    // A reset, or both directions closed: nothing can be sent.
    if !events.isDisjoint(with: .failed) { return close() }
    if events.contains(.writable) { flush() }
    if events.contains(.readable), wantsInput { receive() }
    if events.contains(.peerClosed) { peerIsLeaving() }
    isUnsettled = true
    worker.settleAtEndOfTurn(self)
  }

  /// Applies the new state: writes, continues with waiting requests, sets interest and deadline. Runs after each timer
  /// or asynchronous response, and at the end of each turn with an event.
  func settle() {
    isUnsettled = false
    // The rest of a further request will never arrive (RFC 9112 §8).
    if phase == .head, peerHasFinished, !hasUnreadRequests { phase = .finishing }
    if phase != .closed { flush() }
    if phase == .head, hasUnreadRequests, output.isEmpty { continueNextTurn() }
    guard phase != .closed else { return }
    updateInterest()
    updateDeadline()
  }

  /// Lets other connections run before this one continues with received bytes.
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

  /// Updates the events requested from epoll; usually unchanged.
  private func updateInterest() {
    var wanted = Readiness(rawValue: 0)
    if wantsInput { wanted.insert(.readable) }
    if !output.isEmpty { wanted.insert(.writable) }
    if !isInterrupted && !peerHasFinished { wanted.insert(.peerClosed) }
    guard wanted != interest, let registration else { return }
    interest = wanted
    worker.loop.update(registration, to: wanted)
  }

  // MARK: Writing

  /// Writes as much as the socket accepts.
  func flush() {
    isFlushScheduled = false
    do throws(SystemError) {
      while !output.isEmpty {
        guard case .done(let count) = try output.write(to: socket) else { break }
        writeProgress &+= 1
        delivery?.written += count
      }
    } catch {
      return close()
    }
    if output.isEmpty { outputIsWritten() }
    if let buffer = output.releaseBuffer() { worker.giveBack(buffer) }
    stream?.didWrite()
    if phase == .finishing, output.isEmpty { finish() }
  }

  /// Resets the accounting for a slow reader.
  func outputIsWritten() {
    delivery = nil
    worker.answerBytes -= countedAnswerBytes
    countedAnswerBytes = 0
  }

  /// Appends to the output's own bytes.
  func write(_ append: (inout [UInt8]) -> Void) {
    if output.tail.capacity == 0 { output.adopt(worker.takeBuffer()) }
    output.append(append)
  }
}
