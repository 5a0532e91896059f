import Chat
import Synchronization

/// An in-memory directory store with one person who is here.
final class MemoryDirectoryStore: DirectoryStore {
  fileprivate struct Key: Hashable {
    let list: DirectoryList
    let cursor: String
  }

  fileprivate struct State {
    var pages: [Key: StoredDirectoryPage] = [:]
    var accounts: [Int64: GitHubAccount] = [:]
    var formerLogins: [String: Int64] = [:]
    var saves = 0
    var confirmations = 0
  }

  /// The person here, who has the account with the id 1.
  static let member = UserID(high: 7, low: 1)
  fileprivate let state = Mutex(State())

  var saves: Int { state.withLock { $0.saves } }
  var confirmations: Int { state.withLock { $0.confirmations } }

  func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage? {
    state.withLock { state in
      guard var page = state.pages[Key(list: list, cursor: cursor)] else { return nil }
      page.accounts = page.accounts.map { Self.marked(state.accounts[$0.id] ?? $0) }
      page.listChangedAt = state.pages[Key(list: list, cursor: "")]?.listChangedAt
      return page
    }
  }

  func saveDirectoryPage(_ page: StoredDirectoryPage) async throws {
    state.withLock { state in
      state.saves += 1
      let key = Key(list: page.list, cursor: page.cursor)
      let before = state.pages[key]
      state.pages[key] = page
      let isSame = before?.accounts.map(\.id) == page.accounts.map(\.id)
      state.pages[key]?.listChangedAt = isSame ? before?.listChangedAt : page.fetchedAt
      for account in page.accounts { state.keep(account) }
    }
  }

  func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws {
    state.withLock { state in
      state.confirmations += 1
      state.pages[Key(list: list, cursor: cursor)]?.fetchedAt = time
    }
  }

  func githubAccount(login: String) async throws -> GitHubAccount? {
    state.withLock { state in
      state.accounts.values.first { $0.login.lowercased() == login.lowercased() }.map(Self.marked)
    }
  }

  func githubAccount(formerLogin login: String) async throws -> GitHubAccount? {
    state.withLock { state in
      state.formerLogins[login.lowercased()].flatMap { state.accounts[$0] }.map(Self.marked)
    }
  }

  func githubAccount(id: Int64) async throws -> GitHubAccount? {
    state.withLock { $0.accounts[id].map(Self.marked) }
  }

  func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws {
    state.withLock { $0.keep(account) }
  }

  private static func marked(_ account: GitHubAccount) -> GitHubAccount {
    var account = account
    if account.id == 1 {
      account.userID = member
      account.isMember = true
    }
    return account
  }
}

extension MemoryDirectoryStore.State {
  fileprivate mutating func keep(_ account: GitHubAccount) {
    var account = account
    account.name = account.name ?? accounts[account.id]?.name
    if let known = accounts[account.id]?.login.lowercased(), known != account.login.lowercased() {
      formerLogins[known] = account.id
    }
    accounts[account.id] = account
  }
}
