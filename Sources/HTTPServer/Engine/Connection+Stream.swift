import Base
import EventLoop
import Glibc
import HTTP
import Logging

extension Connection: EventStreamTransport {
  /// The kernel's send buffer per reader (the kernel doubles it), so that stalled readers cannot pin megabytes.
  private static let kernelBufferBytes: Int32 = 64 * 1024

  /// Sends the head and hands the stream over. The stream ends with the connection, so it needs no framing.
  func startStream(_ response: Response, _ take: (EventStream) -> Void) {
    var response = response
    if !response.fields.contains(.contentType) { response.fields.add(.contentType, EventStreamEncoding.mediaType) }
    if !response.fields.contains(.cacheControl) { response.fields.add(.cacheControl, "no-store") }
    writeHead(response, framing: .untilClose, persistence: .close)
    phase = .streaming
    // On failure the system's default remains, which works too.
    try? SystemCall.setOption(socket, level: SOL_SOCKET, SO_SNDBUF, Self.kernelBufferBytes)
    let stream = EventStream(
      id: requestID, loop: worker.loop, limit: worker.configuration.limits.queuedStreamBytes, transport: self)
    self.stream = stream
    worker.counters.streams.add(1)
    scheduleFlush()
    take(stream)
    // The reader may have disconnected, or the server begun to shut down, meanwhile.
    if peerHasFinished { close() } else if worker.isDraining { endStream() }
  }

  /// Sends a randomised reconnection time and ends the stream.
  func endStream() {
    let pause = EventStreamEncoding.retry(milliseconds: .random(in: worker.configuration.retryMilliseconds))
    stream?.close(after: SharedBytes(pause))
  }

  var queuedBytes: Int { output.pendingBytes }

  func enqueue(_ frame: SharedBytes) {
    output.append(frame)
    scheduleFlush()
  }

  func flushNow() {
    guard phase != .closed else { return }
    flush()
    if !isParsing { settle() }
  }

  func closeWhenFlushed() {
    phase = .finishing
    scheduleFlush()
  }

  func overflow() {
    worker.counters.overflowedStreams.add(1)
    worker.configuration.logger.debug("a reader fell behind", metadata: ["request_id": "\(requestID)"])
    close()
  }

  private func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    worker.flushAtEndOfTurn(self)
  }
}
