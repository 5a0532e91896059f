import Chat
import Synchronization
import TestSupport
import Testing

/// Cheap passwords that count how often they are checked.
final class CheapPasswords: PasswordHashing {
  private let counts = Mutex((verified: 0, dummies: 0))

  var verified: Int { counts.withLock { $0.verified } }
  var dummies: Int { counts.withLock { $0.dummies } }

  func hash(_ password: String, for client: String) async throws -> String { "cheap:" + String(password.reversed()) }

  func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool {
    counts.withLock { counts in
      counts.verified += 1
      if hash == nil { counts.dummies += 1 }
    }
    return hash == "cheap:" + String(password.reversed())
  }
}

/// A directory that expects only the calls that a test sets up.
final class ScriptedDirectory: Directory {
  struct Unexpected: Error {}

  struct Script: Sendable {
    var page: Result<DirectoryPage, DirectoryFailure>?
    var storedPage: DirectoryPage??
    var accounts: [String: Result<GitHubAccount, DirectoryFailure>] = [:]
    var avatars: [Int64: Result<AvatarImage, DirectoryFailure>] = [:]
    var quota = GitHubQuota(asker: .anonymous)
    var asked: [String] = []
  }

  private let state = Mutex(Script())

  var script: Script {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  private func note(_ question: String) {
    state.withLock { $0.asked.append(question) }
  }

  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    note("stored \(list) \(cursor)")
    guard let stored = script.storedPage else { throw Unexpected() }
    return stored
  }

  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
    note("\(list) \(cursor)")
    guard let page = script.page else { throw Unexpected() }
    return try page.get()
  }

  func account(login: String) async throws -> GitHubAccount {
    note("account \(login)")
    guard let account = script.accounts[login] else { throw Unexpected() }
    return try account.get()
  }

  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    note("avatar \(githubID) \(size)")
    guard let image = script.avatars[githubID] else { throw Unexpected() }
    return try image.get()
  }

  func quota() -> GitHubQuota { script.quota }
}
