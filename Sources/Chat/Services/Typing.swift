import Base

/// Announces events that are not logged to connected clients; implemented by `Broker`.
package protocol Announcing: Sendable {
  /// Announces `event` to `audience` except `except`. Callable from any thread.
  func announce(_ event: Event, to audience: Audience, except: UserID?)
}

/// Typing indicators: announced to the other members, and ended by a timeout. Callable from any thread.
package final class Typing: Sendable {
  /// The timeout of an indicator that is not renewed.
  package static let lifetime = Duration.seconds(6)
  /// The minimum interval between announcements.
  package static let repetition = Duration.seconds(2)

  private struct Key: Hashable {
    let room: RoomID
    let user: UserID
  }

  private struct Entry {
    /// The call of `set` that created the entry; later calls supersede earlier ones.
    let turn: Int
    /// The members to notify; nil until the store has responded.
    var members: [UserID]?
    /// Changes of membership during the store's query, whose result may predate them.
    var changedTo: [UserID]?
    /// The time of the last announcement, monotonic.
    var toldAt: Duration?
    var expiry: (any ScheduledWork)?
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var turns = 0
  }

  private let store: any ChatStore
  private let broker: any Announcing
  private let clock: any ChatClock
  private let state = Lock(State())

  /// Typing indicators announced through `broker`.
  package init(store: any ChatStore, broker: any Announcing, clock: any ChatClock) {
    self.store = store
    self.broker = broker
    self.clock = clock
  }

  /// Starts or stops the typing indicator. Throws `ChatError.notFound` if the user is not a member.
  package func set(_ isTyping: Bool, in room: RoomID, by user: UserID) async throws {
    let key = Key(room: room, user: user)
    if isTyping { try await begin(key) } else { try await stop(key) }
  }

  /// Tracks changes of membership. Call it with each commit before publishing its events, so that a removed member
  /// receives no typing indicators after their `room.removed`. Callable from any thread.
  package func notice(_ events: [LoggedEvent]) {
    for event in events where event.name == "member.updated" {
      if case .members(let room, let members) = event.audience { change(room, members) }
    }
  }

  private func change(_ room: RoomID, _ members: [UserID]) {
    state.withLock { state in
      for key in state.entries.keys where key.room == room {
        if !members.contains(key.user), let entry = state.entries.removeValue(forKey: key) {
          entry.expiry?.cancel()
          if entry.toldAt != nil { tell(key, members, false) }
        } else {
          if state.entries[key]?.members != nil { state.entries[key]?.members = members }
          state.entries[key]?.changedTo = members
        }
      }
    }
  }

  private func begin(_ key: Key) async throws {
    let (turn, previous) = state.withLock { state in
      state.turns += 1
      let previous = state.entries[key]
      // Register at once, so that a stop that overtakes the store's response finds it.
      state.entries[key] = Entry(turn: state.turns, members: previous?.members, toldAt: previous?.toldAt)
      return (state.turns, previous)
    }
    previous?.expiry?.cancel()
    do {
      let members = try await store.memberIDs(of: key.room, for: key.user)
      proceed(key, turn: turn, members)
    } catch {
      drop(key, turn: turn)
      throw error
    }
  }

  /// Continues after the store has responded; the entry may belong to a later call by now.
  private func proceed(_ key: Key, turn: Int, _ members: [UserID]) {
    let now = clock.monotonic
    let expiry = clock.after(Typing.lifetime) { [weak self] in self?.drop(key, turn: turn) }
    let isCurrent = state.withLock { state in
      guard state.entries[key]?.turn == turn else { return false }
      let toldAt = state.entries[key]?.toldAt
      let isRepetition = toldAt.map { now - $0 < Typing.repetition } ?? false
      let members = state.entries[key]?.changedTo ?? members
      state.entries[key]?.members = members
      state.entries[key]?.expiry = expiry
      guard !isRepetition else { return true }
      state.entries[key]?.toldAt = now
      // Under the lock, so that another thread's stop is announced after it.
      tell(key, members, true)
      return true
    }
    if !isCurrent { expiry.cancel() }
  }

  private func stop(_ key: Key) async throws {
    if drop(key, turn: nil) { return }
    // There is nothing to stop, but outsiders must not see a success.
    _ = try await store.room(key.room, for: key.user)
  }

  /// Ends the entry of `turn`, or any entry; false if there is none.
  @discardableResult
  private func drop(_ key: Key, turn: Int?) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[key], turn == nil || entry.turn == turn else { return false }
      state.entries[key] = nil
      entry.expiry?.cancel()
      if entry.toldAt != nil, let members = entry.members { tell(key, members, false) }
      return entry.members != nil
    }
  }

  private func tell(_ key: Key, _ members: [UserID], _ isTyping: Bool) {
    broker.announce(
      .typing(roomID: key.room, userID: key.user, isTyping: isTyping), to: .members(key.room, members),
      except: key.user)
  }
}
