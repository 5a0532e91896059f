import Chat
import Synchronization

/// The address of the GitHub stand-in, once it has started.
final class SimulationAddress: Sendable {
  private let state = Mutex("")

  var base: String {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// A directory that is created on first use.
final class LateDirectory: Directory {
  private let make: @Sendable () -> any Directory
  private let made = Mutex<(any Directory)?>(nil)

  init(_ make: @escaping @Sendable () -> any Directory) { self.make = make }

  private var directory: any Directory {
    made.withLock { made in
      if let made { return made }
      let directory = make()
      made = directory
      return directory
    }
  }

  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    try await directory.storedPage(of: list, cursor: cursor)
  }

  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
    try await directory.page(of: list, cursor: cursor)
  }

  func account(login: String) async throws -> GitHubAccount { try await directory.account(login: login) }

  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    try await directory.avatar(of: githubID, size: size)
  }

  func quota() -> GitHubQuota { directory.quota() }
}
