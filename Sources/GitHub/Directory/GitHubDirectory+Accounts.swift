import Chat

extension GitHubDirectory {
  /// Stores an account and returns it as the store has it.
  func keep(_ account: GitHubAccount) async throws -> GitHubAccount {
    try await store.saveGitHubAccount(account, at: clock.now)
    return try await store.githubAccount(id: account.id) ?? account
  }

  /// A search's accounts, merged with what the store has about them. Only accounts that the store has with outdated
  /// values are written: most accounts that a search finds are never looked at again.
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
