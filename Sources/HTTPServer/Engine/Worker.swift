import EventLoop
import Glibc
import HTTP
import Logging

/// A server's listener and connections on one loop, and their shared state. On the loop only, except for the counters.
final class Worker: @unchecked Sendable {  // the mutable fields are touched on `loop` only
  let loop: EventLoop
  let application: any Application
  let configuration: Server.Configuration
  let deadlines: Deadlines
  /// The deadlines in nanoseconds, for the hot path.
  let waits: Deadlines.Nanoseconds
  let admission: AdmissionControl
  let counters = ServerCounters()

  /// The receive buffer of all connections, so that idle ones hold none.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Whether a connection reads into it, or parses what it has read.
  var isReadBufferInUse = false
  private(set) var isDraining = false
  /// Bytes of bodies being received in several reads on this loop.
  var bodyBytes = 0
  /// This loop's share of `Limits.bodyBytesInAll`.
  let bodyBytesLimit: Int
  /// Bytes of responses waiting for slow readers on this loop.
  var answerBytes = 0
  /// This loop's share of `Limits.answerBytesInAll`.
  let answerBytesLimit: Int
  /// Whether responses are logged; cached, since asking the logger costs more.
  let logsAnswers: Bool

  private var listener: Listener?
  private var connections: [ObjectIdentifier: Connection] = [:]
  /// Connections over a limit that are being refused.
  private var refusedConnections = 0
  private var identifiers = RequestIdentifiers()
  private var unflushed: [Connection] = []
  private var unsettled: [Connection] = []
  private var spareBuffers: [[UInt8]] = []
  private var drainHandlers: [() -> Void] = []
  private var drainTimer: EventLoop.Timer?

  /// The application's default fields, encoded.
  let defaultFields: DefaultFields
  /// The field lines that every response has; valid for the second of their Date.
  private var commonLines: [UInt8] = []
  private var commonLinesSecond = 0

  private static let readBufferBytes = 64 * 1024
  private static let spareBufferCount = 16
  private static let spareBufferBytes = 4 * 1024
  private static let refusedConnectionLimit = 64
  /// The number of idle connections closed at once to make room.
  static let madeRoom = 32

  /// - Parameter share: the number of loops, among which some limits are divided.
  init(
    loop: EventLoop, application: any Application, configuration: Server.Configuration, admission: AdmissionControl,
    share: Int
  ) {
    bodyBytesLimit = configuration.limits.bodyBytesInAll / share
    answerBytesLimit = configuration.limits.answerBytesInAll / share
    logsAnswers = configuration.logger.logLevel <= .info
    self.loop = loop
    self.application = application
    defaultFields = DefaultFields(application.defaultFields)
    self.configuration = configuration
    self.admission = admission
    deadlines = configuration.deadlines ?? Deadlines(configuration.limits)
    waits = Deadlines.Nanoseconds(deadlines)
    readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
  }

  deinit {
    readBuffer.deallocate()
  }

  // MARK: Connections

  /// Takes over a listening socket. On the loop.
  func listen(on socket: Int32) {
    loop.assertCurrent()
    listener = Listener(socket: socket, worker: self)
    if isDraining { listener?.close() }
  }

  /// Takes over an accepted socket.
  func accept(_ socket: Int32, from peer: SocketAddress) {
    let bits = peer.bits
    let address = NetworkAddress(high: bits.high, low: bits.low)
    var isAdmitted = admission.admit(address)
    if !isAdmitted, admission.isFull, closeIdle(atMost: Self.madeRoom) > 0 { isAdmitted = admission.admit(address) }
    if !isAdmitted {
      counters.refusedConnections.add(1)
      guard refusedConnections < Self.refusedConnectionLimit else { return SystemCall.close(socket) }
      refusedConnections += 1
    }
    guard let connection = Connection(socket: socket, peer: address, isAdmitted: isAdmitted, worker: self)
    else {
      if isAdmitted { admission.release(address) } else { refusedConnections -= 1 }
      return SystemCall.close(socket)
    }
    connections[ObjectIdentifier(connection)] = connection
    counters.connections.add(1)
    if !isAdmitted { connection.refuse(ProtocolError(.serviceUnavailable, "too many connections"), isHEAD: false) }
  }

