import Chat

extension GitHubDirectory {
  /// Stores an account; returns it as the store knows it.
  func keep(_ account: GitHubAccount) async throws -> GitHubAccount {
    try await store.saveGitHubAccount(account, at: clock.now)
    return try await store.githubAccount(id: account.id) ?? account
  }

  /// The accounts of a search with what the store knows of them. Only what it knows wrongly is written: a search finds
  /// many whom nobody will ever ask for again.
  func recognised(_ accounts: [GitHubAccount]) async throws -> [GitHubAccount] {
    var recognised: [GitHubAccount] = []
    for account in accounts {
      guard let known = try await store.githubAccount(id: account.id) else {
        strangers.note(account)
        recognised.append(account)
        continue
      }
      let isSame = known.login == account.login && known.avatarURL == account.avatarURL
      recognised.append(isSame ? known : try await keep(account))
    }
    return recognised
  }
}
