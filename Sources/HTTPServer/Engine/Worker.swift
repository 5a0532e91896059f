import EventLoop
import Glibc
import HTTP
import Logging

/// A server's part on one loop: its listener, its connections, and what these share. Everything here belongs to the
/// loop, but for the counters.
final class Worker: @unchecked Sendable {  // the mutable fields are touched on `loop` only
  let loop: EventLoop
  let application: any Application
  let configuration: Server.Configuration
  let deadlines: Deadlines
  /// The same as plain numbers, for what happens with every request.
  let waits: Deadlines.Nanoseconds
  let admission: AdmissionControl
  let counters = ServerCounters()

  /// All connections read into this one buffer, so that one that waits holds none of its own.
  let readBuffer: UnsafeMutableRawBufferPointer
  private(set) var isDraining = false
  /// Bytes of bodies that are being received in several parts, by this loop's connections.
  var bodyBytes = 0
  /// This loop's share of `Limits.bodyBytesInAll`.
  let bodyBytesLimit: Int
  /// Whether each answer is logged: asked once, since the log's level is behind a call that costs more than the check.
  let logsAnswers: Bool

  private var listener: Listener?
  private var connections: [ObjectIdentifier: Connection] = [:]
  /// Peers that were over a limit and are being told so.
  private var refusedConnections = 0
  private var identifiers = RequestIdentifiers()
  private var unflushed: [Connection] = []
  private var unsettled: [Connection] = []
  private var spareBuffers: [[UInt8]] = []
  private var drainHandlers: [() -> Void] = []
  private var drainTimer: EventLoop.Timer?

  /// The field lines that every answer carries, and the second for which their date is right.
  private var commonLines: [UInt8] = []
  private var commonLinesSecond = 0

  private static let readBufferBytes = 64 * 1024
  private static let spareBufferCount = 16
  private static let spareBufferBytes = 4 * 1024
  private static let refusedConnectionLimit = 64
  /// Connections closed at once to make room.
  static let madeRoom = 32

  /// - Parameter share: how many loops the server has, among which some limits are divided.
  init(
    loop: EventLoop, application: any Application, configuration: Server.Configuration, admission: AdmissionControl,
    share: Int
  ) {
    bodyBytesLimit = configuration.limits.bodyBytesInAll / share
    logsAnswers = configuration.logger.logLevel <= .info
    self.loop = loop
    self.application = application
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

  /// Takes over a socket that was just accepted.
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

  /// Makes room for newcomers where there is none: closes connections that have waited longest for a next request, as
  /// any server may at any time (RFC 9112 section 9.5). So who holds many and says nothing keeps nobody out.
  /// - Returns: how many were closed; those who came or asked within the last second are spared.
  @discardableResult
  func closeIdle(atMost count: Int) -> Int {
    let idle = connections.values.filter(\.isLongIdle).sorted { $0.idleSince < $1.idleSince }
    for connection in idle.prefix(count) { connection.close() }
    return min(count, idle.count)
  }

  /// Forgets a connection that has closed.
  func remove(_ connection: Connection) {
    connections[ObjectIdentifier(connection)] = nil
    counters.connections.add(-1)
    if connection.isAdmitted { admission.release(connection.peer) } else { refusedConnections -= 1 }
    finishDrainingIfEmpty()
  }

  // MARK: What connections share

  /// Has `connection` write at the end of the turn, together with all others.
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

  /// Has `connection` settle at the end of the turn, when all others have been heard too: the processor stays with one
  /// part of the program and of the system for all of them, which is 4 % more requests a CPU-second.
  func settleAtEndOfTurn(_ connection: Connection) {
    if unsettled.isEmpty {
      loop.atEndOfTurn { [self] in
        var connections: [Connection] = []
        swap(&connections, &unsettled)
        for connection in connections { connection.settle() }
        // The array goes round, unless settling has begun another.
        if unsettled.isEmpty {
          connections.removeAll(keepingCapacity: true)
          swap(&connections, &unsettled)
        }
      }
    }
    unsettled.append(connection)
  }

  /// An empty array with capacity.
  func takeBuffer() -> [UInt8] {
    if let buffer = spareBuffers.popLast() { return buffer }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(Self.spareBufferBytes)
    return buffer
  }

  /// Takes an empty array back. One that has grown large is let go.
  func giveBack(_ buffer: consuming [UInt8]) {
    if spareBuffers.count < Self.spareBufferCount, buffer.capacity <= 16 * Self.spareBufferBytes {
      spareBuffers.append(buffer)
    }
  }

  func nextRequestID() -> String { identifiers.next() }

  /// Date, X-Content-Type-Options and, if it is wanted, Server: encoded once a second.
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

  /// Stops accepting, closes what waits, lets requests finish and streams end; cuts what is left after `time`.
  /// `completion` runs on the loop when no connection is left. On the loop.
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
