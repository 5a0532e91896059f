import Chat
import ChatSQLite

/// A store full of messages: somebody in 1,000 rooms, somebody in 5, and many others.
struct SearchWorld {
  static let roomsOfBusy = 1000
  static let roomsOfQuiet = 5
  static let start = Timestamp(milliseconds: 1_700_000_000_000)

  let store: SQLiteStore
  let text: PlausibleText
  let busy: UserID = ID(high: 0x7000, low: 1)
  let quiet: UserID = ID(high: 0x7000, low: 2)

  private struct Place {
    var room: RoomID
    var members: [UserID]
    var isElsewhere: Bool
  }

  /// Makes the people, the rooms and, through the store's own writes, `count` messages, `atOnce` under way. Returns the sends per second.
  func fill(_ count: Int, atOnce: Int, _ random: inout SeededNumbers) async throws -> Double {
    let others = (0..<1200).map { ID<User>(high: 0x7001, low: UInt64($0)) }
    for (index, person) in ([busy, quiet] + others).enumerated() {
      _ = try await store.createAccount(
        NewAccount(
          id: person, email: "p\(index)@example.org", passwordHash: "none", firstName: text.word(rank: 500 + index),
          lastName: text.word(rank: 3000 + index), createdAt: Self.start))
    }
    var pairs: [(UserID, UserID)] = (0..<Self.roomsOfBusy).map { (busy, others[$0]) }
    pairs += (0..<Self.roomsOfQuiet).map { (quiet, others[$0 * 7]) }
    for index in 0..<2000 { pairs.append((others[index % 1200], others[(index * 7 + 13 + index / 1200) % 1200])) }
    pairs.shuffle(using: &random)
    var places: [Place] = []
    for (index, pair) in pairs.enumerated() where pair.0 != pair.1 {
      let opened = try await store.openDirectRoom(
        of: pair.0, with: pair.1, newID: ID(high: 0x7002, low: UInt64(index)), at: Self.start)
      places.append(
        Place(room: opened.room.id, members: [pair.0, pair.1], isElsewhere: pair.0 != busy && pair.0 != quiet))
    }
    return try await send(count, to: places, atOnce: atOnce, &random)
  }

  private func send(
    _ count: Int, to places: [Place], atOnce: Int, _ random: inout SeededNumbers
  ) async throws -> Double {
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        // Some rooms are busier than others.
        let share = Double.random(in: 0..<1, using: &random)
        let place = places[Int(share * share * Double(places.count))]
        let mark = place.isElsewhere && random.chance(150) ? "elsewhere" : nil
        let message = NewMessage(
          roomID: place.room, senderID: place.members[Int.random(in: 0..<2, using: &random)],
          clientID: ID(high: 0x7003, low: UInt64(index)), text: text.message(mark: mark, &random),
          createdAt: Self.start.adding(seconds: Int64(index) * 30))
        if index >= atOnce { try await group.next() }
        group.addTask { [store] in _ = try await store.append(message) }
        if index % 100_000 == 99_999 { print("  \(index + 1) messages after \(ContinuousClock.now - began)") }
      }
      try await group.waitForAll()
    }
    return Double(count) / ((ContinuousClock.now - began) / .seconds(1))
  }
}
