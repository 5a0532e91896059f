/// Whoever can tell an event that is not logged to those who are connected; `Broker` in life.
public protocol Announcing: Sendable {
  /// Tells `event` to `audience` without `except`. Callable from any thread.
  func announce(_ event: Event, to audience: Audience, except: UserID?)
}

/// Who is typing (S6): told to the other members, and over by itself. Callable from any thread.
public final class Typing: Sendable {
  /// How long typing lasts unless it is said again.
  public static let lifetime = Duration.seconds(6)
  /// How long "is typing" is not repeated to the others.
  public static let repetition = Duration.seconds(2)

  private struct Key: Hashable {
    let room: RoomID
    let user: UserID
  }

  private struct Entry {
    /// Which call of `set` the entry belongs to: later ones make earlier ones void.
    let turn: Int
    /// The members who are told; nil until the store has answered.
    var members: [UserID]?
    /// Who is in since the room's members changed while the store was asked, whose answer may be from before.
    var changedTo: [UserID]?
    /// When the others were last told, by the monotonic clock.
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
  private let state = Locked(State())

  /// Typing told through `broker`.
  public init(store: any ChatStore, broker: any Announcing, clock: any ChatClock) {
    self.store = store
    self.broker = broker
    self.clock = clock
  }

  /// Begins or stops. Throws `ChatError.notFound` for whoever is not a member.
  public func set(_ isTyping: Bool, in room: RoomID, by user: UserID) async throws {
    let key = Key(room: room, user: user)
    if isTyping { try await begin(key) } else { try await stop(key) }
  }

  /// Takes note of who came into rooms and who is out: to be called with each commit before its events are told, so that
  /// whoever reads that he is out hears of nobody's typing any more (SECURITY 9). Callable from any thread.
  public func notice(_ events: [LoggedEvent]) {
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
      // Known at once, so that a stop that overtakes the store's answer finds something to stop.
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

  /// After the store has answered: the entry may belong to a later call by now.
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
      // Under the lock, so that a stop of another thread is told after it.
      tell(key, members, true)
      return true
    }
    if !isCurrent { expiry.cancel() }
  }

  private func stop(_ key: Key) async throws {
    if drop(key, turn: nil) { return }
    // Nothing to stop; still an outsider must not be told that all is well.
    _ = try await store.room(key.room, for: key.user)
  }

  /// Ends what `turn` began, or whatever there is; false if there was nothing.
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
