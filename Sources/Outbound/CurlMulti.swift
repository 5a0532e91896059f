import CCurl
import EventLoop

/// libcurl's multi handle on an event loop: the loop waits for the sockets and the timer that libcurl names, and libcurl
/// does the rest (`curl_multi_socket_action`). Resolving a name takes a thread of libcurl's own.
final class CurlMulti: @unchecked Sendable {  // all but `loop` belongs to the loop's thread
  let loop: EventLoop
  private let handle: UnsafeMutableRawPointer
  private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  private var registrations: [curl_socket_t: Registration] = [:]
  private var timer: EventLoop.Timer?

  /// Initialises libcurl once in the process; safe from any thread since 7.84.
  private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Starts the loop's thread. Throws the system's error if there are no descriptors left.
  init() throws(SystemError) {
    precondition(Self.isInitialised, "libcurl cannot be initialised")
    guard let handle = curl_multi_init() else { preconditionFailure("out of memory") }
    self.handle = handle
    loop = try EventLoop(name: "outbound")
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_limit_connections(handle, 10)
    ccurl_on_sockets(
      handle,
      { _, socket, interest, context, _ in
        CurlMulti.from(context).watch(socket, for: interest)
        return 0
      }, context)
    ccurl_on_timer(
      handle,
      { _, milliseconds, context in
        CurlMulti.from(context).setTimer(milliseconds)
        return 0
      }, context)
    loop.start()
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlMulti {
    guard let context else { preconditionFailure("libcurl lost its context") }
    return Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
  }

  /// Closes the kept connections and ends the thread. Not from the loop.
  func stop() {
    loop.execute { [self] in
      curl_multi_cleanup(handle)
      timer = nil
    }
    loop.stop()
  }

  // MARK: Transfers, on the loop

  /// Starts a transfer; `done` is called once, on the loop.
  func start(_ transfer: CurlTransfer, _ done: @escaping CurlTransfer.Completion) {
    if transfer.isCancelled { return done(.failure(.cancelled)) }
    guard let easy = transfer.prepare(done) else { return done(.failure(.unreachable("the request cannot be sent"))) }
    transfers[easy] = transfer
    // Only calls for the timer: the work begins in the loop's next turn.
    curl_multi_add_handle(handle, easy)
  }

  /// Ends a transfer, which closes its connection (its stream, with HTTP/2). No effect on one that has ended.
  func cancel(_ transfer: CurlTransfer) {
    transfer.isCancelled = true
    if let easy = transfer.easy { end(easy, .failure(.cancelled)) }
  }

  private func end(_ easy: UnsafeMutableRawPointer, _ result: Result<TransportResponse, TransportFailure>) {
    guard let transfer = transfers.removeValue(forKey: easy) else { return }
    curl_multi_remove_handle(handle, easy)
    transfer.finish(result)
  }

  // MARK: Sockets and the timer, on the loop

  fileprivate func act(on socket: curl_socket_t, _ events: Int32 = 0) {
    var running: Int32 = 0
    curl_multi_socket_action(handle, socket, events, &running)
    var left: Int32 = 0
    while let message = curl_multi_info_read(handle, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = transfers[easy]
      else { continue }
      end(easy, transfer.result(message.pointee.data.result))
    }
  }

  private func watch(_ socket: curl_socket_t, for interest: Int32) {
    var events: Readiness = []
    if interest & CURL_POLL_IN != 0 { events.insert(.readable) }
    if interest & CURL_POLL_OUT != 0 { events.insert(.writable) }
    if interest == CURL_POLL_REMOVE {
      if let registration = registrations.removeValue(forKey: socket) { loop.deregister(registration) }
    } else if let registration = registrations[socket] {
      loop.update(registration, to: events)
    } else {
      // A socket that epoll has no room for is never ready, and its transfer meets its time limit.
      registrations[socket] = try? loop.register(socket, for: events, handler: Watch(multi: self, socket: socket))
    }
  }

  private func setTimer(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    if milliseconds >= 0 {
      timer = loop.after(.milliseconds(milliseconds)) { [unowned self] in act(on: CURL_SOCKET_TIMEOUT) }
    }
  }

  /// Passes a socket's events on to libcurl.
  private final class Watch: EventHandler {
    private unowned let multi: CurlMulti
    private let socket: curl_socket_t

    init(multi: CurlMulti, socket: curl_socket_t) {
      self.multi = multi
      self.socket = socket
    }

    func handle(_ events: Readiness) {
      var bits: Int32 = 0
      if events.contains(.readable) { bits |= CURL_CSELECT_IN }
      if events.contains(.writable) { bits |= CURL_CSELECT_OUT }
      if !events.isDisjoint(with: .failed) { bits |= CURL_CSELECT_ERR }
      multi.act(on: socket, bits)
    }
  }
}
