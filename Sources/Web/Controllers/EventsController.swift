import Chat
import EventLoop
import HTTP
import HTTPServer

/// `GET /events`: the stream of what happens (`API.md`, Events).
struct EventsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/events") { try await open($0) }
  }

  private func open(_ visit: Visit) async throws -> Response {
    let after = try position(visit.request)
    let fields: Fields = [
      .contentType: EventStreamEncoding.mediaType, .cacheControl: "no-store",
      // nginx holds streams back unless it is told not to.
      "x-accel-buffering": "no",
    ]
    if visit.request.head.method == .head { return Response(fields: fields) }
    guard let loop = visit.request.loop, let lane = core.laneNumber(of: loop) else {
      throw ChatError.unavailable("A stream needs a connection.")
    }
    let subscriber = StreamSubscriber(loop: loop)
    let ticket = StreamTicket(broker: core.broker, subscriber: subscriber, loop: loop, lane: lane)
    // The first frames come before the head, so that a refusal can still be an answer of its own.
    try await subscriber.firstDelivery(
      of: Task(executorPreference: loop) {
        try await core.broker.subscribe(
          subscriber, user: visit.userID, session: visit.session.id, lane: lane, after: after, store: core.store)
      })
    return Response(fields: fields, body: .eventStream { ticket.hand(to: $0) })
  }

  /// The last event that the reader has: what the browser repeats by itself counts more than the address, which stays
  /// the same when a stream is opened again.
  private func position(_ request: Request) throws(ChatError) -> EventID? {
    if let text = request.head[.lastEventID], !text.isEmpty {
      guard let id = EventID(text), id >= 0 else {
        throw .invalid([FieldError(field: "Last-Event-ID", code: "invalid", detail: "Event ids are whole numbers.")])
      }
      return id
    }
    return try QueryInput(request).eventID("after")
  }
}

extension Core {
  /// The number of the lane that a loop is.
  func laneNumber(of loop: EventLoop) -> Int? { lanes.firstIndex { $0.loop === loop } }
}

/// Takes care that the broker forgets a subscriber, also when its answer is never sent: then nobody else would know.
private final class StreamTicket: Sendable {
  private let broker: Broker<SharedBytes>
  private let subscriber: StreamSubscriber
  private let loop: EventLoop
  private let lane: Int

  init(broker: Broker<SharedBytes>, subscriber: StreamSubscriber, loop: EventLoop, lane: Int) {
    self.broker = broker
    self.subscriber = subscriber
    self.loop = loop
    self.lane = lane
  }

  /// Lets the subscriber write to the stream, until that closes. On the loop.
  func hand(to stream: EventStream) {
    stream.onClose { [broker, subscriber, lane] in broker.unsubscribe(subscriber, lane: lane) }
    subscriber.attach(stream)
  }

  deinit {
    if subscriber.isAttached { return }
    loop.execute { [broker, subscriber, lane] in
      broker.unsubscribe(subscriber, lane: lane)
      subscriber.close(after: nil)
    }
  }
}
