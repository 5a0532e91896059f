import EventLoop
import HTTP
import Logging

extension Connection: RequestWaiting {
  /// Lets the endpoint answer: on the spot if it can, else by a task that prefers this loop. The head is handed over:
  /// from here on it is the request's, without a copy.
  func respond(to head: consuming RequestHead, body: [UInt8], endpoint: Endpoint, parameters: [String: String]) {
    var address = peerText
    var isSecure = false
    if !worker.configuration.trustedProxies.isEmpty {
      let origin = worker.configuration.trustedProxies.origin(of: head, peer: peer)
      if origin.address != peer { address = origin.address.description }
      isSecure = origin.isSecure
    }
    // RFC 9110 section 7.4: what is addressed to https must not be answered to who listens on the line.
    if head.targetIsSecure, !isSecure {
      return refuse(ProtocolError(.misdirectedRequest, "this is not https"), isHEAD: head.method == .head)
    }
    let request = Request(
      head: head, body: body, id: requestID, remoteAddress: address, isSecure: isSecure, parameters: parameters,
      loop: worker.loop, waiting: self)
    switch endpoint.responder {
    case .immediate(let respond):
      let response: Response
      do {
        response = try respond(request)
      } catch {
        response = failure(error, pattern: endpoint.pattern)
      }
      answer(response, to: request.head, pattern: endpoint.pattern)
    case .suspending(let respond):
      phase = .responding
      let number = requestCount
      // Starts here and now; it comes back to this loop after every await.
      Task.immediate(executorPreference: worker.loop) { [self] in
        let response: Response
        do {
          response = try await respond(request)
        } catch is AbandonedRequest {
          // Later in the turn: if nothing suspended, `parse` is still running.
          worker.loop.execute { [self] in
            if phase == .responding, number == requestCount { close() }
          }
          return
        } catch {
          response = failure(error, pattern: endpoint.pattern)
        }
        complete(response, to: request.head, number: number, pattern: endpoint.pattern)
      }
    }
  }

  /// A suspending responder has its answer. Since it was asked, the connection may have closed.
  private func complete(_ response: Response, to head: RequestHead, number: Int, pattern: String) {
    worker.loop.assertCurrent()
    guard phase == .responding, number == requestCount else { return }
    answer(response, to: head, pattern: pattern)
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
  private func answer(_ response: Response, to head: RequestHead, pattern: String) {
    releaseBody()
    if worker.logsAnswers { log(response.status, method: head.method.name, pattern: pattern) }
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
    let count = response.status.isWithoutContent ? 0 : response.body.count
    writeHead(response, framing: count.map { .length($0) } ?? .untilClose, persistence: persistence)
    if head.method != .head, !response.status.isWithoutContent { writeBody(response.body) }
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
  ///
  /// - Parameter isHEAD: whether the request is known to be HEAD: no content follows then (RFC 9110 section 9.3.2).
  func refuse(_ error: ProtocolError, isHEAD: Bool) {
    releaseBody()
    if requestID.isEmpty || phase == .head { requestID = worker.nextRequestID() }
    if worker.logsAnswers { log(error.status, method: nil, pattern: nil) }
    worker.counters.requests.add(1)
    let response = worker.application.answer(to: error, requestID: requestID)
    writeHead(response, framing: .length(response.body.count ?? 0), persistence: .close)
    if !isHEAD { writeBody(response.body) }
    closesAfterAnswer = true
    lingersAfterAnswer = true
    phase = .finishing
    // Unless the parser's caller does it.
    if !isParsing { settle() }
  }

  /// One line an answer. Neither target nor fields: they may hold what must not be in a log (SECURITY 15).
  private func log(_ status: Status, method: String?, pattern: String?) {
    worker.configuration.logger.info(
      "answered",
      metadata: [
        "status": "\(status.code)", "method": "\(method ?? "-")", "route": "\(pattern ?? "-")", "peer": "\(peerText)",
        "request_id": "\(requestID)",
      ])
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
