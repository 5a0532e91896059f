import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// A central guarantee: live events without gaps.
@Suite("Live events without gaps")
struct GaplessTests {
  private static let steps = 150

  @Test(
    "A stream cut at random points gets each event once, in order, equal byte for byte", .shows("S5", "H2"),
    arguments: [1, 2, 3, 4] as [UInt64])
  func randomCuts(seed: UInt64) async throws {
    print("seed \(seed)")
    var options = TestHub.Options()
    // Small pages, so that replays are cut too, and streams go live in the middle.
    options.broker = BrokerLimits(streamsPerUser: 1000, replayEvents: 7)
    try await TestHub.with(options) { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let start = try await hub.store.lastEventID()
      let port = try hub.port()

      async let whole = Self.undisturbed(bob, port, after: start)
      async let pieces = Self.disturbed(bob, port, after: start, seed: seed)
      try await Self.traffic(ada, bob, room, seed: seed)
      let (undisturbed, disturbed, connections) = (
        try await whole, try await pieces.events, try await pieces.connections
      )

      let ids = undisturbed.compactMap(\.id)
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } && ids.count == Set(ids).count)
      #expect(disturbed.compactMap(\.id) == ids)
      #expect(Self.withoutSuperseded(disturbed) == Self.withoutSuperseded(undisturbed))
      #expect(connections > 5, "the stream was cut again and again")
      // Both equal the log.
      let log = try await hub.store.events(after: start, for: bob.id, limit: 10_000).events
      #expect(log.map(\.id) == ids && log.map(\.name) == undisturbed.map(\.name))
      #expect(
        Set(log.map(\.name)).isSuperset(of: ["message.created", "message.updated", "user.updated", "receipt.updated"]))
    }
  }

  /// The blocks without texts replaced by a later event about the same message: an edit removes them from the log, so a
  /// replay lacks text that was delivered live.
  private static func withoutSuperseded(_ blocks: [EventBlocks.Block]) -> [EventBlocks.Block] {
    var later: Set<Substring> = []
    let cleaned = blocks.reversed().map { block in
      guard block.name.hasPrefix("message."), let seq = block.text.firstMatch(of: /"seq":(\d+)/)?.1,
        !later.insert(seq).inserted
      else { return block }
      let text = block.text.replacing(/"text":"[^"]*"/, with: "\"text\":\"\"", maxReplacements: 1)
      return EventBlocks.Block(id: block.id, name: block.name, text: text)
    }
    return cleaned.reversed()
  }

  /// Messages, edits, renames and receipts of both people, and a last message.
  private static func traffic(_ ada: Person, _ bob: Person, _ room: String, seed: UInt64) async throws {
    var random = SeededRandom(seed: seed &+ 1000)
    var own: [UserID: [Int]] = [:]
    var last = 0
    for step in 1...steps {
      let person = Bool.random(using: &random) ? ada : bob
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4:
        last = try await person.say("step \(step) ✓", in: room)
        own[person.id, default: []].append(last)
      case 5, 6:
        guard let seq = own[person.id]?.randomElement(using: &random) else { continue }
        let edit = try await person.send(.patch, "/rooms/\(room)/messages/\(seq)", #"{"text":"edited \#(step)"}"#)
        #expect(edit.status == .ok)
      case 7:
        let renamed = try await person.send(.patch, "/me", #"{"last_name":"No. \#(step)"}"#)
        #expect(renamed.status == .ok)
      default:
        let moved = try await person.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":\#(last)}"#)
        #expect(moved.status == .ok)
      }
    }
    // Nothing is left to read for the person who sends the last message, so no receipt follows it.
    _ = try await ada.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":\#(last)}"#)
    try await ada.say("the end", in: room)
  }

  private static func isEnd(_ blocks: EventBlocks) -> Bool {
    blocks.durable.last { $0.name == "message.created" }?.text.contains(#""text":"the end""#) == true
  }

  private static func open(_ person: Person, _ port: Int, after: Int64, byHeader: Bool) throws -> RawConnection {
    let connection = try RawConnection(port: port)
    let target = byHeader ? "/api/v1/events?after=0" : "/api/v1/events?after=\(after)"
    let header = byHeader ? "Last-Event-ID: \(after)\r\n" : ""
    try connection.write(
      Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\nCookie: \(person.cookie)\r\n\(header)\r\n".utf8))
    return connection
  }

  private static func undisturbed(_ person: Person, _ port: Int, after: Int64) async throws -> [EventBlocks.Block] {
    let connection = try open(person, port, after: after, byHeader: true)
    var blocks = EventBlocks()
    while !isEnd(blocks), let bytes = try await connection.read() { blocks.feed(bytes) }
    return blocks.durable
  }

  private static func disturbed(
    _ person: Person, _ port: Int, after: Int64, seed: UInt64
  ) async throws -> (events: [EventBlocks.Block], connections: Int) {
    var random = SeededRandom(seed: seed)
    var seen: [EventBlocks.Block] = []
    var connections = 0
    while true {
      connections += 1
      let position = seen.last?.id ?? after
      let connection = try open(person, port, after: position, byHeader: Bool.random(using: &random))
      var blocks = EventBlocks()
      // Cut after this many bytes: within the head, within an event, between two.
      var budget = Int.random(in: 1...6000, using: &random)
      while budget > 0, !isEnd(blocks), let bytes = try await connection.read(atMost: budget) {
        budget -= bytes.count
        blocks.feed(bytes)
      }
      connection.cut()
      seen += blocks.durable
      if isEnd(blocks) { return (seen, connections) }
    }
  }
}
