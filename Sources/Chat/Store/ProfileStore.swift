/// What the core keeps of a person's profile (A4, A5, S6). All functions throw `.notFound` for who has no account.
public protocol ProfileStore: Sendable {
  /// A picture by its name; nil where nobody has it any more.
  func picture(_ id: PictureID) async throws -> Picture?
  /// Gives a person a picture, or takes it; logs `user.updated` for everyone where that changes something. A picture that
  /// nobody else has goes.
  func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser
  /// What to compare a person's password with; nil where he has none.
  func credentials(of user: UserID) async throws -> Credentials?
  /// Changes the address; logs `me.updated`. Throws `.unauthenticated` unless `passwordHash` is still the stored one,
  /// `.invalid` with `taken` at `email`.
  func setEmail(_ email: String, of user: UserID, passwordHash: String) async throws -> OwnUser
  /// Changes the password and ends all sessions of the person but `kept`; returns those ended. Throws `.unauthenticated`
  /// unless `former` is nil or still the stored hash.
  func setPassword(
    _ hash: String, of user: UserID, replacing former: String?, keeping kept: SessionID?
  ) async throws -> [SessionID]
  /// Changes what is not nil; logs `me.updated` where that changes something.
  func setSettings(
    of user: UserID, readReceipts: Bool?, lastSeen: Bool?, doNotDisturb: DoNotDisturb?
  ) async throws -> Snapshot<OwnUser>
  /// Changes the language, to the browser's by nil; logs `me.updated` where that changes something.
  func setLanguage(_ language: String?, of user: UserID) async throws -> OwnUser
  /// Everybody who has turned something off.
  func privateUsers() async throws -> Snapshot<[UserID: UserSettings]>
  /// Notes that a session was used, unless that was noted less than an hour before `time`.
  func recordUse(of session: SessionID, at time: Timestamp) async throws
  /// All accounts with their addresses, oldest first: for the operator.
  func accounts() async throws -> [OwnUser]
}

extension ProfileStore {
  /// The same where only the two that others see are changed.
  public func setSettings(of user: UserID, readReceipts: Bool?, lastSeen: Bool?) async throws -> Snapshot<OwnUser> {
    try await setSettings(of: user, readReceipts: readReceipts, lastSeen: lastSeen, doNotDisturb: nil)
  }
}
