import HTTP

/// The rest of a request's body is malformed, too large or too slow. Passed on by the responder, it is answered with
/// `refusal`.
package struct InvalidBody: Error {
  package let refusal: ProtocolError
}

/// A request's body while it arrives, for the responder of an endpoint with `Endpoint.receivesBody`.
///
/// Its memory does not depend on its length: the connection reads ahead about `Limits.readAheadBytes`, and the rest
/// waits in the kernel and at the client. Belongs to the request's loop.
package final class RequestBody: @unchecked Sendable {  // everything is touched on the request's loop only
  /// What the connection is told.
  enum Notice {
    /// The responder waits for bytes, and there are none.
    case waits
    /// The responder has taken the bytes.
    case taken
  }

  private var arrived: [UInt8] = []
  private var end: Result<Void, any Error>?
  private var reader: CheckedContinuation<Void, Never>?
  private let notify: (Notice) -> Void

  init(notify: @escaping (Notice) -> Void) {
    self.notify = notify
  }

  /// A body that has arrived whole, for the in-memory transport.
  package init(_ bytes: [UInt8]) {
    notify = { _ in }
    arrived = bytes
    end = .success(())
  }

  /// The next bytes in order, never empty; nil after the last ones.
  ///
  /// Throws, after all that has arrived: `InvalidBody`, and `AbandonedRequest` if the client has left or the server has closed the connection.
  /// - Precondition: called on the request's loop, where responders run, by one reader at a time.
  package func next() async throws -> [UInt8]? {
    precondition(reader == nil, "a body has one reader at a time")
    if arrived.isEmpty, end == nil {
      notify(.waits)
      await withCheckedContinuation { reader = $0 }
    }
    if arrived.isEmpty {
      try end?.get()
      return nil
    }
    let bytes = arrived
    arrived = []
    notify(.taken)
    return bytes
  }

  // MARK: The connection's side

  /// The number of bytes that the responder has not taken yet.
  var unreadCount: Int { arrived.count }

  func append(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    if arrived.isEmpty { arrived = bytes } else { arrived += bytes }
    wake()
  }

  /// Ends the body; only the first end counts.
  func finish(_ result: Result<Void, any Error>) {
    if end != nil { return }
    end = result
    wake()
  }

  private func wake() {
    let waiting = reader
    reader = nil
    waiting?.resume()
  }
}
