import Chat
import Synchronization
import Testing

/// Passwords that cost nothing, and a count of how often they were looked at.
final class CheapPasswords: PasswordHashing {
  private let counts = Mutex((verified: 0, dummies: 0))

  var verified: Int { counts.withLock { $0.verified } }
  var dummies: Int { counts.withLock { $0.dummies } }

  func hash(_ password: String) async throws -> String { "cheap:" + String(password.reversed()) }

  func verify(_ password: String, against hash: String?) async throws -> Bool {
    counts.withLock { counts in
      counts.verified += 1
      if hash == nil { counts.dummies += 1 }
    }
    return hash == "cheap:" + String(password.reversed())
  }
}

/// A directory that expects nothing but what a test gives it.
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

/// The numbers of SplitMix64: the same for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
