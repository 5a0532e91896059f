/// Accounts identified by GitHub. The guarantees of `ChatStore` apply.
///
/// The key is GitHub's numeric id. Each of these functions also stores GitHub's current data on the account (login,
/// name, picture), like `saveGitHubAccount`.
package protocol GitHubAccountStore: Sendable {
  /// Signs in the owner of a GitHub account: an existing member; otherwise a guest who was written to before joining,
  /// who becomes a member with everything waiting for them; otherwise a new person. The first account of the instance
  /// is its admin. Logs `user.updated` for everyone if a known person changes. Throws `.notFound` if an account would
  /// have to be created but may not be, `.invalid` at `invitation`.
  func enter(_ arrival: GitHubArrival) async throws -> GitHubEntrance
  /// Links a GitHub account to a member. The chats and groups of the corresponding guest become the member's own, in
  /// one transaction. Idempotent. Throws `.invalid` at `github` with `taken` if another member has it, or `linked` if
  /// this one has another.
  func linkGitHub(_ account: GitHubAccount, to user: UserID, at time: Timestamp) async throws -> OwnUser
  /// Unlinks a member's GitHub account; messages stay. Logs `user.updated`. Throws `.conflict` unless the member has an
  /// address and a password to sign in with. Idempotent.
  func unlinkGitHub(of user: UserID) async throws -> OwnUser
  /// Sets the first password of a member, and ends all sessions but one; returns those ended. Throws `.unauthenticated`
  /// if there is one by now.
  func setFirstPassword(_ hash: String, of user: UserID, keeping kept: SessionID) async throws -> [SessionID]
  /// Sets the first address of a member without a password. Throws `.unauthenticated` if there is a password by now,
  /// `.invalid` with `taken` at `email`.
  func setFirstEmail(_ email: String, of user: UserID) async throws -> OwnUser
}

/// A sign-in with GitHub.
package struct GitHubArrival: Sendable {
  /// Whether a person without an account gets one.
  package enum Door: Hashable, Sendable {
    /// No.
    case shut
    /// With an open invitation, given by its token's hash; it is used up by one and leads to its room.
    case invitation([UInt8])
    /// Yes. An invitation that is still open leads to its room; one that is not is ignored.
    case open(invitation: [UInt8]?)
  }

  /// The account, as identified by GitHub.
  package var account: GitHubAccount
  /// The id for a new person.
  package var newID: UserID
  /// Whether an account may be created.
  package var door: Door
  /// The time of the sign-in.
  package var time: Timestamp

  package init(account: GitHubAccount, newID: UserID, door: Door, time: Timestamp) {
    self.account = account
    self.newID = newID
    self.door = door
    self.time = time
  }
}

/// The result of a sign-in with GitHub.
package struct GitHubEntrance: Hashable, Sendable {
  /// The person.
  package var own: OwnUser
  /// Whether the account is new.
  package var isNew: Bool
  /// The room that its invitation led to.
  package var roomID: RoomID?

  package init(own: OwnUser, isNew: Bool, roomID: RoomID? = nil) {
    self.own = own
    self.isNew = isNew
    self.roomID = roomID
  }
}

extension GitHubAccount {
  /// First and last name from GitHub's single name: the first word, and the rest; without a name, the login.
  package static func names(of name: String?, login: String) -> (first: String, last: String) {
    let clean = String(String.UnicodeScalarView((name ?? "").unicodeScalars.filter { !Text.isUnfitForNames($0) }))
    let words = clean.split(separator: " ").map { Text.trimmed(String($0)) }.filter { !$0.isEmpty }
    guard let first = words.first else { return (login, "") }
    let rest = words.dropFirst().joined(separator: " ")
    let longest = AccountRules.longestName
    return (Text.trimmed(Text.prefix(of: first, longest)), Text.trimmed(Text.prefix(of: rest, longest)))
  }
}
