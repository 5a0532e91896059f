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
  /// The end of the period in which a shortage of descriptors counts as the one already logged.
  private var shortageEnds: MonotonicTime?

  private static let backlog: Int32 = 1024
  /// The maximum number of connections accepted per turn, so that a rush does not delay existing connections.
  private static let acceptedPerTurn = 64
  /// A shortage that recurs within this time is not logged again.
  private static let quietTime = Duration.seconds(60)

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

  /// Accepts waiting connections.
  func handle(_ events: Readiness) {
    for _ in 0..<Self.acceptedPerTurn {
      do throws(SystemError) {
        guard case .done(let (accepted, peer)) = try SystemCall.accept(socket) else { return }
        worker.accept(accepted, from: peer)
      } catch {
        // Other errors concern one connection that broke while it was queued (accept(2)).
        if error.isShortOfDescriptors { return pauseAccepting(error) }
      }
    }
  }

  /// Pauses accepting until closed connections free descriptors; accepting would only spin. New peers wait in the
  /// kernel's queue; connected ones are served.
  private func pauseAccepting(_ error: SystemError) {
    guard let registration, pause == nil else { return }
    if shortageEnds ?? worker.loop.now <= worker.loop.now {
      worker.configuration.logger.warning("accepting is paused: \(error)")
    }
    shortageEnds = worker.loop.now + Self.quietTime
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
  ///   - silenceSeconds: how long the kernel waits for acknowledgements.
  ///   - unsentBytes: the kernel's limit of unsent bytes per connection.
  /// - Returns: the sockets, and the port, chosen by the system if `port` is 0.
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
        // Accepted sockets inherit these options. They detect a vanished peer by unacknowledged data or keep-alive
        // probes.
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

  /// Checks that the port is free with a socket without SO_REUSEPORT: with it, a second program of the same user could
  /// listen, too, and take half of the connections.
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
