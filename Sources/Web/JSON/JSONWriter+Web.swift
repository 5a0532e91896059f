import Chat

/// Directory entries.
extension JSONWriter {
  /// `github user`, including whether the account is a person here, and online.
  mutating func value(_ account: GitHubAccount, _ presence: PresenceView) {
    object { $0.members(of: account, presence) }
  }

  /// The members of `github user`, for objects that add further members.
  mutating func members(of account: GitHubAccount, _ presence: PresenceView) {
    name("github_id")
    value(account.id)
    member("login", account.login)
    member("type", account.type)
    if let name = account.name { member("name", name) }
    member("avatar_url", AvatarKey.github(id: account.id).path)
    // Whoever has not signed in is not on this instance yet; that somebody has written to them is those two's business.
    member("user_id", account.isMember ? account.userID?.description : nil)
    member("member", account.isMember)
    member("online", account.userID.map(presence.isOnline) ?? false)
  }
}
