import Chat

/// The directory's entries.
extension JSONWriter {
  /// `github user`, with whether the account is a person here and online.
  mutating func value(_ account: GitHubAccount, _ presence: any PresenceReading) {
    object { $0.members(of: account, presence) }
  }

  /// The members of `github user`, for objects that are one and more.
  mutating func members(of account: GitHubAccount, _ presence: any PresenceReading) {
    name("github_id")
    value(account.id)
    member("login", account.login)
    member("type", account.type)
    if let name = account.name { member("name", name) }
    member("avatar_url", AvatarKey.github(id: account.id).path)
    member("user_id", account.userID?.description)
    member("member", account.isMember)
    member("online", account.userID.map(presence.isOnline) ?? false)
  }
}
