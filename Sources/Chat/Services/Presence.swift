/// Who is online (S6): whoever has an open event stream, or had one a moment ago, so that a reload does not flicker.
/// Callable from any thread.
public final class Presence: PresenceReading {
  /// A person came or went.
  public struct Change: Hashable, Sendable {
    /// Who.
    public let userID: UserID
    /// Whether he came.
    public let isOnline: Bool
    /// When his last stream closed; nil where he came.
    public let lastSeenAt: Timestamp?
  }

  private struct Entry {
    var streams: Int
    /// Counts the openings, so that an expiry that was cancelled too late knows it.
    var openings = 1
    var closedAt = Timestamp(milliseconds: 0)
    var expiry: (any ScheduledWork)?
  }

  private struct State {
    var entries: [UserID: Entry] = [:]
    var observer: (@Sendable (Change) -> Void)?
    /// Changes that the observer has not heard of, in order.
    var untold: [Change] = []
    var isTelling = false
  }

  private let clock: any ChatClock
  private let grace: Duration
  private let alwaysOnline: @Sendable (UserID) -> Bool
  /// Who hides: known here, since presence is most of what is hidden, and asked by whoever passes events on.
  let privacy = Privacy()
  private let state = Locked(State())

  /// Nobody is online, except for those of whom `alwaysOnline` says so (demo peers, X2); it must be quick. `grace` is
  /// how long a person without a stream stays online.
  public init(
    clock: any ChatClock, grace: Duration = .seconds(5),
    alwaysOnline: @escaping @Sendable (UserID) -> Bool = { _ in false }
  ) {
    self.clock = clock
    self.grace = grace
    self.alwaysOnline = alwaysOnline
  }

  /// Calls `observer` with each change, one at a time in order, on the thread that made it; set before the first stream.
  public func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.observer = observer }
  }

  /// Tells everyone of each change and keeps in the store when a person was last seen: how a program is put together.
  public func connect(to broker: any Announcing, store: any ChatStore) {
    observe { change in
      broker.announce(
        .presence(userID: change.userID, isOnline: change.isOnline, lastSeenAt: change.lastSeenAt), to: .everyone,
        except: nil)
      guard let lastSeenAt = change.lastSeenAt else { return }
      // What is lost when the store cannot take it is a time of day that the next visit renews.
      Task { try? await store.recordLastSeen(change.userID, at: lastSeenAt) }
    }
  }

  /// Whether the person is here, as everybody may see it: never, of who hides it.
  public func isOnline(_ id: UserID) -> Bool { isHere(id) && showsLastSeen(id) }

  /// Whether the person lets others see when he is, and was last, here.
  public func showsLastSeen(_ id: UserID) -> Bool { !privacy.hidden.lastSeen.contains(id) }

  /// Whether the person has a stream, or had one within the grace.
  func isHere(_ id: UserID) -> Bool {
    state.withLock { $0.entries[id] != nil } || alwaysOnline(id)
  }

  /// Tells everybody of a person as if he came or went: he has changed what he shows.
  func tellAnew(_ user: UserID) {
    let isAlwaysHere = alwaysOnline(user)
    state.withLock { state in
      let isOnline = showsLastSeen(user) && (isAlwaysHere || state.entries[user] != nil)
      state.untold.append(Change(userID: user, isOnline: isOnline, lastSeenAt: nil))
    }
    tell()
  }

  /// A stream of the person has opened. The broker calls this.
  public func opened(_ user: UserID) {
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
  public func closed(_ user: UserID) {
    let closedAt = clock.now
    state.withLock { state in
      guard let entry = state.entries[user], entry.streams > 0 else { return }
      state.entries[user]?.streams = entry.streams - 1
      guard entry.streams == 1 else { return }
      state.entries[user]?.closedAt = closedAt
      state.entries[user]?.expiry = clock.after(grace) { [weak self] in
        self?.expire(user, openings: entry.openings)
      }
    }
  }

  private func expire(_ user: UserID, openings: Int) {
    state.withLock { state in
      guard let entry = state.entries[user], entry.streams == 0, entry.openings == openings else { return }
      state.entries[user] = nil
      state.untold.append(Change(userID: user, isOnline: false, lastSeenAt: entry.closedAt))
    }
    tell()
  }

  /// Tells outside of the lock, since the observer may ask who is online; one thread at a time, so that nobody is told
  /// "gone" before "here".
  private func tell() {
    while true {
      let next = state.withLock { state -> (Change, (@Sendable (Change) -> Void)?)? in
        guard !state.isTelling else { return nil }
        // Of who hides, nobody hears that he comes, or when he went, and it is not kept either.
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
