/// Changes to one's own profile.
extension Accounts {
  /// Sets or removes a picture, checked by `PictureRules`, and notifies all open browsers.
  package func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser {
    try await store.setPicture(picture, of: user)
  }

  /// Changes the email address. Throws `.invalid` at `password` (`wrong`) or at `email`: unlike sign-in it may say
  /// which, since the person is known. Wrong passwords count towards the sign-in limit, and so do taken addresses,
  /// which reveal who has an account. An account without a password needs none, but a session younger than fifteen
  /// minutes, else `.forbidden`.
  package func changeEmail(
    of session: Session, to email: String, password: String, address: String, device: String? = nil
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
    let proof = try await prove(password, of: session.userID, field: "password", address: address, device: device)
    do {
      return try await store.setEmail(canonical, of: session.userID, passwordHash: proof)
    } catch ChatError.unauthenticated {
      throw Accounts.wrong("password")
    } catch ChatError.invalid(let errors) {
      limits?.recordFailure(address: address)
      throw ChatError.invalid(errors)
    }
  }

  /// Changes the password of the session's person and ends all their other sessions. Throws `.invalid` at `current`
  /// with `wrong`, or at `new`. Wrong passwords count as in signing in. A person without a password gives none, but
  /// must have signed in within fifteen minutes; otherwise throws `.forbidden`. Returns the new device token, because
  /// the new password invalidates the old one.
  @discardableResult
  package func changePassword(
    of session: Session, from current: String, to new: String, address: String, device: String? = nil
  ) async throws -> String {
    let own = try await ownUser(session.userID)
    let hasPassword = own.hasPassword
    let errors = (hasPassword ? Accounts.required(current, "current") : []) + Accounts.errors(ofNew: new, own)
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    guard hasPassword else {
      return token(of: session, try await setFirstPassword(new, of: session, address: address))
    }
    let proof = try await prove(current, of: session.userID, field: "current", address: address, device: device)
    let hash = try await passwords.hash(new, for: address)
    do {
      let ended = try await store.setPassword(hash, of: session.userID, replacing: proof, keeping: session.id)
      for id in ended { onSessionEnded(id) }
      return token(of: session, hash)
    } catch ChatError.unauthenticated {
      throw Accounts.wrong("current")
    }
  }

  /// Sets a person's password for the operator and ends all their sessions. Throws `.notFound` for an unknown address,
  /// `.invalid` at `new`.
  package func resetPassword(email: String, to new: String) async throws {
    guard let canonical = AccountRules.canonicalEmail(email), let known = try await store.credentials(email: canonical)
    else { throw ChatError.notFound }
    let errors = Accounts.errors(ofNew: new, try await ownUser(known.userID))
    guard errors.isEmpty else { throw ChatError.invalid(errors) }
    let hash = try await passwords.hash(new, for: "operator")
    for id in try await store.setPassword(hash, of: known.userID, replacing: nil, keeping: nil) { onSessionEnded(id) }
  }

  /// Changes names, handle, language and settings, and notifies all open browsers. When this returns, what was turned
  /// off is no longer shown. The caller checks that the language exists. Throws `.invalid` with every field that is
  /// wrong, `.taken` at `handle`, `.conflict` for a person who has had too many handles.
  package func changeProfile(of user: UserID, _ change: ProfileChange) async throws -> OwnUser {
    let change = try AccountRules.check(change)
    guard change != ProfileChange() else { return try await ownUser(user) }
    let changed = try await store.changeProfile(of: user, change)
    presence.apply(changed.value.settings, of: user, at: changed.eventID)
    return changed.value
  }

  /// The person's stored hash, if the password matches it. Throws `.invalid` with `wrong` at `field`, or
  /// `.rateLimited`.
  func prove(
    _ password: String, of user: UserID, field: String, address: String, device: String?
  ) async throws -> String {
    let account = try await ownUser(user).email ?? user.description
    let credentials = try await store.credentials(of: user)
    let guess = try guess(account: account, credentials, address: address, device: device)
    guard try await verify(password, against: credentials?.passwordHash, for: address, guess), let credentials
    else { throw Accounts.wrong(field) }
    guess?.succeed()
    return credentials.passwordHash
  }

  private func token(of session: Session, _ passwordHash: String) -> String {
    DeviceToken(for: session.userID, passwordHash: passwordHash, secrets: secrets).description
  }

  static func required(_ password: String, _ field: String) -> [FieldError] {
    password.isEmpty ? [FieldError(field: field, code: "required", detail: "Enter your password.")] : []
  }

  private static func errors(ofNew password: String, _ own: OwnUser) -> [FieldError] {
    let user = own.user
    return AccountRules.passwordErrors(
      password, field: "new",
      own: [own.email, user.login, user.firstName, user.lastName, user.firstName + user.lastName])
  }

  private static func wrong(_ field: String) -> ChatError {
    .invalid([FieldError(field: field, code: "wrong", detail: "This is not your password.")])
  }
}
