/// A person on this instance, or a GitHub account that somebody here has written to (a guest, known only from GitHub).
package struct User: Hashable, Sendable {
  /// The id on this instance; it never changes.
  package var id: UserID
  /// The GitHub login in GitHub's spelling, if an account is linked.
  package var login: String?
  /// GitHub's numeric id, which survives a rename of the login.
  package var githubID: Int64?
  /// The first name; for a guest, from GitHub's name, or the login.
  package var firstName: String
  /// The last name, often empty.
  package var lastName: String
  /// Whether this person has an account here; false for a guest.
  package var isMember: Bool
  /// When this person's last event stream closed; nil before that, or if they hide it.
  package var lastSeenAt: Timestamp?
  /// The picture that this person uploaded.
  package var picture: PictureID?
  /// What follows an `@` to mention this person. A new name does not change it.
  package var handle: String

  /// Without a handle, that of a new person: the login, else the name's letters and digits (`AdaLovelace`).
  package init(
    id: UserID, login: String? = nil, githubID: Int64? = nil, firstName: String, lastName: String = "",
    isMember: Bool = true, lastSeenAt: Timestamp? = nil, picture: PictureID? = nil, handle: String? = nil
  ) {
    let name = lastName.isEmpty ? firstName : firstName + " " + lastName
    self.handle = handle ?? login ?? Mentions.handle(ofName: name)
    self.picture = picture
    self.id = id
    self.login = login
    self.githubID = githubID
    self.firstName = firstName
    self.lastName = lastName
    self.isMember = isMember
    self.lastSeenAt = lastSeenAt
  }

  /// First and last name as shown.
  package var name: String { lastName.isEmpty ? firstName : firstName + " " + lastName }

  /// The key of the picture under `/api/v1/avatars/`.
  package var avatarKey: AvatarKey {
    if let picture { return .picture(picture) }
    if let githubID { return .github(id: githubID) }
    return .initials(colour: AvatarKey.colour(of: id), letters: AvatarKey.letters(first: firstName, last: lastName))
  }
}

/// A person as part of something else, such as the sender of a message: without presence or private fields. Immutable
/// and encoded once, so that thousands of messages share one.
package final class Face: Hashable, Sendable {
  /// The person; `lastSeenAt` is nil.
  package let user: User
  /// `face` of the API as JSON.
  package let json: [UInt8]

  package init(_ user: User) {
    var user = user
    user.lastSeenAt = nil
    self.user = user
    var writer = JSONWriter(capacity: 192)
    writer.object { json in
      json.member("id", user.id)
      if let login = user.login { json.member("login", login) }
      json.member("handle", user.handle)
      json.member("name", user.name)
      json.member("avatar_url", user.avatarKey.path)
      json.member("member", user.isMember)
    }
    json = writer.bytes
  }

  package var id: UserID { user.id }
  package var name: String { user.name }
  package var isMember: Bool { user.isMember }

  package static func == (one: Face, other: Face) -> Bool { one === other || one.user == other.user }
  package func hash(into hasher: inout Hasher) { hasher.combine(user.id) }
}

/// A user with the fields only they can see.
package struct OwnUser: Hashable, Sendable {
  /// The person as others see them.
  package var user: User
  /// The address used to sign in, if there is one.
  package var email: String?
  /// Whether this person is the instance's admin, as the first account is.
  package var isAdmin: Bool
  /// Whether this person can sign in with a password; an account created with GitHub has none at first.
  package var hasPassword: Bool
  package var settings: UserSettings
  /// The language tag the person chose (`de`); nil uses the browser's preference.
  package var language: String?

  package init(
    user: User, email: String?, isAdmin: Bool, hasPassword: Bool = true, settings: UserSettings = UserSettings(),
    language: String? = nil
  ) {
    self.settings = settings
    self.language = language
    self.hasPassword = hasPassword
    self.user = user
    self.email = email
    self.isAdmin = isAdmin
  }
}

/// The values for a new account, already checked by `AccountRules`.
package struct NewAccount: Sendable {
  package var id: UserID
  /// The address in its canonical form.
  package var email: String
  /// The password's hash with its parameters, never the password.
  package var passwordHash: String
  package var firstName: String
  /// The last name, possibly empty.
  package var lastName: String
  package var createdAt: Timestamp
  /// The hash of the invitation's token, if one was used.
  package var invitation: [UInt8]?

  package init(
    id: UserID, email: String, passwordHash: String, firstName: String, lastName: String, createdAt: Timestamp,
    invitation: [UInt8]? = nil
  ) {
    self.invitation = invitation
    self.id = id
    self.email = email
    self.passwordHash = passwordHash
    self.firstName = firstName
    self.lastName = lastName
    self.createdAt = createdAt
  }
}

/// The stored values that a password is verified against.
package struct Credentials: Sendable {
  package var userID: UserID
  /// The stored hash with its parameters.
  package var passwordHash: String

  package init(userID: UserID, passwordHash: String) {
    self.userID = userID
    self.passwordHash = passwordHash
  }
}

/// A signed-in browser. Only the hash of its secret is stored.
package struct Session: Hashable, Sendable {
  /// The public id, for listing and ending.
  package var id: SessionID
  package var userID: UserID
  /// SHA-256 of the cookie's secret, 32 bytes.
  package var secretHash: [UInt8]
  /// When the person signed in.
  package var createdAt: Timestamp
  /// When the session expires.
  package var expiresAt: Timestamp
  /// The browser's `User-Agent`, at most `AccountRules.longestUserAgent`.
  package var userAgent: String
  /// When it was last used, to within `AccountRules.sessionUseInterval`.
  package var lastUsedAt: Timestamp

  /// A session; `lastUsedAt` nil means `createdAt`.
  package init(
    id: SessionID, userID: UserID, secretHash: [UInt8], createdAt: Timestamp, expiresAt: Timestamp, userAgent: String,
    lastUsedAt: Timestamp? = nil
  ) {
    self.lastUsedAt = lastUsedAt ?? createdAt
    self.id = id
    self.userID = userID
    self.secretHash = secretHash
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.userAgent = userAgent
  }
}
