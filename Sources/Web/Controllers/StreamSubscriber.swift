import Base
import Chat
import EventLoop
import HTTPServer
import Synchronization

/// The broker's subscriber for one event stream. On the connection's loop.
///
/// It subscribes before the stream exists, and buffers frames until the response's head is sent.
final class StreamSubscriber: Subscriber, @unchecked Sendable {  // but for `attached`, touched on `loop` only
  private let loop: EventLoop
  private var stream: EventStream?
  private var early: [SharedBytes] = []
  private var isClosed = false
  private var hasBegun = false
  private var beginning: CheckedContinuation<Void, any Error>?
  private var drainers: [CheckedContinuation<Void, Never>] = []
  private let attached = Atomic(false)

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Whether a stream is attached. Callable from any thread.
  var isAttached: Bool { attached.load(ordering: .acquiring) }

  /// Waits until `subscription` has delivered something or ended; rethrows its error before that.
  func firstDelivery(of subscription: Task<Void, any Error>) async throws {
    loop.assertCurrent()
    Task(executorPreference: loop) {
      do {
        try await subscription.value
        self.begin()
      } catch {
        self.begin(throwing: error)
      }
    }
    if hasBegun { return }
    try await withCheckedThrowingContinuation { beginning = $0 }
  }

  /// Writes the buffered frames, then all further ones, to `stream`.
  func attach(_ stream: EventStream) {
    loop.assertCurrent()
    attached.store(true, ordering: .releasing)
    self.stream = stream
    for frame in early { stream.send(frame) }
    early = []
    if isClosed { stream.close() }
    resumeDrainers()
  }

  func deliver(_ frame: SharedBytes) {
    loop.assertCurrent()
    if let stream {
      stream.send(frame)
    } else {
      early.append(frame)
    }
    if !hasBegun { begin() }
  }

  func drained() async {
    loop.assertCurrent()
    if stream == nil, !isClosed { await withCheckedContinuation { drainers.append($0) } }
    await stream?.drained()
  }

  func close(after frame: SharedBytes?) {
    loop.assertCurrent()
    isClosed = true
    if let stream {
      stream.close(after: frame)
    } else if let frame {
      early.append(frame)
    }
    resumeDrainers()
    begin()
  }

  private func resumeDrainers() {
    for drainer in drainers { drainer.resume() }
    drainers = []
  }

  private func begin(throwing error: (any Error)? = nil) {
    hasBegun = true
    guard let beginning else { return }
    self.beginning = nil
    if let error { beginning.resume(throwing: error) } else { beginning.resume() }
  }
}
