import Chat

/// Accounts found by a search, by id and by login, kept while somebody may open them. Safe from any thread.
final class Strangers: Sendable {
  /// How many accounts are kept, and for how long.
  static let most = 4000
  static let memory = Duration.seconds(3600)

  private let byID: ShortMemory<Int64, GitHubAccount>
  private let byLogin: ShortMemory<String, GitHubAccount>

  init(clock: any ChatClock) {
    byID = ShortMemory(capacity: Self.most, clock: clock)
    byLogin = ShortMemory(capacity: Self.most, clock: clock)
  }

  /// Remembers an account.
  func note(_ account: GitHubAccount) {
    byID.keep(account, for: account.id, during: Self.memory)
    byLogin.keep(account, for: account.login.lowercased(), during: Self.memory)
  }

  /// The account with this id, or nil.
  func account(id: Int64) -> GitHubAccount? { byID[id] }

  /// The account with this login in lower case, or nil.
  func account(login: String) -> GitHubAccount? { byLogin[login] }
}
