import Chat
import TestSupport
import Testing
@testable import ChatTesting

/// A simulation of everything that can happen in a different order: commits, their publication, steps of the lanes, log
/// reads before and after they take place, reads from the wires, disconnections during a delivery.
private final class World {
  /// A client that resumes from the last id it has read from its wire.
  struct Client {
    let user: UserID
    let lane: Int
    var startsAtNow: Bool
    var start: EventID?
    var last: EventID?
    var received: [EventID] = []
    var stream: RecordingSubscriber?
    var outcome: Box<String?>?
  }

  var random: SeededRandom
  /// Commits come in bursts, so that replays fall behind and catch up.
  var isBurst = false
  let lanes = [ManualLane(), ManualLane()]
  let clock = ManualClock()
  let door = Door()
  let store: InMemoryStore
  let broker: Broker
  let unpublished = Box<[[LoggedEvent]]>([])
  let users: [UserID] = [id(1), id(2), id(3)]
  var clients: [Client] = []
  var disconnections = 0
  var hellos = 0

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    store = InMemoryStore(gate: { [door] in await door.pass() })
    let limits = BrokerLimits(
      bufferedEvents: Int.random(in: 1...4, using: &random), bufferedBytes: 20,
      replayEvents: Int.random(in: 1...8, using: &random), replayBytes: Int.random(in: 4...20, using: &random))
    broker = Broker(lanes: lanes, clock: clock, limits: limits, encode: Frame.encode)
    store.observeCommits { [unpublished] commit in unpublished.update { $0.append(commit) } }
    door.close()
    for number in 0..<4 {
      clients.append(
        Client(
          user: users[number % users.count], lane: number % 2, startsAtNow: random.chance(30), start: nil, last: nil))
    }
  }

  func act() {
    let client = Int.random(in: clients.indices, using: &random)
    if random.chance(4) { isBurst.toggle() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<14: if isBurst { commit() }
    case 14..<34: publish()
    case 34..<58: lanes.randomElement(using: &random)?.step()
    case 58..<75: door.release(Int.random(in: 0...max(0, door.count - 1), using: &random))
    case 75..<82: if clients[client].stream == nil { connect(client) }
    case 82..<95: read(client, Int.random(in: 1...3, using: &random))
    case 95..<98: disconnect(client)
    default: broker.announce(.sessionEnded, to: .everyone)
    }
  }

  /// Completes all pending work, with every client connected.
  func settle() {
    door.open()
    for client in clients.indices where clients[client].stream == nil { connect(client) }
    var isBusy = true
    while isBusy {
      isBusy = false
      while publish() { isBusy = true }
      for lane in lanes { while lane.step() { isBusy = true } }
      for client in clients.indices where clients[client].stream?.frames.isEmpty == false {
        read(client, .max)
        isBusy = true
      }
    }
  }

  func expected(_ client: Client) -> [EventID] {
    store.state.value.log.map(\.logged)
      .filter { $0.id > client.start ?? 0 && InMemoryStore.mayRead(client.user, $0.audience) }.map(\.id)
  }

  private func commit() {
    let audiences = (0..<Int.random(in: 1...3, using: &random)).map { _ -> Audience in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .everyone
      case 1: .user(users[Int.random(in: users.indices, using: &random)])
      default: .members(id(9), users.filter { _ in random.chance(60) })
      }
    }
    store.commit(audiences, data: Array(repeating: 0x30, count: Int.random(in: 1...9, using: &random)))
  }

  @discardableResult
  private func publish() -> Bool {
    guard let commit = unpublished.update({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    broker.publish(commit)
    return true
  }

  private func connect(_ index: Int) {
    let client = clients[index]
    let stream = RecordingSubscriber(lane: lanes[client.lane], isSlow: random.chance(50))
    let outcome = Box<String?>(nil)
    clients[index].stream = stream
    clients[index].outcome = outcome
    let after = client.last ?? (client.startsAtNow ? nil : 0)
    Task(executorPreference: lanes[client.lane]) { [broker, store] in
      do {
        try await broker.subscribe(
          stream, user: client.user, session: nil, lane: client.lane, after: after, store: store)
      } catch {
        outcome.value = "\(error)"
      }
    }
  }

  /// Frames on the wire that were not read are lost, and the server notices later.
  private func disconnect(_ index: Int) {
    guard let stream = clients[index].stream else { return }
    disconnections += 1
    clients[index].stream = nil
    lanes[clients[index].lane].run { [broker, lane = clients[index].lane] in
      broker.unsubscribe(stream, lane: lane)
      stream.state.update { $0.isSlow = false }
      stream.resume()
    }
  }

  private func read(_ index: Int, _ count: Int) {
    for frame in clients[index].stream?.read(count) ?? [] {
      if let id = frame.id {
        clients[index].received.append(id)
        clients[index].last = id
      } else if frame.name == "hello" {
        hellos += 1
        let digits = frame.data.drop { !$0.isNumber }.prefix { $0.isNumber }
        if clients[index].last == nil {
          clients[index].last = EventID(digits)
          clients[index].start = EventID(digits)
        }
      }
    }
  }
}

@Suite("Broker: no gaps under any interleaving", .shows("S5", "H2"))
struct BrokerPropertyTests {
  @Test("each client gets each of its events once and in order, wherever its stream breaks", arguments: 0..<12)
  func exactlyOnce(block: Int) {
    var disconnections = 0
    var received = 0
    for seed in 0..<25 {
      let world = World(seed: UInt64(block * 1000 + seed))
      for _ in 0..<1000 { world.act() }
      world.settle()
      for client in world.clients {
        #expect(client.outcome?.value == nil)
        #expect(client.received == world.expected(client), "seed \(block * 1000 + seed)")
        received += client.received.count
      }
      disconnections += world.disconnections
      #expect(world.broker.streamCount == world.clients.count)
    }
    // Proves that enough happened.
    #expect(disconnections > 50 && received > 1000)
  }
}
