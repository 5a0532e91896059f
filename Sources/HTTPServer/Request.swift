import EventLoop
import HTTP

/// The key of a value that middleware leaves with a request for the responders below it.
public protocol RequestKey<Value> {
  /// The type of the value.
  associatedtype Value: Sendable
}

/// A request whose body has been read, as a responder sees it.
public struct Request: Sendable {
  /// The request line and the header fields.
  public let head: RequestHead
  /// The whole body after its transfer coding was removed, no longer than the endpoint's `bodyLimit`.
  public var body: [UInt8]
  /// Names this request in logs and in the answer's `X-Request-Id`: a random prefix per loop and a counter.
  public let id: String
  /// The client's address without its port, `127.0.0.1` or `2001:db8::1`: the peer's, or where that is a trusted proxy,
  /// the one that it speaks for.
  public let remoteAddress: String
  /// Whether a trusted proxy says that it was asked by https.
  public let isSecure: Bool
  /// The loop that the connection lives on; nil in the in-memory transport.
  public let loop: EventLoop?
  /// The values of the route pattern's parameters, percent-decoded.
  public var parameters: [String: String]

  /// Values left by middleware. A request rarely carries more than two: an array beats a dictionary.
  private var values: [(key: ObjectIdentifier, value: any Sendable)] = []
  /// Where interruptions come from; nil in the in-memory transport.
  let waiting: (any RequestWaiting)?

  /// A request that comes from no connection, for tests and the in-memory transport.
  public init(
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

  /// The value that middleware left under `key`, nil if there is none.
  public subscript<Key: RequestKey>(_ key: Key.Type) -> Key.Value? {
    get { values.first { $0.key == ObjectIdentifier(key) }?.value as? Key.Value }
    set {
      values.removeAll { $0.key == ObjectIdentifier(key) }
      if let newValue { values.append((ObjectIdentifier(key), newValue)) }
    }
  }

  /// Asks to be told when there is no more reason to wait before answering: the peer has gone (or has closed its
  /// sending side), or the server is shutting down.
  ///
  /// The server never cancels a responder's task, because most responders should finish what they began (a message
  /// that is being stored is stored, whether or not its sender still listens). A responder that merely *waits*, such
  /// as a long poll, calls this before it suspends, and answers at once when `work` runs.
  ///
  /// - Parameter work: runs at most once, on `loop`; at once if the interruption has already come. It is dropped
  ///   when the request is answered. In the in-memory transport it never runs.
  /// - Precondition: called on `loop`, where responders run, before the request is answered, and once.
  public func onInterruption(_ work: @escaping @Sendable () -> Void) {
    waiting?.whenInterrupted(requestID: id, work)
  }
}

/// What a connection offers to the requests that wait on it.
protocol RequestWaiting: AnyObject, Sendable {
  /// See `Request.onInterruption`; `requestID` tells a late caller from the request that is now being answered.
  func whenInterrupted(requestID: String, _ work: @escaping @Sendable () -> Void)
}
