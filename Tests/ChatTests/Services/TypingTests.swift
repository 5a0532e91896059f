import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Typing indicators", .shows("S6"))
struct TypingTests {
  private let clock = ManualClock()
  private let told = Announcements()
  private let lane = ManualLane()
  private let door = Door()
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)
  private let room: RoomID = id(9)

  private func typing() async throws -> Typing {
    let store = InMemoryStore(gate: { [door] in await door.pass() })
    for (person, name) in [(ada, "Ada"), (bob, "Bob"), (id(3), "Eve")] {
      _ = try await store.createAccount(
        NewAccount(
          id: person, email: name, passwordHash: "", firstName: name, lastName: "", createdAt: clock.now))
    }
    _ = try await store.openDirectRoom(of: ada, with: bob, newID: room, at: clock.now)
    return Typing(store: store, broker: told, clock: clock)
  }

  private var flags: [Bool] { told.entries.value.map { $0.json.hasSuffix(#""typing":true}"#) } }

  @Test("are announced to the other members, and end when stopped or when the message is sent")
  func startAndStop() async throws {
    let typing = try await typing()
    try await typing.set(true, in: room, by: ada)
    try await typing.set(false, in: room, by: ada)
    try await typing.set(false, in: room, by: ada)
    #expect(flags == [true, false])
    #expect(told.entries.value.allSatisfy { $0.audience == .members(room, [ada, bob]) && $0.except == ada })
    #expect(clock.waiting == 0)
  }

  @Test("end after 6 seconds")
  func expires() async throws {
    let typing = try await typing()
    try await typing.set(true, in: room, by: ada)
    clock.advance(by: .milliseconds(5999))
    #expect(flags == [true])
    clock.advance(by: .milliseconds(1))
    #expect(flags == [true, false])
  }

  @Test("a repetition within 2 seconds extends the indicator without an announcement")
  func repetition() async throws {
    let typing = try await typing()
    try await typing.set(true, in: room, by: ada)
    clock.advance(by: .milliseconds(1999))
    try await typing.set(true, in: room, by: ada)
    #expect(flags == [true])
    clock.advance(by: .milliseconds(5000))
    #expect(flags == [true])
    try await typing.set(true, in: room, by: ada)
    #expect(flags == [true, true])
    clock.advance(by: .seconds(6))
    #expect(flags == [true, true, false])
    #expect(clock.waiting == 0)
  }

  @Test("an outsider gets not found, and nobody is notified", .shows("control 8"))
  func outsider() async throws {
    let typing = try await typing()
    await #expect(throws: ChatError.notFound) { try await typing.set(true, in: room, by: id(3)) }
    await #expect(throws: ChatError.notFound) { try await typing.set(false, in: room, by: id(3)) }
    #expect(flags.isEmpty && clock.waiting == 0)
  }

  @Test("a stop that overtakes the start's store query wins")
  func overtaken() async throws {
    let typing = try await typing()
    door.close()
    let room = room, ada = ada
    for flag in [true, false] {
      Task(executorPreference: lane) { try await typing.set(flag, in: room, by: ada) }
    }
    lane.drain()
    door.open()
    lane.drain()
    #expect(flags.isEmpty && clock.waiting == 0)
  }

  @Test("of two concurrent starts one is announced")
  func twice() async throws {
    let typing = try await typing()
    door.close()
    let room = room, ada = ada
    for _ in 0..<2 { Task(executorPreference: lane) { try await typing.set(true, in: room, by: ada) } }
    lane.drain()
    door.open()
    lane.drain()
    #expect(flags == [true] && clock.waiting == 1)
  }
}
