import Base

/// GitHub sign-in and account linking. No token reaches this code.
extension Accounts {
  /// The result of a sign-in with GitHub.
  package struct GitHubSignedIn: Sendable {
    /// The person and the new session.
    package let signedIn: SignedIn
    /// Whether the account is new.
    package let isNew: Bool
    /// The room that the invitation led into.
    package let roomID: RoomID?
  }

  /// Throws `.rateLimited` after many failures from an address, before any request to GitHub.
  package func checkGitHubTries(from address: String) throws(ChatError) {
    try limits?.check(address: address)
  }

  /// Counts a failed attempt like a wrong password from this address.
  package func recordFailedGitHubTry(from address: String) {
    limits?.recordFailure(address: address)
  }

  /// Signs in the person identified by GitHub with a new session. Creates an account if registration allows it;
  /// `invitation` is a token, required if registration is by invite. Throws `.invalid` at `registration` (`closed`,
  /// `invite`) or at `invitation`, or `.rateLimited`.
  package func signInWithGitHub(
    _ account: GitHubAccount, invitation: String?, userAgent: String, address: String
  ) async throws -> GitHubSignedIn {
    let entrance = try await enter(account, invitation: invitation, address: address)
    let signedIn = try await startSession(of: entrance.own, userAgent: userAgent)
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
      // An existing account needs no invitation.
      do { return try await store.enter(arrival(.shut)) } catch ChatError.notFound {}
      guard registration == .invite else { throw Accounts.refused("closed", registration) }
      guard let hash else { throw Accounts.refused("invite", registration) }
      try limits?.check(address: address)
      try await checkInvitation(hash, address: address)
      return try await store.enter(arrival(.invitation(hash)))
    }
  }

  /// Links a GitHub account, with the chats that waited for it. Throws `.invalid` at `github` (`taken`, `linked`).
  package func linkGitHub(_ account: GitHubAccount, to user: UserID) async throws -> OwnUser {
    try await store.linkGitHub(account, to: user, at: clock.now)
  }

  /// Unlinks the GitHub account. Throws `.conflict` if it is the only way to sign in.
  package func unlinkGitHub(of user: UserID) async throws -> OwnUser {
    try await store.unlinkGitHub(of: user)
  }

  /// Sets the first email address of an account without a password. Throws `.forbidden` unless the session is recent,
  /// `.invalid` at `email`; a taken address counts as in `changeEmail`.
  func setFirstEmail(_ email: String, of session: Session, address: String) async throws -> OwnUser {
    try requireRecent(session)
    try limits?.check(address: address)
    do {
      return try await store.setFirstEmail(email, of: session.userID)
    } catch ChatError.unauthenticated {
      throw Accounts.hasPassword("password")
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Sets the first password of an account, for a session that has just signed in, and ends all other sessions. Throws
  /// as above.
  func setFirstPassword(_ new: String, of session: Session, address: String) async throws -> String {
    try requireRecent(session)
    let hash = try await passwords.hash(new, for: address)
    do {
      for id in try await store.setFirstPassword(hash, of: session.userID, keeping: session.id) { onSessionEnded(id) }
      return hash
    } catch ChatError.unauthenticated {
      throw Accounts.hasPassword("current")
    }
  }

  /// Confirms that a session is used by its person, and not by somebody who found an open browser and wants to add a
  /// lasting way in. A session younger than fifteen minutes needs nothing more; an older one needs the password. Throws
  /// `.invalid` at `password` with `required` or `wrong`, `.rateLimited`, and `.forbidden` if the account has no
  /// password.
  package func confirm(
    _ session: Session, password: String, address: String, device: String? = nil
  ) async throws {
    if recent.contains(session.id) { return }
    guard try await ownUser(session.userID).hasPassword else { throw Accounts.notRecent }
    guard !password.isEmpty else { throw ChatError.invalid(Accounts.required(password, "password")) }
    _ = try await prove(password, of: session.userID, field: "password", address: address, device: device)
  }

  private func requireRecent(_ session: Session) throws(ChatError) {
    guard recent.contains(session.id) else { throw Accounts.notRecent }
  }

  private static let notRecent = ChatError.forbidden(
    "Sign in with GitHub once more: this is allowed for fifteen minutes after a sign-in.")

  /// Another browser was faster: from now on a password is required.
  private static func hasPassword(_ field: String) -> ChatError {
    .invalid([FieldError(field: field, code: "required", detail: "This account has a password. Enter it.")])
  }

  private static func refused(_ code: String, _ mode: RegistrationMode) -> ChatError {
    .invalid([FieldError(field: "registration", code: code, detail: refusal(of: mode))])
  }
}

/// Recent sign-ins, in monotonic time, so that setting the clock back does not make an old session recent. Kept in
/// memory: after a restart, people must sign in again.
final class RecentSessions: Sendable {
  /// The maximum number of entries; beyond, the oldest are dropped.
  private static let limit = 16_384

  private let clock: any ChatClock
  private let begun = Lock<[SessionID: Duration]>([:])

  init(clock: any ChatClock) { self.clock = clock }

  /// Records a new session.
  func note(_ id: SessionID) {
    let now = clock.monotonic
    begun.withLock { begun in
      if begun.count >= RecentSessions.limit { begun = begun.filter { now - $0.value < AccountRules.recentSession } }
      if begun.count >= RecentSessions.limit, let oldest = begun.min(by: { $0.value < $1.value }) {
        begun[oldest.key] = nil
      }
      begun[id] = now
    }
  }

  /// Whether a session is recent.
  func contains(_ id: SessionID) -> Bool {
    guard let moment = begun.withLock({ $0[id] }) else { return false }
    return clock.monotonic - moment < AccountRules.recentSession
  }
}
