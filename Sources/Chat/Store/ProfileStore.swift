/// The storage of profiles. All functions throw `.notFound` for people without an account.
package protocol ProfileStore: Sendable {
  /// A picture by its id; nil if nobody uses it any more.
  func picture(_ id: PictureID) async throws -> Picture?
  /// Sets or removes a person's picture; logs `user.updated` for everyone if that changes anything. Deletes a picture
  /// that is no longer used.
  func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser
  /// The stored password hash; nil if the person has no password.
  func credentials(of user: UserID) async throws -> Credentials?
  /// Changes the address; logs `me.updated`. Throws `.unauthenticated` unless `passwordHash` is still the stored one,
  /// `.invalid` with `taken` at `email`.
  func setEmail(_ email: String, of user: UserID, passwordHash: String) async throws -> OwnUser
  /// Changes the password and ends all sessions of the person but `kept`; returns those ended. Throws
  /// `.unauthenticated` unless `former` is nil or still the stored hash.
  func setPassword(
    _ hash: String, of user: UserID, replacing former: String?, keeping kept: SessionID?
  ) async throws -> [SessionID]
  /// Changes names, handle, language and settings together or not at all. Logs `user.updated` for everyone if names or
  /// handle change, `me.updated` if the rest does. A former handle stays an alias. Throws `.taken` if the handle is
  /// somebody else's, or was, `.conflict` after `AccountRules.mostHandles`.
  func changeProfile(of user: UserID, _ change: ProfileChange) async throws -> Snapshot<OwnUser>
  /// Everyone who has turned off a setting.
  func privateUsers() async throws -> Snapshot<[UserID: UserSettings]>
  /// Records the use of a session, unless one was recorded less than an hour before `time`.
  func recordUse(of session: SessionID, at time: Timestamp) async throws
  /// All accounts with their addresses, oldest first; for the operator.
  func accounts() async throws -> [OwnUser]
}
