import Base
import Chat
import EventLoop
import HTTP
import HTTPServer

/// `GET /events`: the event stream (docs/api.md, Events).
struct EventsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/events", "The event stream, from Last-Event-ID or after", query: ["after"],
      answers: .media("text/event-stream")
    ) { try await open($0) }
  }

  private func open(_ visit: Visit) async throws -> Response {
    let after = try position(visit.request)
    let fields: Fields = [
      .contentType: EventStreamEncoding.mediaType, .cacheControl: "no-store",
      // nginx buffers streams unless told otherwise.
      "x-accel-buffering": "no",
    ]
    // The server sends no stream, and says no length, to HEAD.
    if visit.request.head.method == .head { return Response(fields: fields, body: .eventStream { _ in }) }
    guard let loop = visit.request.loop, let lane = core.laneNumber(of: loop) else {
      throw ChatError.unavailable("A stream needs a connection.")
    }
    let subscriber = StreamSubscriber(loop: loop)
    let ticket = StreamTicket(broker: core.broker, subscriber: subscriber, loop: loop, lane: lane)
    // Waits for the first frames before sending the head, so that a refusal can still be an ordinary response.
    try await subscriber.firstDelivery(
      of: Task(executorPreference: loop) {
        try await core.broker.subscribe(
          subscriber, user: visit.userID, session: visit.session.id, lane: lane, after: after, store: core.store)
      })
    return Response(fields: fields, body: .eventStream { ticket.hand(to: $0) })
  }

  /// The reader's last event id. The header takes precedence: browsers repeat it on reconnection, while the address
  /// stays the same.
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
  /// The lane number of a loop.
  func laneNumber(of loop: EventLoop) -> Int? { lanes.firstIndex { $0.loop === loop } }
}

/// Unsubscribes a subscriber even if its response is never sent.
private final class StreamTicket: Sendable {
  private let broker: Broker
  private let subscriber: StreamSubscriber
  private let loop: EventLoop
  private let lane: Int

  init(broker: Broker, subscriber: StreamSubscriber, loop: EventLoop, lane: Int) {
    self.broker = broker
    self.subscriber = subscriber
    self.loop = loop
    self.lane = lane
  }

  /// Attaches the subscriber to the stream until that closes. On the loop.
  func hand(to stream: EventStream) {
    // Browsers' default reconnection delays differ.
    stream.send(SharedBytes(EventStreamEncoding.retry(milliseconds: broker.retryMilliseconds)))
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
