import EventLoop
import HTTP

/// The key of a value that middleware attaches to a request.
package protocol RequestKey<Value> {
  /// The type of the value.
  associatedtype Value: Sendable
}

/// A request as responders receive it: with its whole body, unless its endpoint has `receivesBody`.
package struct Request: Sendable {
  /// The request line and the header fields.
  package let head: RequestHead
  /// The body without its transfer coding, at most the endpoint's `bodyLimit`.
  package var body: [UInt8]
  /// The body while it arrives; nil unless the endpoint has `receivesBody`.
  package var arrivingBody: RequestBody?
  /// Identifies the request in logs and in `X-Request-Id`: a random prefix per loop and a counter.
  package let id: String
  /// The client's address without a port, `127.0.0.1` or `2001:db8::1`: the peer's, or the one that a trusted proxy
  /// reports; `unknown` if that report cannot be parsed.
  package let remoteAddress: String
  /// Whether a trusted proxy received the request over https.
  package let isSecure: Bool
  /// Whether a trusted proxy reported the client's address, which is then `remoteAddress`.
  package var isRelayed = false
  /// The connection's loop; nil in the in-memory transport.
  package let loop: EventLoop?
  /// The values of the route pattern's parameters, percent-decoded.
  package var parameters: [String: String]

  /// Values attached by middleware; an array, since there are rarely more than two.
  private var values: [(key: ObjectIdentifier, value: any Sendable)] = []
  /// Delivers interruptions; nil in the in-memory transport.
  let waiting: (any RequestWaiting)?

  /// A request without a connection, for tests and the in-memory transport.
  package init(
    head: RequestHead, body: [UInt8] = [], id: String = "in-memory", remoteAddress: String = "127.0.0.1",
    parameters: [String: String] = [:]
  ) {
    self.init(
      head: head, body: body, id: id, remoteAddress: remoteAddress, isSecure: false, parameters: parameters, loop: nil,
      waiting: nil)
  }

  init(
    head: RequestHead, body: [UInt8], id: String, remoteAddress: String, isSecure: Bool, parameters: [String: String],
    loop: EventLoop?, waiting: (any RequestWaiting)?
  ) {
    self.head = head
    self.body = body
    self.id = id
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
    self.parameters = parameters
    self.loop = loop
    self.waiting = waiting
  }

  /// The value that middleware attached under `key`, or nil.
  package subscript<Key: RequestKey>(_ key: Key.Type) -> Key.Value? {
    get { values.first { $0.key == ObjectIdentifier(key) }?.value as? Key.Value }
    set {
      values.removeAll { $0.key == ObjectIdentifier(key) }
      if let newValue { values.append((ObjectIdentifier(key), newValue)) }
    }
  }

  /// Registers a callback for the end of waiting: the peer has closed the connection (or its sending side), or the
  /// server is shutting down.
  ///
  /// The server never cancels a responder's task, because most responders should finish what they have begun: a message
  /// is stored whether or not its sender still listens. A responder that only *waits*, such as a long poll, calls this
  /// before it suspends, and responds at once when `work` runs.
  ///
  /// - Parameter work: runs at most once, on `loop`; at once if the interruption has already occurred. It is dropped
  ///   with the response. In the in-memory transport it never runs.
  /// - Precondition: called on `loop`, where responders run, before the request is answered. A second call replaces
  ///   the first one's work.
  package func onInterruption(_ work: @escaping @Sendable () -> Void) {
    waiting?.whenInterrupted(requestID: id, work)
  }
}

/// The interruptions a connection delivers to its waiting requests.
protocol RequestWaiting: AnyObject, Sendable {
  /// See `Request.onInterruption`; `requestID` distinguishes a late caller from the current request.
  func whenInterrupted(requestID: String, _ work: @escaping @Sendable () -> Void)
}
