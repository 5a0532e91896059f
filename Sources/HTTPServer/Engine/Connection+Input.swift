import EventLoop
import HTTP

extension Connection {
  private var limits: Limits { worker.configuration.limits }

  /// Whether bytes are read from the socket.
  var wantsInput: Bool {
    if peerHasFinished { return false }
    switch phase {
    case .head: return !hasUnreadRequests && output.pendingBytes < limits.unwrittenBytes
    case .responding: return input.count < limits.readAheadBytes
    case .body, .streaming, .lingering: return true
    case .finishing, .closed: return false
    }
  }

  /// Receives once. More, if there is more, in the next turn: others come first.
  func receive() {
    let buffer = worker.readBuffer
    do throws(SystemError) {
      guard case .done(let count) = try SystemCall.receive(socket, into: buffer) else { return }
      if count == 0 { return peerFinished() }
      let received = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bindMemory(to: UInt8.self))[..<count])
      if phase == .streaming || phase == .lingering { return discard(count) }
      if input.isEmpty, phase != .responding {
        // The common case: requests are parsed where they were received, and only a rest is kept.
        let consumed = parse(received)
        if consumed < count, phase != .closed { input = Array(received[consumed...]) }
      } else {
        input.append(contentsOf: received)
        if phase != .responding { parseInput() }
      }
    } catch {
      close()
    }
  }

  /// Parses what was left over.
  func parseInput() {
    let bytes = input
    let consumed = bytes.withUnsafeBufferPointer { parse($0) }
    if consumed == bytes.count { input = [] } else if consumed > 0 { input = Array(bytes[consumed...]) }
  }

  /// Cuts requests off `bytes` and begins them, as long as each can be answered on the spot.
  /// - Returns: how many bytes are done with; the rest must be shown again.
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
        return consumed
      case .streaming, .finishing, .lingering, .closed:
        // Nothing more is answered, but the peer does not know yet that it sends in vain.
        lingersAfterAnswer = true
        return bytes.count
      }
    }
    return consumed
  }

  /// A head is there: finds the endpoint, and answers or reads the body.
  private func begin(_ head: consuming RequestHead, bodyHasBegun: Bool) {
    requestCount += 1
    requestID = worker.nextRequestID()
    let (endpoint, parameters) = worker.application.endpoint(for: head)
    if head.framing == .none {
      return respond(to: head, body: [], endpoint: endpoint, parameters: parameters)
    }
    let limit = endpoint.bodyLimit ?? limits.bodyBytes
    if head.framing.exceeds(limit) {
      return refuse(
        ProtocolError(.contentTooLarge, "the body is larger than \(limit) bytes"), isHEAD: head.method == .head)
    }
    if head.expectsContinue, !bodyHasBegun {
      // RFC 9110 §10.1.1: the final status may come instead of 100; then nobody knows whether the body follows.
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

  /// Gives body bytes to the decoder.
  /// - Returns: how many of them belonged to the body.
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

  /// Counts what has come of a body that comes in several parts; too much, with all others, is refused.
  private func countBody(_ count: Int) {
    worker.bodyBytes += count - countedBodyBytes
    countedBodyBytes = count
    guard worker.bodyBytes > worker.bodyBytesLimit else { return }
    let isHEAD = incoming?.head.method == .head
    incoming = nil
    refuse(ProtocolError(.serviceUnavailable, "too many bodies are under way"), isHEAD: isHEAD)
  }

  /// Takes the body off the count, once the request is answered.
  func releaseBody() {
    worker.bodyBytes -= countedBodyBytes
    countedBodyBytes = 0
  }

  /// Throws bytes away that nobody asked for, up to a limit.
  private func discard(_ count: Int) {
    discardedBytes += count
    let limit = phase == .streaming ? limits.streamInputBytes : limits.lingerBytes
    if discardedBytes > limit { close() }
  }

  /// The peer has sent its last byte. It may still read: a client may well end its sending side after its request.
  private func peerFinished() {
    peerHasFinished = true
    switch phase {
    case .body:
      // The request will never be whole (RFC 9112 §8): no answer is due.
      phase = .finishing
    case .responding:
      interrupt()
    case .streaming, .lingering:
      close()
    case .head, .finishing, .closed:
      break
    }
  }

  /// The peer has ended its sending side, perhaps with bytes before that end that are still to be read.
  func peerIsLeaving() {
    guard phase != .closed else { return }
    // Whoever reads an event stream and has closed its sending side has gone: browsers never do one without the other.
    if phase == .streaming { return close() }
    interrupt()
  }
}
