/// Who may make an account (A3).
public enum RegistrationMode: String, Hashable, Sendable, CaseIterable {
  /// Anybody.
  case open
  /// Whoever holds an invite.
  case invite
  /// Whoever signs in with GitHub.
  case github
  /// Nobody.
  case closed
}

/// What a sign-in or sign-up gives: the only moment at which the secret is known outside the browser.
public struct SignedIn: Sendable {
  /// The person.
  public let ownUser: OwnUser
  /// The new session.
  public let session: Session
  /// What the cookie carries.
  public let secret: String
}

/// Signing up, in and out, sessions and the profile (A2–A5). Callable from any thread; all errors are `ChatError`.
public final class Accounts: Sendable {
  /// How long a session lasts: 180 days, in seconds.
  public static let sessionLifetime: Int64 = 180 * 86_400

  /// What the caller of a sign-up or sign-in is, for the list of sessions and for the throttle.
  struct Caller {
    var userAgent: String
    var address: String
  }

  /// Inviting people.
  public let invitations: Invitations
  let store: any ChatStore
  let passwords: any PasswordHashing
  let presence: Presence
  let limits: SignInLimits?
  let onSessionEnded: @Sendable (SessionID) -> Void
  let secrets: any SecretSource
  let clock: any ChatClock
  let registration: RegistrationMode
  /// Who has signed in with GitHub just now.
  let recent: RecentSessions

  /// Accounts over a store. `presence` hears who hides from whom. `throttle` nil lets everybody guess at will (load
  /// tests). `onSessionEnded` is called after a session's end is on disk, to close its streams (SECURITY 9)
  /// and forget what is kept for it: `Broker.endSession`, `PushNotifications.sessionEnded`.
  public init(
    store: any ChatStore, passwords: any PasswordHashing, secrets: any SecretSource, presence: Presence,
    clock: any ChatClock, registration: RegistrationMode = .open, throttle: Throttle.Limits? = Throttle.Limits(),
    onSessionEnded: @escaping @Sendable (SessionID) -> Void
  ) {
    self.store = store
    self.presence = presence
    self.passwords = passwords
    self.secrets = secrets
    self.clock = clock
    self.registration = registration
    invitations = Invitations(store: store, secrets: secrets, clock: clock, registration: registration)
    self.onSessionEnded = onSessionEnded
    recent = RecentSessions(clock: clock)
    limits = throttle.map { SignInLimits($0, clock: clock) }
  }

