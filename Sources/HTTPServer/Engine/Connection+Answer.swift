import EventLoop
import HTTP
import Logging

extension Connection: RequestWaiting {
  /// Runs the endpoint: synchronously if it can, else as a task that prefers this loop. Moves the head into the request
  /// without a copy.
  func respond(
    to head: consuming RequestHead, body: [UInt8], receiving: RequestBody? = nil, endpoint: Endpoint,
    parameters: [String: String]
  ) {
    var address = peerText
    var isSecure = false
    var isRelayed = false
    if !worker.configuration.trustedProxies.isEmpty {
      let origin = worker.configuration.trustedProxies.origin(of: head, peer: peer)
      isRelayed = origin.address != peer
      if isRelayed { address = origin.address?.description ?? "unknown" }
      isSecure = origin.isSecure
    }
    // RFC 9110 section 7.4: a request for https must not be answered over a connection without TLS.
    if head.targetIsSecure, !isSecure {
      return refuse(ProtocolError(.misdirectedRequest, "this is not https"), isHEAD: head.method == .head)
    }
    if worker.logsAnswers {
      clientText = address
      requestBegan = worker.loop.now
    }
    var request = Request(
      head: head, body: body, id: requestID, remoteAddress: address, isSecure: isSecure, parameters: parameters,
      loop: worker.loop, waiting: self)
    request.isRelayed = isRelayed
    request.arrivingBody = receiving
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
      let request = request
      phase = .responding
      let number = requestCount
      // Starts immediately, and returns to this loop after every `await`.
      Task.immediate(executorPreference: worker.loop) { [self] in
        let response: Response
        do {
          response = try await respond(request)
        } catch is AbandonedRequest {
          // Deferred: if nothing suspended, `parse` is still on the stack.
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

  /// Sends a suspending responder's response. The connection may have closed meanwhile.
  private func complete(_ response: Response, to head: RequestHead, number: Int, pattern: String) {
    worker.loop.assertCurrent()
    guard phase == .responding, number == requestCount else { return }
    answer(response, to: head, pattern: pattern)
    // If it never suspended, `parse` is still on the stack and continues by itself.
    if isParsing { return }
    if phase == .head, !input.isEmpty { parseInput() }
    settle()
  }

  /// Handles an error that no middleware has handled.
  private func failure(_ error: any Error, pattern: String) -> Response {
    if let invalid = error as? InvalidBody {
      return worker.application.answer(to: invalid.refusal, requestID: requestID)
    }
    worker.configuration.logger.error(
      "a responder threw", metadata: ["error": "\(error)", "route": "\(pattern)", "request_id": "\(requestID)"])
    return worker.application.answer(
      to: ProtocolError(.internalServerError, "the request could not be carried out"), requestID: requestID)
  }

  /// Queues the response to the current request.
  private func answer(_ response: Response, to head: RequestHead, pattern: String) {
    var response = response
    if !count(response) {
      response = worker.application.answer(
        to: ProtocolError(.serviceUnavailable, "too many answers wait for their readers"), requestID: requestID)
      response.fields.set(.retryAfter, "1")
    }
    // The rest of a body that nobody reads must not be taken for a request.
    endBody(.failure(AbandonedRequest()))
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
    // HEAD of an event stream: no length, as for GET.
    let count = response.status.isWithoutContent ? 0 : response.body.count
    writeHead(response, framing: count.map { .length($0) } ?? .untilClose, persistence: persistence)
    if head.method != .head, !response.status.isWithoutContent { writeBody(response.body) }
    phase = closesAfterAnswer ? .finishing : .head
  }

  /// Smaller responses are not counted: the connection itself costs more.
  private static let countedBytes = 8 * 1024

  /// Counts a large response until its reader has received it. Returns whether there is room for it.
  private func count(_ response: Response) -> Bool {
    guard case .bytes(let bytes) = response.body, bytes.count >= Self.countedBytes, !response.isSameForAll else {
      return true
    }
    guard worker.answerBytes + bytes.count <= worker.answerBytesLimit else { return false }
    worker.answerBytes += bytes.count
    countedAnswerBytes += bytes.count
    return true
  }

  func writeHead(_ response: Response, framing: ResponseHead.Framing, persistence: ResponseHead.Persistence) {
    let head = ResponseHead(status: response.status, fields: response.fields)
    let common = worker.commonFieldLines()
    write {
      head.encode(
        into: &$0, framing: framing, persistence: persistence, requestID: requestID, common: common,
        defaults: worker.defaultFields)
    }
  }

  private func writeBody(_ body: Response.Body) {
    switch body {
    case .empty, .eventStream: break
    case .bytes(let bytes): output.append(bytes)
    case .file(let file): output.append(file)
    }
  }

  /// Refuses a malformed or oversized request and closes. Never within another response: none is in progress while
  /// requests are parsed.
  ///
  /// - Parameter isHEAD: whether the request is known to be HEAD, so that no content follows (RFC 9110 section 9.3.2).
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
    // If it is parsing, the parser's caller settles.
    if !isParsing { settle() }
  }

  /// One line per response, without target and fields, which may contain secrets.
  private func log(_ status: Status, method: String?, pattern: String?) {
    worker.configuration.logger.info(
      "answered",
      metadata: [
        "status": "\(status.code)", "method": "\(method ?? "-")", "route": "\(pattern ?? "-")",
        "client": "\(method == nil ? peerText : clientText)", "request_id": "\(requestID)",
        "microseconds": "\(method == nil ? 0 : (MonotonicTime.now() - requestBegan) / .microseconds(1))",
      ])
  }

  // MARK: Waiting responders

  func whenInterrupted(requestID: String, _ work: @escaping @Sendable () -> Void) {
    worker.loop.assertCurrent()
    guard requestID == self.requestID, phase != .closed, !isInterrupted else { return work() }
    interruption = work
  }

  /// Interrupts a waiting responder, once.
  func interrupt() {
    isInterrupted = true
    let work = interruption
    interruption = nil
    work?()
  }
}
