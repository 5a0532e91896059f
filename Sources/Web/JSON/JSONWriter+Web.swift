import Chat

/// The directory's entries.
extension JSONWriter {
  /// `github user`, with whether the account is a person here and online.
  mutating func value(_ account: GitHubAccount, _ presence: any PresenceReading) {
    object { json in
      json.name("github_id")
      json.value(account.id)
      json.member("login", account.login)
      json.member("type", account.type)
      if let name = account.name { json.member("name", name) }
      json.member("avatar_url", AvatarKey.github(id: account.id).path)
      json.member("user_id", account.userID?.description)
      json.member("member", account.isMember)
      json.member("online", account.userID.map(presence.isOnline) ?? false)
    }
  }
}
