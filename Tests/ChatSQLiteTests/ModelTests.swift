import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

/// Both stores get the same operations in the same order, and the same queries.
@Suite("The store compared with its model", .timeLimit(.minutes(10)))
struct ModelTests {
  @Test(
    "any sequence of operations has the same results, pages, counts, receipts and events", .shows("R1", "H3"),
    arguments: 0..<4)
  func sameAsModel(run: Int) async throws {
    // Each failure names the seed; with a fixed seed it can be repeated.
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    _ = try await ModelTests.compare(seed: seed, steps: 500)
  }

  @Test("sequences with known seeds", arguments: [1, 2, 3] as [UInt64])
  func knownSeeds(seed: UInt64) async throws {
    _ = try await ModelTests.compare(seed: seed, steps: 400)
  }

  /// Plays a scenario that `prepare` has set up on both stores; returns the events.
  static func compare(
    seed: UInt64, steps: Int, _ prepare: (inout Scenario) -> Void = { _ in }
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    // Small enough that groups fill up, and that receipts go to all members in some rooms only.
    var limits = StoreLimits()
    (limits.members, limits.toldOfReceipts, limits.roomChanges) = (6, 4, 12)
    limits.searchWait = .seconds(30)
    let model = InMemoryStore(
      mostMembers: limits.members, mostToldOfReceipts: limits.toldOfReceipts, mostChanges: limits.roomChanges)
    let store = try SQLiteStore(path: folder.database, limits: limits)
    let (expected, heard) = (Box<[String]>([]), Box<[String]>([]))
    model.observeCommits { events in expected.update { $0 += events.map(describe) } }
    store.observeCommits { events in heard.update { $0 += events.map(describe) } }
    var scenario = Scenario(seed: seed, model: model)
    prepare(&scenario)
    for number in 0..<steps {
      for step in scenario.next() {
        let (wanted, got) = (await step.outcome(model), await step.outcome(store))
        try #require(got == wanted, "seed \(seed), step \(number): \(step.name)")
      }
    }
    let everything = scenario.everything()
    for step in everything {
      let (wanted, got) = (await step.outcome(model), await step.outcome(store))
      try #require(got == wanted, "seed \(seed), at the end: \(step.name)")
    }
    store.close()
    #expect(heard.value == expected.value, "seed \(seed)")
    #expect(expected.value.count > steps / 8, "seed \(seed) did too little")
    #expect(expected.value.contains { $0.contains(" member.updated ") }, "seed \(seed) played no groups")
    let again = try SQLiteStore(path: folder.database)
    for step in everything {
      let (wanted, got) = (await step.outcome(model), await step.outcome(again))
      try #require(got == wanted, "seed \(seed), opened again: \(step.name)")
    }
    again.close()
    #expect(try DatabaseCheck.run(folder.database).findings == [], "seed \(seed)")
    return heard.value
  }
}

/// An operation or query for either store.
struct Step: Sendable {
  let name: String
  let run: @Sendable (any ChatStore) async throws -> String

  init<Value: Sendable>(_ name: String, _ run: @escaping @Sendable (any ChatStore) async throws -> Value) {
    self.name = name
    self.run = { "\(try await run($0))" }
  }

  /// The result as text; for an error, its kind without its message.
  func outcome(_ store: any ChatStore) async -> String {
    do {
      return try await run(store)
    } catch ChatError.invalid(let fields) {
      return "invalid \(fields.map { "\($0.field) \($0.code)" })"
    } catch ChatError.conflict {
      return "conflict"
    } catch ChatError.taken(let field) {
      return "\(field.field) \(field.code)"
    } catch ChatError.forbidden {
      return "forbidden"
    } catch {
      return "\(error)"
    }
  }
}

/// An event as text; the members of its audience in the order of their ids.
func describe(_ event: LoggedEvent) -> String {
  let audience =
    if case .members(let room, let ids) = event.audience { "\(room) \(ids.sorted())" } else { "\(event.audience)" }
  return "\(event.id) \(event.name) \(String(decoding: event.data, as: UTF8.self)) \(audience)"
}
