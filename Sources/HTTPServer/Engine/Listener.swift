import EventLoop
import Glibc
import HTTP
import Logging

/// A listening socket on one loop.
final class Listener: EventHandler {
  private let socket: Int32
  private unowned let worker: Worker  // the worker holds the listener and outlives it
  private var registration: Registration?
  private var pause: EventLoop.Timer?

  private static let backlog: Int32 = 1024
  /// Accepted in one turn at most, so that a rush of newcomers does not keep those who are in waiting.
  private static let acceptedPerTurn = 64

  init(socket: Int32, worker: Worker) {
    self.socket = socket
    self.worker = worker
    do throws(SystemError) {
      registration = try worker.loop.register(socket, for: .readable, handler: self)
    } catch {
      worker.configuration.logger.critical("cannot watch the listening socket: \(error)")
      SystemCall.close(socket)
    }
  }

  /// Accepts who is waiting.
  func handle(_ events: Readiness) {
    for _ in 0..<Self.acceptedPerTurn {
      do throws(SystemError) {
        guard case .done(let (accepted, peer)) = try SystemCall.accept(socket) else { return }
        worker.accept(accepted, from: peer)
      } catch {
        // Other errors belong to one connection that broke while it waited (accept(2)): the next one may be fine.
        if error.isShortOfDescriptors { return pauseAccepting(error) }
      }
    }
  }

  /// Descriptors come back when connections close. Until then accepting would only spin: the peers wait in the kernel's
  /// queue, and those who are connected are served.
  private func pauseAccepting(_ error: SystemError) {
    guard let registration, pause == nil else { return }
    worker.configuration.logger.warning("accepting pauses: \(error)")
    worker.closeIdle(atMost: Worker.madeRoom)
    worker.loop.update(registration, to: [])
    pause = worker.loop.after(worker.deadlines.acceptPause) { [self] in
      pause = nil
      if let registration = self.registration { worker.loop.update(registration, to: .readable) }
    }
  }

  func close() {
    pause?.cancel()
    pause = nil
    guard let registration else { return }
    self.registration = nil
    worker.loop.deregister(registration)
    SystemCall.close(socket)
  }

  /// Opens `count` sockets that listen on the same address, one for each loop (SO_REUSEPORT).
  /// - Parameters:
  ///   - silenceSeconds: for how long the kernel waits for a peer to acknowledge what it was sent.
  ///   - unsentBytes: what the kernel takes for a connection beyond what is on its way.
  /// - Returns: the sockets, and the port, which the system chose if `port` was 0.
  static func open(
    host: String, port: Int, count: Int, silenceSeconds: Int, unsentBytes: Int
  ) throws(ServerError) -> (sockets: [Int32], port: Int) {
    var sockets: [Int32] = []
    do throws(SystemError) {
      var address = try SocketAddress(host: host, port: port)
      if port != 0 { try requireUnused(address) }
      while sockets.count < count {
        let socket = try bound(to: address, sharing: true)
        sockets.append(socket)
        // Accepted sockets inherit these. A peer that vanished without a word is noticed when data for it stays
        // unacknowledged, or by keep-alive probes.
        let silence = Int32(clamping: silenceSeconds * 1000)
        try SystemCall.setOption(socket, level: Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        try SystemCall.setOption(socket, level: Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, silence)
        let unsent = Int32(clamping: unsentBytes)
        try SystemCall.setOption(socket, level: Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsent)
        try SystemCall.setOption(socket, level: SOL_SOCKET, SO_KEEPALIVE, 1)
        if sockets.count == 1 { address = try SystemCall.localAddress(of: socket) }
        try SystemCall.listen(socket, backlog: backlog)
      }
      return (sockets, address.port)
    } catch {
      for socket in sockets { SystemCall.close(socket) }
      throw error.isAddressInUse ? .addressInUse(host: host, port: port) : .cannotListen(host: host, port: port, error)
    }
  }

  /// With SO_REUSEPORT, a second program of the same user could listen beside the first and take half of its
  /// connections. A socket without that option finds out.
  private static func requireUnused(_ address: SocketAddress) throws(SystemError) {
    SystemCall.close(try bound(to: address, sharing: false))
  }

  private static func bound(to address: SocketAddress, sharing: Bool) throws(SystemError) -> Int32 {
    let socket = try SystemCall.tcpSocket(family: address.family)
    do throws(SystemError) {
      try SystemCall.setOption(socket, level: SOL_SOCKET, SO_REUSEADDR, 1)
      if sharing { try SystemCall.setOption(socket, level: SOL_SOCKET, SO_REUSEPORT, 1) }
      try SystemCall.bind(socket, to: address)
    } catch {
      SystemCall.close(socket)
      throw error
    }
    return socket
  }
}