  /// Makes an account and signs it in. `address` is the peer of the connection (for IPv6 its /64), never a header's
  /// word. `invitation` is a token: needed where registration is by invite. Throws `.invalid` with every wrong field,
  /// `taken` at `email` and why at `invitation` included; `.forbidden` where registration is closed, or by invite
  /// and there is none; `.rateLimited` after many wrong sign-ins, as which a taken address counts: it tells who is here.
  public func signUp(
    email: String, password: String, firstName: String, lastName: String, invitation: String? = nil, userAgent: String,
    address: String
  ) async throws -> SignedIn {
    guard registration == .open || registration == .invite && invitation != nil else {
      throw ChatError.forbidden(Accounts.refusal(of: registration))
    }
    try limits?.check(account: nil, address: address)
    let checked = try AccountRules.check(email: email, password: password, firstName: firstName, lastName: lastName)
    let invitationHash = invitation.map { secrets.hash($0) }
    // Looked at before the work on the password, and once more when it is used.
    if let invitationHash { try await checkInvitation(invitationHash, address: address) }
    let hash = try await passwords.hash(checked.password)
    let now = clock.now
    let account = NewAccount(
      id: UserID(at: now), email: checked.email, passwordHash: hash, firstName: checked.firstName,
      lastName: checked.lastName, createdAt: now, invitation: invitationHash)
    do {
      return try await startSession(of: store.createAccount(account), userAgent: userAgent)
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(account: nil, address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Throws `.invalid` at `invitation` where nobody can sign up with it.
  func checkInvitation(_ hash: [UInt8], address: String) async throws {
    let refusal: FieldError
    do {
      let found = try await store.invitation(secretHash: hash, at: clock.now)
      guard try await !invitations.makesAccounts(found) else { return }
      refusal = FieldError(
        field: "invitation", code: "invalid",
        detail: "This invitation leads into a group only. For an account here, ask an admin for one.")
    } catch ChatError.notFound {
      refusal = Invitation.unknown
    } catch ChatError.over(let error) {
      refusal = error
    }
    limits?.recordFailure(account: nil, address: address)
    throw ChatError.invalid([refusal])
  }

  /// Signs in with a new session, whatever session the browser had (SECURITY 1). Unknown address and wrong password are
  /// the same `.unauthenticated` after the same work (SECURITY 7); after 20 wrong ones of an account or from an address
  /// `.rateLimited` until one is forgotten (SECURITY 6). `address` as for `signUp`.
  public func signIn(email: String, password: String, userAgent: String, address: String) async throws -> SignedIn {
    try Accounts.requireBoth(email: email, password: password)
    let canonical = AccountRules.canonicalEmail(email)
    let account = canonical ?? Text.prefix(of: email, 254)
    try limits?.check(account: account, address: address)

    var credentials: Credentials?
    if let canonical { credentials = try await store.credentials(email: canonical) }
    let isRight = try await verify(password, against: credentials?.passwordHash)

    // Others may have failed while this one was computed: the answer to a guess beyond the limit is never told, or many
    // guesses sent at once would all count.
    try limits?.check(account: account, address: address)
    guard isRight, let credentials, let ownUser = try await store.ownUser(credentials.userID) else {
      limits?.recordFailure(account: account, address: address)
      throw ChatError.unauthenticated
    }
    limits?.reset(account: account)
    // Where the password was changed meanwhile, this is a sign-in with an old one.
    return try await startSession(of: ownUser, userAgent: userAgent, passwordHash: credentials.passwordHash)
  }

  /// The valid session whose cookie carries `secret`, or nil. Once an hour it is noted that it was used.
  public func session(secret: String) async throws -> Session? {
    let now = clock.now
    guard let session = try await store.session(secretHash: secrets.hash(secret), at: now) else { return nil }
    if now >= session.lastUsedAt.adding(seconds: Session.useInterval) {
      // For the list of sessions only: a full disk must not keep anybody from reading.
      try? await store.recordUse(of: session.id, at: now)
    }
    return session
  }

  /// Ends a session; its streams are told and closed.
  public func signOut(_ session: Session) async throws {
    _ = try await store.deleteSession(session.id, of: session.userID)
    onSessionEnded(session.id)
  }

  /// A person's valid sessions, newest first.
  public func sessions(of user: UserID) async throws -> [Session] {
    try await store.sessions(of: user, at: clock.now)
  }

  /// Ends one session of a person. Throws `.notFound` where he has none with this id.
  public func endSession(_ id: SessionID, of user: UserID) async throws {
    guard try await store.deleteSession(id, of: user) else { throw ChatError.notFound }
    onSessionEnded(id)
  }

  /// Ends all sessions of a session's person but this one.
  public func endOtherSessions(of session: Session) async throws {
    for id in try await store.deleteSessions(of: session.userID, except: session.id) { onSessionEnded(id) }
  }

  /// A person with his private side. Throws `.notFound`.
  public func ownUser(_ id: UserID) async throws -> OwnUser {
    guard let ownUser = try await store.ownUser(id) else { throw ChatError.notFound }
    return ownUser
  }

  /// Changes the names that are given; every open browser hears of it (A4).
  public func rename(_ id: UserID, firstName: String?, lastName: String?) async throws -> OwnUser {
    let current = try await ownUser(id)
    let names = try AccountRules.checkNames(
      first: firstName ?? current.user.firstName, last: lastName ?? current.user.lastName)
    guard names != (current.user.firstName, current.user.lastName) else { return current }
    return try await store.rename(id, firstName: names.first, lastName: names.last)
  }

  /// Whether `password` fits `hash`; one that is too long for any account costs as much as others.
  func verify(_ password: String, against hash: String?) async throws -> Bool {
    let isTooLong = password.unicodeScalars.count > AccountRules.longestPassword
    return try await passwords.verify(isTooLong ? "" : password, against: isTooLong ? nil : hash)
  }

  func startSession(
    of ownUser: OwnUser, userAgent: String, passwordHash: String? = nil
  ) async throws -> SignedIn {
    let secret = secrets.makeSecret()
    let now = clock.now
    let session = Session(
      id: SessionID(at: now), userID: ownUser.user.id, secretHash: secrets.hash(secret), createdAt: now,
      expiresAt: now.adding(seconds: Accounts.sessionLifetime), userAgent: Accounts.cleaned(userAgent))
    try await store.createSession(session, passwordHash: passwordHash)
    return SignedIn(ownUser: ownUser, session: session, secret: secret)
  }

  private static func requireBoth(email: String, password: String) throws(ChatError) {
    var errors: [FieldError] = []
    if Text.isBlank(email) {
      errors.append(FieldError(field: "email", code: "required", detail: "Enter your email address."))
    }
    if password.isEmpty {
      errors.append(FieldError(field: "password", code: "required", detail: "Enter your password."))
    }
    guard errors.isEmpty else { throw .invalid(errors) }
  }

  private static func cleaned(_ userAgent: String) -> String {
    String(String.UnicodeScalarView(userAgent.unicodeScalars.lazy.filter { !Text.isUnfitForNames($0) }.prefix(200)))
  }

  static func refusal(of mode: RegistrationMode) -> String {
    switch mode {
    case .open, .closed: "Registration is closed on this Hubbub."
    case .invite: "Registration on this Hubbub needs an invite."
    case .github: "Accounts on this Hubbub are made by signing in with GitHub."
    }
  }
}
