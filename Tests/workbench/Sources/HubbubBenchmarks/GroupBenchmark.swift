import ArgumentParser
import Chat
import ChatSQLite
import Foundation

/// `groups`: what a message costs in a room of thousands, beside one in a room of two.
struct GroupBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups", abstract: "Times sends to a room of two and to a large one, in turns.")

  @Option(help: "How many members the large room has.")
  var members = 5000

  @Option(help: "How many messages each room gets in a round.")
  var messages = 5000

  @Option(help: "How often each room has its turn.")
  var rounds = 5

  @Option(help: "How many sends are under way.")
  var atOnce = 64

  private static let start = Timestamp(milliseconds: 1_700_000_000_000)
  /// Each message mentions somebody, whom the room's members are asked for.
  private static let text = "@Person1, what is said in a room is heard by all of its members."

  /// What a round gave: by the clock, and by the processor, which other programs on the machine do not change.
  private struct Cost {
    var perSecond: Double
    var microseconds: Double
  }

  func run() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    defer {
      for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    let store = try SQLiteStore(path: path)
    let people = (0..<max(2, members)).map { ID<User>(high: 0x7000, low: UInt64($0)) }
    let rooms = try await open(people, in: store)
    var costs: [[Cost]] = [[], []]
    for round in 0..<rounds {
      for (index, room) in rooms.enumerated() {
        let number = UInt64((round * rooms.count + index) * messages)
        costs[index].append(try await send(to: room, by: people[0], in: store, from: number))
      }
    }
    print("| members | sends/s | processor µs a send |")
    print("| --- | --- | --- |")
    let rates = costs.map { middle($0.map(\.perSecond)) }
    let work = costs.map { middle($0.map(\.microseconds)) }
    for (index, count) in [2, people.count].enumerated() {
      print("| \(count) | \(Int(rates[index])) | \(Int(work[index])) |")
    }
    print("ratio: \(ratio(rates[1], rates[0])) of the sends, \(ratio(work[1], work[0])) of the processor time")
    let (began, worked) = (ContinuousClock.now, SearchBenchmark.processorTime())
    _ = try await store.changeGroup(rooms[1], by: people[0], GroupChange(name: "Larger"), at: Self.start)
    print(
      "a new name told to \(people.count): \(Int((ContinuousClock.now - began) / .milliseconds(1))) ms, "
        + "\(Int(SearchBenchmark.processorTime() - worked)) ms of processor time")
    store.close()
  }

  /// Makes the people, and their two rooms.
  private func open(_ people: [UserID], in store: SQLiteStore) async throws -> [RoomID] {
    for (index, person) in people.enumerated() {
      _ = try await store.createAccount(
        NewAccount(
          id: person, email: "p\(index)@example.org", passwordHash: "none", firstName: "Person", lastName: "\(index)",
          createdAt: Self.start))
    }
    let two = try await store.openDirectRoom(
      of: people[0], with: people[1], newID: ID(high: 0x7001, low: 1), at: Self.start)
    let large = try await store.createGroup(
      NewGroup(
        id: ID(high: 0x7001, low: 2), makerID: people[0], name: "Large", memberIDs: Array(people.dropFirst()),
        createdAt: Self.start))
    return [two.room.id, large.id]
  }

  private func send(
    to room: RoomID, by sender: UserID, in store: SQLiteStore, from number: UInt64
  ) async throws -> Cost {
    let (began, worked) = (ContinuousClock.now, SearchBenchmark.processorTime())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<messages {
        if index >= atOnce { try await group.next() }
        let message = NewMessage(
          roomID: room, senderID: sender, clientID: ID(high: 0x7002, low: number + UInt64(index)), text: Self.text,
          createdAt: Self.start)
        group.addTask { _ = try await store.append(message) }
      }
      try await group.waitForAll()
    }
    return Cost(
      perSecond: Double(messages) / ((ContinuousClock.now - began) / .seconds(1)),
      microseconds: (SearchBenchmark.processorTime() - worked) * 1000 / Double(messages))
  }

  private func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func ratio(_ one: Double, _ other: Double) -> String { String(format: "%.2f", one / other) }
}
