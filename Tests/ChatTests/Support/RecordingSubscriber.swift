import Base
import Chat
import TestSupport
@testable import ChatTesting

/// A subscriber whose wire is read by the test.
final class RecordingSubscriber: Subscriber {
  struct State {
    var wire: [Frame] = []
    var deliveries = 0
    var closings: [Frame?] = []
    var drains: [CheckedContinuation<Void, Never>] = []
    var onDelivery: (@Sendable () -> Void)?
    /// Whether `drained` waits until the wire has been read.
    var isSlow = false
  }

  let state = Box(State())
  let lane: ManualLane

  init(lane: ManualLane, isSlow: Bool = false) {
    self.lane = lane
    state.update { $0.isSlow = isSlow }
  }

  var frames: [Frame] { state.value.wire }
  var names: [String] { frames.map(\.name) }
  var ids: [EventID] { frames.compactMap(\.id) }
  var isClosed: Bool { !state.value.closings.isEmpty }

  func deliver(_ frame: SharedBytes) {
    lane.assertCurrent()
    let then = state.update { state in
      state.wire.append(Frame(frame))
      state.deliveries += 1
      return state.onDelivery
    }
    then?()
  }

  func drained() async {
    lane.assertCurrent()
    guard state.value.isSlow, !state.value.wire.isEmpty, !isClosed else { return }
    await withCheckedContinuation { continuation in state.update { $0.drains.append(continuation) } }
  }

  func close(after frame: SharedBytes?) {
    lane.assertCurrent()
    state.update { $0.closings.append(frame.map(Frame.init)) }
    resume()
  }

  /// Reads up to `count` frames from the wire.
  func read(_ count: Int = .max) -> [Frame] {
    let frames = state.update { state in
      let taken = Array(state.wire.prefix(count))
      state.wire.removeFirst(taken.count)
      return taken
    }
    if self.frames.isEmpty { resume() }
    return frames
  }

  /// Resumes the callers that wait for the wire.
  func resume() {
    for waiter in state.update({ state in
      let drains = state.drains
      state.drains = []
      return drains
    }) { waiter.resume() }
  }
}
