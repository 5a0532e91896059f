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

  func run() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    defer {
      for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    let store = try SQLiteStore(path: path, presence: NobodyOnline())
    let people = (0..<max(2, members)).map { ID<User>(high: 0x7000, low: UInt64($0)) }
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
    var (rates, number): ([[Double]], UInt64) = ([[], []], 0)
    for round in 1...rounds {
      for (index, room) in [two.room.id, large.id].enumerated() {
        rates[index].append(try await send(to: room, by: people[0], in: store, from: number))
        number += UInt64(messages)
      }
      print(
        "round \(round): 2 members \(Int(rates[0][round - 1])) sends/s, \(people.count) members "
          + "\(Int(rates[1][round - 1])) sends/s, ratio \(ratio(rates[1][round - 1], rates[0][round - 1]))")
    }
    let middle = rates.map { $0.sorted()[$0.count / 2] }
    print("medians: \(Int(middle[0])) and \(Int(middle[1])) sends/s, ratio \(ratio(middle[1], middle[0]))")
    let began = ContinuousClock.now
    _ = try await store.changeGroup(large.id, by: people[0], GroupChange(name: "Larger"))
    print("telling \(people.count) members of a new name: \(Int((ContinuousClock.now - began) / .milliseconds(1))) ms")
    store.close()
  }

  private func ratio(_ one: Double, _ other: Double) -> String { String(format: "%.2f", one / other) }

  private func send(
    to room: RoomID, by sender: UserID, in store: SQLiteStore, from number: UInt64
  ) async throws -> Double {
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<messages {
        if index >= atOnce { try await group.next() }
        let message = NewMessage(
          roomID: room, senderID: sender, clientID: ID(high: 0x7002, low: number + UInt64(index)),
          text: "@Person1, what is said in a room is heard by all of its members.", createdAt: Self.start)
        group.addTask { _ = try await store.append(message) }
      }
      try await group.waitForAll()
    }
    return Double(messages) / ((ContinuousClock.now - began) / .seconds(1))
  }
}
