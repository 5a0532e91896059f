/// A person of this instance, or a GitHub account that somebody here has written to (a guest of whom only GitHub knows).
public struct User: Hashable, Sendable {
  /// The id on this instance; it never changes.
  public var id: UserID
  /// The GitHub login as GitHub spells it, where an account is linked.
  public var login: String?
  /// GitHub's numeric id, which survives a rename of the login.
  public var githubID: Int64?
  /// The first name, or for a guest GitHub's name or the login.
  public var firstName: String
  /// The last name, often empty.
  public var lastName: String
  /// Whether this person has an account here; false for a guest.
  public var isMember: Bool
  /// When the last event stream of this person closed; nil before that, or where the person hides it.
  public var lastSeenAt: Timestamp?
  /// The picture that this person uploaded.
  public var picture: PictureID?

  /// A person from stored values.
  public init(
    id: UserID, login: String? = nil, githubID: Int64? = nil, firstName: String, lastName: String = "",
    isMember: Bool = true, lastSeenAt: Timestamp? = nil, picture: PictureID? = nil
  ) {
    self.picture = picture
    self.id = id
    self.login = login
    self.githubID = githubID
    self.firstName = firstName
    self.lastName = lastName
    self.isMember = isMember
    self.lastSeenAt = lastSeenAt
  }

  /// First and last name as they are shown.
  public var name: String { lastName.isEmpty ? firstName : firstName + " " + lastName }

  /// What follows an `@` to mention this person: the login, else the name's letters and digits (`AdaLovelace`).
  public var handle: String { login ?? Mentions.handle(ofName: name) }

  /// The key of the picture under `/api/v1/avatars/`.
  public var avatarKey: AvatarKey {
    if let picture { return .picture(picture) }
    if let githubID { return .github(id: githubID) }
    return .initials(colour: AvatarKey.colour(of: id), letters: AvatarKey.letters(first: firstName, last: lastName))
  }
}

/// What a person sees of himself alone.
public struct OwnUser: Hashable, Sendable {
  /// The person as others see him.
  public var user: User
  /// The address used to sign in, where there is one.
  public var email: String?
  /// Whether this person is the instance's admin (A3: the first account is).
  public var isAdmin: Bool
  /// Whether this person can sign in with a password; who came by GitHub's word has none at first.
  public var hasPassword: Bool
  /// What this person has chosen.
  public var settings: UserSettings
  /// The tag of the language that this person reads in (`de`); nil: the one that the browser asks for.
  public var language: String?

  /// A person from stored values.
  public init(
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

/// What an account is made of when somebody signs up (A2). Values are already checked by `AccountRules`.
public struct NewAccount: Sendable {
  /// The id that the new person gets.
  public var id: UserID
  /// The address in its canonical form.
  public var email: String
  /// The password's hash with its parameters, never the password.
  public var passwordHash: String
  /// The first name.
  public var firstName: String
  /// The last name, maybe empty.
  public var lastName: String
  /// When it is made.
  public var createdAt: Timestamp
  /// The hash of the invitation's token, where one was used.
  public var invitation: [UInt8]?

  /// A new account from checked values.
  public init(
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

/// What a sign-in by password compares with.
public struct Credentials: Sendable {
  /// Whose they are.
  public var userID: UserID
  /// The stored hash with its parameters.
  public var passwordHash: String

  /// Credentials from stored values.
  public init(userID: UserID, passwordHash: String) {
    self.userID = userID
    self.passwordHash = passwordHash
  }
}

/// A signed-in browser. Only the hash of its secret is stored (SECURITY 1).
public struct Session: Hashable, Sendable {
  /// The public id, for listing and ending.
  public var id: SessionID
  /// Whose session it is.
  public var userID: UserID
  /// SHA-256 of the cookie's secret, 32 bytes.
  public var secretHash: [UInt8]
  /// When the person signed in.
  public var createdAt: Timestamp
  /// After this moment the session is void.
  public var expiresAt: Timestamp
  /// What the browser called itself, at most 200 characters.
  public var userAgent: String
  /// When it was last used, or at most so long after that as `useInterval` says.
  public var lastUsedAt: Timestamp

  /// How coarsely it is noted when a session is used, in seconds: an hour.
  public static let useInterval: Int64 = 3600

  /// A session from its parts; `lastUsedAt` nil is when it was made.
  public init(
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
