import EventLoop
import HTTP

extension Connection {
  private var limits: Limits { worker.configuration.limits }

  /// Whether the socket is read.
  var wantsInput: Bool {
    if peerHasFinished { return false }
    switch phase {
    case .head: return !hasUnreadRequests && output.pendingBytes < limits.unwrittenBytes
    case .responding: return (receiving?.body.unreadCount ?? input.count) < limits.readAheadBytes
    case .body, .streaming, .lingering: return true
    case .finishing, .closed: return false
    }
  }

  /// Receives once; further data waits for the next turn, so that other connections come first.
  func receive() {
    // All connections of the loop read into one buffer: its content must be processed before the next receives.
    precondition(!worker.isReadBufferInUse, "a connection receives while another parses the shared buffer")
    worker.isReadBufferInUse = true
    defer { worker.isReadBufferInUse = false }
    let buffer = worker.readBuffer
    do throws(SystemError) {
      guard case .done(let count) = try SystemCall.receive(socket, into: buffer) else { return }
      if count == 0 { return peerFinished() }
      let received = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bindMemory(to: UInt8.self))[..<count])
      if phase == .streaming || phase == .lingering { return discard(count) }
      let isParsed = phase != .responding || receiving != nil
      if input.isEmpty, isParsed {
        // The common case: parse in the receive buffer and keep only the rest.
        let consumed = parse(received)
        if consumed < count, phase != .closed { input = Array(received[consumed...]) }
      } else {
        input.append(contentsOf: received)
        if isParsed { parseInput() }
      }
    } catch {
      close()
    }
  }

  /// Parses the kept bytes.
  func parseInput() {
    let bytes = input
    let consumed = bytes.withUnsafeBufferPointer { parse($0) }
    if consumed == bytes.count { input = [] } else if consumed > 0 { input = Array(bytes[consumed...]) }
  }

  /// Parses and begins requests from `bytes`, as long as each is answered synchronously.
  /// - Returns: the number of bytes consumed; the rest must be passed again.
  private func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    isParsing = true
    defer { isParsing = false }
    hasUnreadRequests = false
    var consumed = 0
    var begun = 0
    while consumed < bytes.count {
      let rest = UnsafeBufferPointer(rebasing: bytes[consumed...]).span
      switch phase {
      case .head:
        if begun == limits.pipelineDepth || output.pendingBytes >= limits.unwrittenBytes {
          hasUnreadRequests = true
          return consumed
        }
        switch parser.parse(rest) {
        case .incomplete: return consumed
        case .parsed(let head, let length):
          consumed += length
          begun += 1
          begin(head, bodyHasBegun: consumed < bytes.count)
        case .invalid(let error): refuse(error, isHEAD: parser.isReadingHEAD)
        }
      case .body:
        consumed += feed(rest)
      case .responding:
        guard receiving != nil else { return consumed }
        consumed += feedResponder(rest)
      case .streaming, .finishing, .lingering, .closed:
        // The peer may still send, but no further request gets a response.
        lingersAfterAnswer = true
        return bytes.count
      }
    }
    return consumed
  }

  /// Finds the endpoint for a head, then responds or reads the body.
  private func begin(_ head: consuming RequestHead, bodyHasBegun: Bool) {
    requestCount += 1
    requestID = worker.nextRequestID()
    let (endpoint, parameters) = worker.application.endpoint(for: head)
    if head.framing == .none {
      let body = endpoint.receivesBody ? RequestBody([]) : nil
      return respond(to: head, body: [], receiving: body, endpoint: endpoint, parameters: parameters)
    }
    let limit = endpoint.bodyLimit ?? limits.bodyBytes
    if head.framing.exceeds(limit) {
      return refuse(
        ProtocolError(.contentTooLarge, "the body is larger than \(limit) bytes"), isHEAD: head.method == .head)
    }
    if endpoint.receivesBody {
      return receiveBody(
        of: head, limit: limit, hasBegun: bodyHasBegun, endpoint: endpoint, parameters: parameters)
    }
    if head.expectsContinue, !bodyHasBegun {
      // RFC 9110 §10.1.1: the final status may replace 100; the body may or may not follow then.
      if !endpoint.wantsBody {
        closesAfterAnswer = true
        lingersAfterAnswer = true
        return respond(to: head, body: [], endpoint: endpoint, parameters: parameters)
      }
      write { $0 += ResponseHead.continueBytes }
    }
    let decoder = BodyDecoder(framing: head.framing, limit: limit, limits: limits)
    if decoder.isComplete {
      return respond(to: head, body: [], endpoint: endpoint, parameters: parameters)
    }
    incoming = Incoming(
      head: head, endpoint: endpoint, parameters: parameters, decoder: decoder,
      deadline: worker.loop.now + worker.deadlines.body)
    phase = .body
  }

  /// Feeds body bytes to the decoder.
  /// - Returns: the number of bytes that belonged to the body.
  private func feed(_ bytes: Span<UInt8>) -> Int {
    guard let progress = incoming?.decoder.feed(bytes) else { return bytes.count }
    switch progress {
    case .needsMore:
      countBody(incoming?.decoder.body.count ?? 0)
      return bytes.count
    case .complete(let consumed):
      if var request = incoming.take() {
        let body = request.decoder.takeBody()
        phase = .head
        respond(to: request.head, body: body, endpoint: request.endpoint, parameters: request.parameters)
      }
      return consumed
    case .invalid(let error):
      let isHEAD = incoming?.head.method == .head
      incoming = nil
      refuse(error, isHEAD: isHEAD)
      return bytes.count
    }
  }

  /// Counts a body that arrives in several reads against `Limits.bodyBytesInAll`; refuses it beyond that.
  func countBody(_ count: Int) {
    worker.bodyBytes += count - countedBodyBytes
    countedBodyBytes = count
    guard worker.bodyBytes > worker.bodyBytesLimit else { return }
    let error = ProtocolError(.serviceUnavailable, "too many bodies are under way")
    if receiving != nil { return endBody(.failure(InvalidBody(refusal: error))) }
    let isHEAD = incoming?.head.method == .head
    incoming = nil
    refuse(error, isHEAD: isHEAD)
  }

  /// Uncounts the body once the request is answered, or its responder has taken what has arrived.
  func releaseBody() {
    worker.bodyBytes -= countedBodyBytes
    countedBodyBytes = 0
  }

  /// Discards unexpected bytes, up to a limit.
  private func discard(_ count: Int) {
    discardedBytes += count
    let limit = phase == .streaming ? limits.streamInputBytes : limits.lingerBytes
    if discardedBytes > limit { close() }
  }

  /// Handles the end of the peer's data. The peer may still read: clients may shut down sending after the request.
  private func peerFinished() {
    peerHasFinished = true
    switch phase {
    case .body:
      // The request stays incomplete (RFC 9112 §8): no response is due.
      phase = .finishing
    case .responding:
      endBody(.failure(AbandonedRequest()))
      interrupt()
    case .streaming, .lingering:
      close()
    case .head, .finishing, .closed:
      break
    }
  }

  /// Handles the peer's shutdown of sending; bytes before it may still be unread.
  func peerIsLeaving() {
    guard phase != .closed else { return }
    // An event stream's reader that has shut down sending is gone: browsers never half-close.
    if phase == .streaming { return close() }
    interrupt()
  }
}
