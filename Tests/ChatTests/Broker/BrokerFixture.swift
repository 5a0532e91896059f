import Chat
import TestSupport
@testable import ChatTesting

/// A broker with two manual lanes, and a store whose log reads wait at a gate.
struct BrokerFixture {
  let clock = ManualClock()
  let lanes = [ManualLane(), ManualLane()]
  let door = Door()
  let store: InMemoryStore
  let presence: Presence
  let broker: Broker

  init(limits: BrokerLimits = BrokerLimits()) {
    presence = Presence(clock: clock)
    store = InMemoryStore(gate: { [door] in await door.pass() })
    broker = Broker(lanes: lanes, clock: clock, presence: presence, limits: limits, encode: Frame.encode)
    store.observeCommits { [broker] in broker.publish($0) }
  }

  func drain() {
    while lanes.contains(where: { !$0.isIdle }) { for lane in lanes { lane.drain() } }
  }

  /// Starts a subscription; its outcome is stored in the box.
  func start(
    _ subscriber: RecordingSubscriber, user: UserID, session: SessionID? = nil, lane: Int = 0, after: EventID? = nil
  ) -> Box<String?> {
    let outcome = Box<String?>(nil)
    Task(executorPreference: lanes[lane]) { [broker, store] in
      do {
        try await broker.subscribe(
          subscriber, user: user, session: session, lane: lane, after: after, store: store)
        outcome.value = "open"
      } catch {
        outcome.value = "\(error)"
      }
    }
    return outcome
  }

  /// A live stream.
  func open(
    user: UserID, session: SessionID? = nil, lane: Int = 0, after: EventID? = nil, isSlow: Bool = false
  ) -> RecordingSubscriber {
    let subscriber = RecordingSubscriber(lane: lanes[lane], isSlow: isSlow)
    let outcome = start(subscriber, user: user, session: session, lane: lane, after: after)
    drain()
    precondition(isSlow || outcome.value == "open", "\(outcome.value ?? "still waiting")")
    return subscriber
  }

  func commit(_ audiences: Audience..., data: String = "{}") {
    store.commit(audiences, data: Array(data.utf8))
  }
}
