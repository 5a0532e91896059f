/// Who may create an account.
package enum RegistrationMode: String, Hashable, Sendable, CaseIterable {
  /// Anyone.
  case open
  /// People with an invitation.
  case invite
  /// People who sign in with GitHub.
  case github
  /// Nobody.
  case closed
}

/// The result of a sign-in or sign-up, and the only time the secret exists outside the browser.
package struct SignedIn: Sendable {
  /// The person.
  package let ownUser: OwnUser
  /// The new session.
  package let session: Session
  /// The secret for the cookie.
  package let secret: String
  /// The token that exempts this device from the throttling of strangers' guesses; nil without a password.
  package var device: String?
}

/// Signing up, in and out, sessions and the profile. Callable from any thread; all errors are `ChatError`.
package final class Accounts: Sendable {
  /// The client of a sign-up or sign-in, for the list of sessions and the throttle.
  struct Caller {
    var userAgent: String
    var address: String
  }

  package let invitations: Invitations
  let store: any ChatStore
  let passwords: any PasswordHashing
  let presence: Presence
  let limits: SignInLimits?
  let onSessionEnded: @Sendable (SessionID) -> Void
  let secrets: any SecretSource
  let clock: any ChatClock
  let registration: RegistrationMode
  /// The sessions that began within the last minutes.
  let recent: RecentSessions

  /// Accounts in a store. `presence` receives changes of privacy settings. A nil `throttle` disables throttling, for
  /// load tests. `onSessionEnded` runs after a session's end is on disk, to close its streams and drop its state:
  /// `Broker.endSession`, `PushNotifications.sessionEnded`.
  package init(
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

  /// Creates an account and signs it in. `address` is the client's address (for IPv6 its /64). `invitation` is a token,
  /// required if registration is by invite. Throws `.invalid` with every wrong field, including `taken` at `email` and
  /// the reason at `invitation`; `.forbidden` if registration is closed or the invitation is missing; `.rateLimited`
  /// after many failed sign-ins. A taken address counts as a failed sign-in, since it reveals who has an account.
  package func signUp(
    email: String, password: String, firstName: String, lastName: String, invitation: String? = nil, userAgent: String,
    address: String
  ) async throws -> SignedIn {
    guard registration == .open || registration == .invite && invitation != nil else {
      throw ChatError.forbidden(Accounts.refusal(of: registration))
    }
    try limits?.check(address: address)
    let checked = try AccountRules.check(email: email, password: password, firstName: firstName, lastName: lastName)
    let invitationHash = invitation.map { secrets.hash($0) }
    // Checks the invitation before hashing the password; using it checks again.
    if let invitationHash { try await checkInvitation(invitationHash, address: address) }
    let slot = try limits?.signUp(address: address)
    let hash: String
    do {
      hash = try await passwords.hash(checked.password, for: address)
    } catch {
      slot?.giveBack()
      throw error
    }
    let now = clock.now
    let account = NewAccount(
      id: UserID(at: now), email: checked.email, passwordHash: hash, firstName: checked.firstName,
      lastName: checked.lastName, createdAt: now, invitation: invitationHash)
    do {
      return try await startSession(of: store.createAccount(account), userAgent: userAgent, passwordHash: hash)
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Throws `.invalid` at `invitation` if it does not allow signing up.
  func checkInvitation(_ hash: [UInt8], address: String) async throws {
    let refusal: FieldError
    do {
      let found = try await store.invitation(secretHash: hash, at: clock.now)
      guard try await !invitations.makesAccounts(found) else { return }
      refusal = FieldError(
        field: "invitation", code: "invalid",
        detail: "This invitation is for a group only. Ask an admin for one that creates an account.")
    } catch ChatError.notFound {
      refusal = Invitation.unknown
    } catch ChatError.over(let error) {
      refusal = error
    }
    limits?.recordFailure(address: address)
    throw ChatError.invalid([refusal])
  }

  /// Signs in with a new session, whatever session the browser had. An unknown address and a wrong password both throw
  /// `.unauthenticated` after the same work; after many failures, `.rateLimited` until one is forgotten. `address` as
  /// for `signUp`; `device` is the token that an earlier sign-in gave this device.
  package func signIn(
    email: String, password: String, userAgent: String, address: String, device: String? = nil
  ) async throws -> SignedIn {
    try Accounts.requireBoth(email: email, password: password)
    let canonical = AccountRules.canonicalEmail(email)
    var credentials: Credentials?
    if let canonical { credentials = try await store.credentials(email: canonical) }
    let guess = try guess(
      account: canonical ?? Text.prefix(of: email, 254), credentials, address: address, device: device)
    guard try await verify(password, against: credentials?.passwordHash, for: address, guess), let credentials,
      let ownUser = try await store.ownUser(credentials.userID)
    else { throw ChatError.unauthenticated }
    guess?.succeed()
    // If the password was changed meanwhile, this sign-in used the old one.
    return try await startSession(of: ownUser, userAgent: userAgent, passwordHash: credentials.passwordHash)
  }

  /// The valid session with this secret, or nil. Records the use once an hour.
  package func session(secret: String) async throws -> Session? {
    let now = clock.now
    guard let session = try await store.session(secretHash: secrets.hash(secret), at: now) else { return nil }
    if now >= session.lastUsedAt.adding(seconds: AccountRules.sessionUseInterval) {
      // Only for the list of sessions: a full disk must not prevent reading.
      try? await store.recordUse(of: session.id, at: now)
    }
    return session
  }

  /// Ends a session and closes its streams.
  package func signOut(_ session: Session) async throws {
    _ = try await store.deleteSession(session.id, of: session.userID)
    onSessionEnded(session.id)
  }

  /// A person's valid sessions, newest first.
  package func sessions(of user: UserID) async throws -> [Session] {
    try await store.sessions(of: user, at: clock.now)
  }

  /// Ends one session of a person. Throws `.notFound` if they have none with this id.
  package func endSession(_ id: SessionID, of user: UserID) async throws {
    guard try await store.deleteSession(id, of: user) else { throw ChatError.notFound }
    onSessionEnded(id)
  }

  /// Ends all other sessions of the person.
  package func endOtherSessions(of session: Session) async throws {
    for id in try await store.deleteSessions(of: session.userID, except: session.id) { onSessionEnded(id) }
  }

  /// A person with their private fields. Throws `.notFound`.
  package func ownUser(_ id: UserID) async throws -> OwnUser {
    guard let ownUser = try await store.ownUser(id) else { throw ChatError.notFound }
    return ownUser
  }

  /// Counts a guess at an account's password before any work is done for it. Throws `.rateLimited`.
  func guess(
    account: String, _ credentials: Credentials?, address: String, device: String?
  ) throws(ChatError) -> SignInLimits.Guess? {
    let known = credentials.flatMap { credentials in
      device.flatMap {
        DeviceToken($0, of: credentials.userID, passwordHash: credentials.passwordHash, secrets: secrets)
      }
    }
    return try limits?.guess(account: account, address: address, device: known?.description)
  }

  /// Whether `password` matches `hash`; an overlong one costs as much as any other. The guess is taken back if the
  /// check could not run.
  func verify(
    _ password: String, against hash: String?, for address: String, _ guess: SignInLimits.Guess?
  ) async throws -> Bool {
    let isTooLong = password.unicodeScalars.count > AccountRules.longestPassword
    do {
      return try await passwords.verify(isTooLong ? "" : password, against: isTooLong ? nil : hash, for: address)
    } catch {
      guess?.giveBack()
      throw error
    }
  }

  /// Starts a session. `passwordHash` is the one that was verified; nil if the person signed in without a password.
  func startSession(
    of ownUser: OwnUser, userAgent: String, passwordHash: String? = nil
  ) async throws -> SignedIn {
    let secret = secrets.makeSecret()
    let now = clock.now
    let session = Session(
      id: SessionID(at: now), userID: ownUser.user.id, secretHash: secrets.hash(secret), createdAt: now,
      expiresAt: now.adding(seconds: AccountRules.sessionLifetime), userAgent: Accounts.cleaned(userAgent))
    try await store.createSession(session, passwordHash: passwordHash)
    recent.note(session.id)
    let device = passwordHash.map { DeviceToken(for: ownUser.user.id, passwordHash: $0, secrets: secrets).description }
    return SignedIn(ownUser: ownUser, session: session, secret: secret, device: device)
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
    let fit = userAgent.unicodeScalars.lazy.filter { !Text.isUnfitForNames($0) }
    return String(String.UnicodeScalarView(fit.prefix(AccountRules.longestUserAgent)))
  }

  static func refusal(of mode: RegistrationMode) -> String {
    switch mode {
    case .open, .closed: "Registration is closed on this Hubbub."
    case .invite: "Registration on this Hubbub requires an invitation."
    case .github: "Accounts on this Hubbub are created by signing in with GitHub."
    }
  }
}
