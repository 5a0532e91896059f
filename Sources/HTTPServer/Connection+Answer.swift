import EventLoop
import HTTP
import Logging

extension Connection: RequestWaiting {
  /// Lets the endpoint answer: on the spot if it can, else by a task that prefers this loop.
  func respond(to head: RequestHead, body: [UInt8], endpoint: Endpoint, parameters: [String: String]) {
    let request = Request(
      head: head, body: body, id: requestID, remoteAddress: remoteAddress, parameters: parameters, loop: worker.loop,
      waiting: self)
    switch endpoint.responder {
    case .immediate(let respond):
      let response: Response
      do {
        response = try respond(request)
      } catch {
        response = failure(error, pattern: endpoint.pattern)
      }
      answer(response, to: head)
    case .suspending(let respond):
      phase = .responding
      let number = requestCount
      // Starts here and now; it comes back to this loop after every await.
      Task.immediate(executorPreference: worker.loop) { [self] in
        let response: Response
        do {
          response = try await respond(request)
        } catch {
          response = failure(error, pattern: endpoint.pattern)
        }
        complete(response, to: head, number: number)
      }
    }
  }

  /// A suspending responder has its answer. Since it was asked, the connection may have closed.
  private func complete(_ response: Response, to head: RequestHead, number: Int) {
    worker.loop.assertCurrent()
    guard phase == .responding, number == requestCount else { return }
    answer(response, to: head)
    // If it never suspended, `parse` is still running and goes on by itself.
    if isParsing { return }
    if phase == .head, !input.isEmpty { parseInput() }
    settle()
  }

  /// An error that no middleware has turned into an answer.
  private func failure(_ error: any Error, pattern: String) -> Response {
    worker.configuration.logger.error(
      "a responder threw", metadata: ["error": "\(error)", "route": "\(pattern)", "request_id": "\(requestID)"])
    return worker.application.answer(
      to: ProtocolError(.internalServerError, "the request could not be carried out"), requestID: requestID)
  }

  /// Queues the answer to the request under way.
  private func answer(_ response: Response, to head: RequestHead) {
    interruption = nil
    isInterrupted = peerHasFinished
    if requestCount >= worker.configuration.limits.requestsPerConnection || worker.isDraining || !head.keepAlive {
      closesAfterAnswer = true
    }
    worker.counters.requests.add(1)
    if case .eventStream(let take) = response.body, head.method != .head {
      return startStream(response, take)
    }
    let persistence: ResponseHead.Persistence =
      closesAfterAnswer ? .close : head.version == .http10 ? .keepAlive : .implied
    // Without a length the head of an event stream, which HEAD asked for, is as it would be for GET.
    let framing: ResponseHead.Framing = response.body.count.map { .length($0) } ?? .untilClose
    writeHead(response, framing: framing, persistence: persistence)
    if head.method != .head, !response.status.isBodiless { writeBody(response.body) }
    phase = closesAfterAnswer ? .finishing : .head
  }

  func writeHead(_ response: Response, framing: ResponseHead.Framing, persistence: ResponseHead.Persistence) {
    let head = ResponseHead(status: response.status, fields: response.fields)
    let common = worker.commonFieldLines()
    write {
      head.encode(into: &$0, framing: framing, persistence: persistence, requestID: requestID, common: common)
    }
  }

  private func writeBody(_ body: Response.Body) {
    switch body {
    case .empty, .eventStream: break
    case .bytes(let bytes): output.append(bytes)
    case .file(let file): output.append(file)
    }
  }

  /// Answers a request that is not one, or is too much, and closes. Never in the middle of another answer: there is
  /// none under way where requests are parsed.
  func refuse(_ error: ProtocolError) {
    if requestID.isEmpty || phase == .head { requestID = worker.nextRequestID() }
    worker.counters.requests.add(1)
    let response = worker.application.answer(to: error, requestID: requestID)
    writeHead(response, framing: .length(response.body.count ?? 0), persistence: .close)
    writeBody(response.body)
    closesAfterAnswer = true
    lingersAfterAnswer = true
    phase = .finishing
    // Unless the parser's caller does it.
    if !isParsing { settle() }
  }

  // MARK: Waiting responders

  func whenInterrupted(requestID: String, _ work: @escaping @Sendable () -> Void) {
    worker.loop.assertCurrent()
    guard requestID == self.requestID, phase != .closed, !isInterrupted else { return work() }
    interruption = work
  }

  /// Tells a responder that waits to wait no longer; once.
  func interrupt() {
    isInterrupted = true
    let work = interruption
    interruption = nil
    work?()
  }
}
