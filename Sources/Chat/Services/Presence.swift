import Base

/// Who is online: everyone with an open event stream, or with one that closed a moment ago, so that a reload does not
/// flicker. Callable from any thread.
package final class Presence: Sendable {
  /// A person came online or went offline.
  package struct Change: Hashable, Sendable {
    package let userID: UserID
    package let isOnline: Bool
    /// When their last stream closed; nil if they came online.
    package let lastSeenAt: Timestamp?
  }

  private struct Entry {
    var streams: Int
    /// Counts the openings, so that an expiry cancelled too late has no effect.
    var openings = 1
    var closedAt = Timestamp(milliseconds: 0)
    var expiry: (any ScheduledWork)?
  }

  private struct State {
    var entries: [UserID: Entry] = [:]
    var observer: (@Sendable (Change) -> Void)?
    /// Changes not yet passed to the observer, in order.
    var untold: [Change] = []
    var isTelling = false
  }

  private let clock: any ChatClock
  private let grace: Duration
  private let alwaysOnline: @Sendable (UserID) -> Bool
  /// Who hides their presence. Kept here for the code that delivers events.
  let privacy = Privacy()
  private let state = Lock(State())

  /// Initially nobody is online, except those for whom `alwaysOnline` (demo peers), which must be fast, returns true.
  /// `grace` is how long a person without a stream stays online.
  package init(
    clock: any ChatClock, grace: Duration = .seconds(5),
    alwaysOnline: @escaping @Sendable (UserID) -> Bool = { _ in false }
  ) {
    self.clock = clock
    self.grace = grace
    self.alwaysOnline = alwaysOnline
  }

  /// Calls `observer` with each change, one at a time in order, on the thread that caused it. Set it before the first
  /// stream.
  package func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.observer = observer }
  }

  /// Announces each change to everyone, and stores when people were last seen; for the composition root.
  package func connect(to broker: any Announcing, store: any ChatStore) {
    let lastSeen = LastSeenWriter { try await store.recordLastSeen($0) }
    observe { change in
      broker.announce(
        .presence(userID: change.userID, isOnline: change.isOnline, lastSeenAt: change.lastSeenAt), to: .everyone,
        except: nil)
      if let lastSeenAt = change.lastSeenAt { lastSeen.record(change.userID, at: lastSeenAt) }
    }
  }

  /// Whether the person appears online; never if they hide it.
  package func isOnline(_ id: UserID) -> Bool { isHere(id) && showsLastSeen(id) }

  /// Whether the person shows when they are, and were last, online.
  package func showsLastSeen(_ id: UserID) -> Bool { !privacy.hides(id) }

  /// Whether the person has a stream, or had one within the grace period.
  func isHere(_ id: UserID) -> Bool {
    state.withLock { $0.entries[id] != nil } || alwaysOnline(id)
  }

  /// All people with a stream, or who had one within the grace, in no particular order.
  var everybodyHere: [UserID] { state.withLock { Array($0.entries.keys) } }

  /// Announces a person as if they came or went, because they changed their settings.
  func tellAnew(_ user: UserID) {
    let isAlwaysHere = alwaysOnline(user)
    state.withLock { state in
      let isOnline = showsLastSeen(user) && (isAlwaysHere || state.entries[user] != nil)
      state.untold.append(Change(userID: user, isOnline: isOnline, lastSeenAt: nil))
    }
    tell()
  }

  /// A stream of the person has opened. The broker calls this.
  package func opened(_ user: UserID) {
    let expiry = state.withLock { state in
      guard let entry = state.entries[user] else {
        state.entries[user] = Entry(streams: 1)
        state.untold.append(Change(userID: user, isOnline: true, lastSeenAt: nil))
        return nil as (any ScheduledWork)?
      }
      state.entries[user]?.streams += 1
      state.entries[user]?.openings += 1
      state.entries[user]?.expiry = nil
      return entry.expiry
    }
    expiry?.cancel()
    tell()
  }

  /// A stream of the person has closed. The broker calls this.
  package func closed(_ user: UserID) {
    let closedAt = clock.now
    let openings: Int? = state.withLock { state in
      guard let entry = state.entries[user], entry.streams > 0 else { return nil }
      state.entries[user]?.streams = entry.streams - 1
      guard entry.streams == 1 else { return nil }
      state.entries[user]?.closedAt = closedAt
      return entry.openings
    }
    guard let openings else { return }
    // The clock has a lock of its own. It calls back, so it must not be called under this lock.
    let expiry = clock.after(grace) { [weak self] in self?.expire(user, openings: openings) }
    let isStale = state.withLock { state in
      guard let entry = state.entries[user], entry.streams == 0, entry.openings == openings else { return true }
      state.entries[user]?.expiry = expiry
      return false
    }
    if isStale { expiry.cancel() }
  }

  private func expire(_ user: UserID, openings: Int) {
    state.withLock { state in
      guard let entry = state.entries[user], entry.streams == 0, entry.openings == openings else { return }
      state.entries[user] = nil
      state.untold.append(Change(userID: user, isOnline: false, lastSeenAt: entry.closedAt))
    }
    tell()
  }

  /// Calls the observer outside the lock, since it may ask who is online; one thread at a time, so that nobody hears
  /// "gone" before "here".
  private func tell() {
    while true {
      let next = state.withLock { state -> (Change, (@Sendable (Change) -> Void)?)? in
        guard !state.isTelling else { return nil }
        // For people who hide their presence, nothing is announced or stored.
        while let next = state.untold.first, next.isOnline || next.lastSeenAt != nil, !showsLastSeen(next.userID) {
          state.untold.removeFirst()
        }
        guard !state.untold.isEmpty else { return nil }
        state.isTelling = true
        return (state.untold.removeFirst(), state.observer)
      }
      guard let (change, observer) = next else { return }
      observer?(change)
      state.withLock { $0.isTelling = false }
    }
  }
}
