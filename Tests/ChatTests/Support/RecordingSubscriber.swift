import Chat
@testable import ChatTesting

/// A subscriber whose wire the test reads.
final class RecordingSubscriber: Subscriber {
  struct State {
    var wire: [Frame] = []
    var deliveries: [Int] = []
    var closings: [Frame?] = []
    var drains: [CheckedContinuation<Void, Never>] = []
    var onDelivery: (@Sendable () -> Void)?
    /// Whether `drained` waits until the wire was read.
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

  func deliver(_ frames: [Frame]) {
    lane.assertCurrent()
    precondition(!frames.isEmpty, "nothing to deliver")
    let then = state.update { state in
      state.wire += frames
      state.deliveries.append(frames.count)
      return state.onDelivery
    }
    then?()
  }

  func drained() async {
    lane.assertCurrent()
    guard state.value.isSlow, !state.value.wire.isEmpty, !isClosed else { return }
    await withCheckedContinuation { continuation in state.update { $0.drains.append(continuation) } }
  }

  func close(after frame: Frame?) {
    lane.assertCurrent()
    state.update { $0.closings.append(frame) }
    resume()
  }

  /// Takes up to `count` frames off the wire.
  func read(_ count: Int = .max) -> [Frame] {
    let frames = state.update { state in
      let taken = Array(state.wire.prefix(count))
      state.wire.removeFirst(taken.count)
      return taken
    }
    if self.frames.isEmpty { resume() }
    return frames
  }

  /// Lets whoever waits for the wire go on.
  func resume() {
    for waiter in state.update({ state in
      let drains = state.drains
      state.drains = []
      return drains
    }) { waiter.resume() }
  }
}