  /// Makes room for new connections by closing those idle the longest (RFC 9112 section 9.5), so that idle connections
  /// cannot keep others out. Spares those active within the last second.
  ///
  /// - Returns: the number of connections closed.
  @discardableResult
  func closeIdle(atMost count: Int) -> Int {
    let idle = connections.values.filter(\.isLongIdle).sorted { $0.idleSince < $1.idleSince }
    for connection in idle.prefix(count) { connection.close() }
    return min(count, idle.count)
  }

  /// Removes a closed connection.
  func remove(_ connection: Connection) {
    connections[ObjectIdentifier(connection)] = nil
    counters.connections.add(-1)
    if connection.isAdmitted { admission.release(connection.peer) } else { refusedConnections -= 1 }
    finishDrainingIfEmpty()
  }

  // MARK: What connections share

  /// Schedules `connection` to write at the end of the turn.
  func flushAtEndOfTurn(_ connection: Connection) {
    if unflushed.isEmpty {
      loop.atEndOfTurn { [self] in
        let connections = unflushed
        unflushed = []
        for connection in connections { connection.flushNow() }
      }
    }
    unflushed.append(connection)
  }

  /// Schedules `connection` to settle with others, at the latest at the end of the turn: better cache locality gives
  /// 4 % more requests per CPU-second. Not with all of a turn's, because each holds a buffer until then.
  func settleAtEndOfTurn(_ connection: Connection) {
    if unsettled.isEmpty { loop.atEndOfTurn { [self] in settleAll() } }
    unsettled.append(connection)
    if unsettled.count == Self.spareBufferCount { settleAll() }
  }

  private func settleAll() {
    var connections: [Connection] = []
    swap(&connections, &unsettled)
    for connection in connections { connection.settle() }
    // Reuse the array, unless settling has begun another.
    if unsettled.isEmpty {
      connections.removeAll(keepingCapacity: true)
      swap(&connections, &unsettled)
    }
  }

  /// An empty array with capacity.
  func takeBuffer() -> [UInt8] {
    if let buffer = spareBuffers.popLast() { return buffer }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(Self.spareBufferBytes)
    return buffer
  }

  /// Returns an empty array to the pool; large ones are freed.
  func giveBack(_ buffer: consuming [UInt8]) {
    if spareBuffers.count < Self.spareBufferCount, buffer.capacity <= 16 * Self.spareBufferBytes {
      spareBuffers.append(buffer)
    }
  }

  func nextRequestID() -> String { identifiers.next() }

  /// Date, X-Content-Type-Options and, if configured, Server; encoded once a second.
  func commonFieldLines() -> [UInt8] {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != commonLinesSecond || commonLines.isEmpty {
      commonLinesSecond = time.tv_sec
      var fields: Fields = [.xContentTypeOptions: "nosniff"]
      if let name = configuration.serverHeader { fields.add("server", name) }
      commonLines = HTTPDate(seconds: time.tv_sec).fieldLine
      fields.encode(into: &commonLines)
    }
    return commonLines
  }

  // MARK: Shutdown

  /// Stops accepting, closes idle connections, lets requests finish and streams end, and closes the rest after `time`.
  /// Runs `completion` on the loop when no connection is left. On the loop.
  func drain(within time: Duration, completion: @escaping () -> Void) {
    drainHandlers.append(completion)
    if !isDraining {
      isDraining = true
      listener?.close()
      for connection in connections.values { connection.drain() }
      drainTimer = loop.after(time) { [self] in
        for connection in connections.values { connection.close() }
      }
    }
    finishDrainingIfEmpty()
  }

  private func finishDrainingIfEmpty() {
    guard isDraining, connections.isEmpty else { return }
    drainTimer?.cancel()
    let handlers = drainHandlers
    drainHandlers = []
    for handler in handlers { handler() }
  }
}
