import EventLoop
import HTTP

/// Bodies that their responders read while they arrive.
extension Connection {
  /// A body under way; nil once its last byte has been received.
  struct Receiving {
    let body: RequestBody
    var decoder: BodyDecoder
    /// The bytes received so far.
    var count = 0
    /// 100 (Continue) is sent when the responder first waits for the body.
    var isContinueDue: Bool
    /// The deadline without extensions.
    let deadline: MonotonicTime
    /// How long bytes have waited for the responder, which is not the client's fault.
    var unread = Duration.zero
    var unreadSince: MonotonicTime?
  }

  /// Begins a request whose responder reads its body.
  func receiveBody(
    of head: consuming RequestHead, limit: Int, hasBegun: Bool, endpoint: Endpoint, parameters: [String: String]
  ) {
    let number = requestCount
    let body = RequestBody { [weak self] notice in
      guard let self, number == requestCount, receiving != nil else { return }
      switch notice {
      case .waits: bodyIsAwaited()
      case .taken: bodyIsTaken()
      }
    }
    let decoder = BodyDecoder(framing: head.framing, limit: limit, limits: worker.configuration.limits)
    if decoder.isComplete {
      body.finish(.success(()))
    } else {
      receiving = Receiving(
        body: body, decoder: decoder, isContinueDue: head.expectsContinue && !hasBegun,
        deadline: worker.loop.now + worker.deadlines.body)
    }
    respond(to: head, body: [], receiving: body, endpoint: endpoint, parameters: parameters)
  }

  /// Passes bytes on to the responder.
  /// - Returns: the number of bytes that belonged to the body.
  func feedResponder(_ bytes: Span<UInt8>) -> Int {
    guard let progress = receiving?.decoder.feed(bytes), let arrived = receiving?.decoder.takeBody(),
      let body = receiving?.body
    else { return bytes.count }
    receiving?.count += arrived.count
    receiving?.isContinueDue = false
    if body.unreadCount == 0, !arrived.isEmpty { receiving?.unreadSince = worker.loop.now }
    body.append(arrived)
    switch progress {
    case .needsMore:
      countBody(body.unreadCount)
      return bytes.count
    case .complete(let consumed):
      endBody(.success(()))
      return consumed
    case .invalid(let error):
      endBody(.failure(InvalidBody(refusal: error)))
      return bytes.count
    }
  }

  /// Ends a body under way. After a failure the response to the request is the connection's last one, because nobody
  /// knows where the next request begins.
  func endBody(_ result: Result<Void, any Error>) {
    guard let body = receiving?.body else { return }
    receiving = nil
    if case .failure = result {
      closesAfterAnswer = true
      lingersAfterAnswer = true
    }
    body.finish(result)
  }

  private func bodyIsAwaited() {
    guard receiving?.isContinueDue == true else { return }
    receiving?.isContinueDue = false
    write { $0 += ResponseHead.continueBytes }
    if !isParsing { settle() }
  }

  private func bodyIsTaken() {
    if let since = receiving?.unreadSince { receiving?.unread += worker.loop.now - since }
    receiving?.unreadSince = nil
    releaseBody()
    if !isParsing, !interest.contains(.readable) { settle() }
  }
}
