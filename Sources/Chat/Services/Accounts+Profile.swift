/// What a person changes about himself (A4, A5, S6).
extension Accounts {
  /// Gives the person a picture that `PictureRules` let pass, or takes it; every open browser hears of it (A4).
  public func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser {
    try await store.setPicture(picture, of: user)
  }

  /// Changes the address of a session's person. Throws `.invalid` at `password` with `wrong`, or at `email` with what is
  /// wrong there: which of the two it was is told, for here it is known who asks. Wrong passwords count as in signing in,
  /// and so does a taken address, which tells who is here. Who has no password so far gives none, and must have signed in
  /// within fifteen minutes: `.forbidden` otherwise.
  public func changeEmail(
    of session: Session, to email: String, password: String, address: String
  ) async throws -> OwnUser {
    var errors: [FieldError] = []
    let canonical = AccountRules.canonicalEmail(email)
    if Text.isBlank(email) {
      errors.append(FieldError(field: "email", code: "required", detail: "Enter your email address."))
    } else if canonical == nil {
      errors.append(FieldError(field: "email", code: "invalid", detail: "This is not an email address."))
    }
    let hasPassword = try await ownUser(session.userID).hasPassword
    if hasPassword { errors += Accounts.required(password, "password") }
    guard errors.isEmpty, let canonical else { throw ChatError.invalid(errors) }
    guard hasPassword else { return try await setFirstEmail(canonical, of: session, address: address) }
    let proof = try await prove(password, of: session.userID, field: "password", address: address)
    do {
      return try await store.setEmail(canonical, of: session.userID, passwordHash: proof)
    } catch ChatError.unauthenticated {
      throw Accounts.wrong("password")
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(account: nil, address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Changes the password of a session's person and ends all his other sessions. Throws `.invalid` at `current` with
  /// `wrong`, or at `new` with what is wrong there. Wrong ones count as in signing in. Who has none so far gives none, and
  /// must have signed in within fifteen minutes: `.forbidden` otherwise.
  public func changePassword(
    of session: Session, from current: String, to new: String, address: String
  ) async throws {
    let hasPassword = try await ownUser(session.userID).hasPassword
    let errors =
      (hasPassword ? Accounts.required(current, "current") : []) + AccountRules.passwordErrors(new, field: "new")
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    guard hasPassword else { return try await setFirstPassword(new, of: session) }
    let proof = try await prove(current, of: session.userID, field: "current", address: address)
    let hash = try await passwords.hash(new)
    do {
      let ended = try await store.setPassword(hash, of: session.userID, replacing: proof, keeping: session.id)
      for id in ended { onSessionEnded(id) }
    } catch ChatError.unauthenticated {
      throw Accounts.wrong("current")
    }
  }

  /// The operator sets somebody's password and ends all his sessions. Throws `.notFound` for an unknown address, `.invalid`
  /// at `new`.
  public func resetPassword(email: String, to new: String) async throws {
    guard let canonical = AccountRules.canonicalEmail(email), let known = try await store.credentials(email: canonical)
    else { throw ChatError.notFound }
    let errors = AccountRules.passwordErrors(new, field: "new")
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    let hash = try await passwords.hash(new)
    for id in try await store.setPassword(hash, of: known.userID, replacing: nil, keeping: nil) { onSessionEnded(id) }
  }

  /// Changes the settings that are given. When this returns, what was turned off is not shown any more.
  public func changeSettings(
    of user: UserID, readReceipts: Bool?, lastSeen: Bool?, doNotDisturb: DoNotDisturb? = nil
  ) async throws -> OwnUser {
    let changed = try await store.setSettings(
      of: user, readReceipts: readReceipts, lastSeen: lastSeen, doNotDisturb: doNotDisturb)
    presence.apply(changed.value.settings, of: user, at: changed.eventID)
    return changed.value
  }

  /// Changes the language that the person reads in, to the browser's by nil. Which ones there are is for the caller to
  /// check.
  public func setLanguage(_ language: String?, of user: UserID) async throws -> OwnUser {
    try await store.setLanguage(language, of: user)
  }

  /// The stored hash that the password of a person fits. Throws `.invalid` with `wrong` at `field`, `.rateLimited`.
  private func prove(_ password: String, of user: UserID, field: String, address: String) async throws -> String {
    let account = try await ownUser(user).email ?? user.description
    try limits?.check(account: account, address: address)
    let credentials = try await store.credentials(of: user)
    let isRight = try await verify(password, against: credentials?.passwordHash)
    // As in signing in: others may have failed meanwhile.
    try limits?.check(account: account, address: address)
    guard isRight, let credentials else {
      limits?.recordFailure(account: account, address: address)
      throw Accounts.wrong(field)
    }
    limits?.reset(account: account)
    return credentials.passwordHash
  }

  private static func required(_ password: String, _ field: String) -> [FieldError] {
    password.isEmpty ? [FieldError(field: field, code: "required", detail: "Enter your password.")] : []
  }

  private static func wrong(_ field: String) -> ChatError {
    .invalid([FieldError(field: field, code: "wrong", detail: "This is not your password.")])
  }
}
