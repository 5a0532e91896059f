/// Signing in by GitHub's word, and linking that to an account (A1, A6, D7). Nothing here has ever seen a token.
extension Accounts {
  /// What a sign-in with GitHub gives.
  public struct GitHubSignedIn: Sendable {
    /// The person and the new session.
    public let signedIn: SignedIn
    /// Whether the account was made now.
    public let isNew: Bool
    /// The room that its invitation led into.
    public let roomID: RoomID?
  }

  /// Throws `.rateLimited` after many failures from an address: before GitHub is asked for anything.
  public func checkGitHubTries(from address: String) throws(ChatError) {
    try limits?.check(account: nil, address: address)
  }

  /// Counts a try that led nowhere, as a wrong password from this address.
  public func recordFailedGitHubTry(from address: String) {
    limits?.recordFailure(account: nil, address: address)
  }

  /// Signs in who GitHub says it is, with a new session (SECURITY 1). Who has no account gets one where registration
  /// allows it; `invitation` is a token, needed where it is by invite. Throws `.invalid` at `registration` with `closed` or
  /// `invite`, or at `invitation` with what is wrong with it; `.rateLimited`.
  public func signInWithGitHub(
    _ account: GitHubAccount, invitation: String?, userAgent: String, address: String
  ) async throws -> GitHubSignedIn {
    let entrance = try await enter(account, invitation: invitation, address: address)
    let signedIn = try await startSession(of: entrance.own, userAgent: userAgent)
    recent.note(signedIn.session.id)
    return GitHubSignedIn(signedIn: signedIn, isNew: entrance.isNew, roomID: entrance.roomID)
  }

  private func enter(
    _ account: GitHubAccount, invitation: String?, address: String
  ) async throws -> GitHubEntrance {
    let hash = invitation.map { secrets.hash($0) }
    func arrival(_ door: GitHubArrival.Door) -> GitHubArrival {
      let now = clock.now
      return GitHubArrival(account: account, newID: UserID(at: now), door: door, time: now)
    }
    switch registration {
    case .open, .github:
      return try await store.enter(arrival(.open(invitation: hash)))
    case .invite, .closed:
      // Whoever has an account needs no invitation.
      do { return try await store.enter(arrival(.shut)) } catch ChatError.notFound {}
      guard registration == .invite else { throw Accounts.refused("closed", registration) }
      guard let hash else { throw Accounts.refused("invite", registration) }
      try limits?.check(account: nil, address: address)
      try await checkInvitation(hash, address: address)
      return try await store.enter(arrival(.invitation(hash)))
    }
  }

  /// Gives a person's account this GitHub account, with the chats that waited for it. Throws `.invalid` at `github` with
  /// `taken` or `linked`.
  public func linkGitHub(_ account: GitHubAccount, to user: UserID) async throws -> OwnUser {
    try await store.linkGitHub(account, to: user, at: clock.now)
  }

  /// Takes the GitHub account from a person. Throws `.conflict` with what to do first where it is the only way in.
  public func unlinkGitHub(of user: UserID) async throws -> OwnUser {
    try await store.unlinkGitHub(of: user)
  }

  /// Gives the first address to the person of a session that has signed in just now. Throws `.forbidden` for an older
  /// session, `.invalid` at `email`; a taken address counts as in `changeEmail`.
  func setFirstEmail(_ email: String, of session: Session, address: String) async throws -> OwnUser {
    try requireRecent(session)
    try limits?.check(account: nil, address: address)
    do {
      return try await store.setFirstEmail(email, of: session.userID)
    } catch ChatError.unauthenticated {
      throw Accounts.hasPassword("password")
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(account: nil, address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Gives the first password to the person of a session that has signed in just now, and ends all others. Throws as
  /// above.
  func setFirstPassword(_ new: String, of session: Session) async throws {
    try requireRecent(session)
    let hash = try await passwords.hash(new)
    do {
      for id in try await store.setFirstPassword(hash, of: session.userID, keeping: session.id) { onSessionEnded(id) }
    } catch ChatError.unauthenticated {
      throw Accounts.hasPassword("current")
    }
  }

  /// Whoever finds an open browser must not make himself a way in that lasts.
  private func requireRecent(_ session: Session) throws(ChatError) {
    guard recent.contains(session.id) else {
      throw .forbidden("Sign in with GitHub once more: this is for who has done so within fifteen minutes.")
    }
  }

  /// Another browser was faster: from now on a password is asked for.
  private static func hasPassword(_ field: String) -> ChatError {
    .invalid([FieldError(field: field, code: "required", detail: "This account has a password. Enter it.")])
  }

  private static func refused(_ code: String, _ mode: RegistrationMode) -> ChatError {
    .invalid([FieldError(field: "registration", code: code, detail: refusal(of: mode))])
  }
}

/// Which sessions were begun a short while ago, by time that never jumps: a clock that is put back makes no old session
/// young (SECURITY 20). Kept in memory, so that after a restart one signs in once more.
final class RecentSessions: Sendable {
  /// For how long a session is recent.
  static let age = Duration.seconds(15 * 60)
  /// How many are kept; beyond, the oldest go.
  private static let limit = 16_384

  private let clock: any ChatClock
  private let begun = Locked<[SessionID: Duration]>([:])

  init(clock: any ChatClock) { self.clock = clock }

  /// A session begins.
  func note(_ id: SessionID) {
    let now = clock.monotonic
    begun.withLock { begun in
      if begun.count >= RecentSessions.limit { begun = begun.filter { now - $0.value < RecentSessions.age } }
      if begun.count >= RecentSessions.limit, let oldest = begun.min(by: { $0.value < $1.value }) {
        begun[oldest.key] = nil
      }
      begun[id] = now
    }
  }

  /// Whether a session was begun within the last fifteen minutes.
  func contains(_ id: SessionID) -> Bool {
    guard let moment = begun.withLock({ $0[id] }) else { return false }
    return clock.monotonic - moment < RecentSessions.age
  }
}
