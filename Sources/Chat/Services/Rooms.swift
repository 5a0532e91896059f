/// Opens chats. Callable from any thread; errors are `ChatError`, or `DirectoryFailure` from GitHub.
package final class Rooms: Sendable {
  private let store: any ChatStore
  private let directory: any Directory
  private let clock: any ChatClock

  /// Rooms in a store; `directory` resolves GitHub accounts.
  package init(store: any ChatStore, directory: any Directory, clock: any ChatClock) {
    self.store = store
    self.directory = directory
    self.clock = clock
  }

  /// The direct room of `user` and `peer`, created if missing. Throws `.invalid` at `user_id` for the same person,
  /// `.notFound` for an unknown one.
  package func openDirect(of user: UserID, with peer: UserID) async throws -> (room: Room, isNew: Bool) {
    guard peer != user else { throw Rooms.oneself("user_id") }
    guard try await store.user(peer) != nil else { throw ChatError.notFound }
    return try await open(user, peer)
  }

  /// The direct room of `user` and the owner of a GitHub account, who may join later. Throws `.invalid` at
  /// `github_login` for the user's own, `.notFound` for a login unknown to GitHub.
  ///
  /// - Parameter githubID: GitHub's id of the person, which takes precedence: the login may have changed hands since it
  ///   was read.
  package func openDirect(
    of user: UserID, withLogin login: String, githubID: Int64? = nil
  ) async throws -> (room: Room, isNew: Bool) {
    let login = Text.trimmed(login)
    guard !login.isEmpty, login.utf8.count <= 100, !login.unicodeScalars.contains(where: Text.isUnfitForNames) else {
      throw Rooms.invalid("github_login", login.isEmpty ? "required" : "invalid", "This is not a GitHub login.")
    }
    var account: GitHubAccount
    do {
      account = try await directory.account(login: login)
    } catch let failure as DirectoryFailure where failure.kind == .notFound {
      throw ChatError.notFound
    }
    if let githubID, account.id != githubID {
      guard let meant = try await store.githubAccount(id: githubID) else { throw ChatError.notFound }
      account = meant
    }
    let now = clock.now
    let peer = try await store.person(for: account, newID: UserID(at: now), at: now)
    guard peer.id != user else { throw Rooms.oneself("github_login") }
    return try await open(user, peer.id)
  }

  private func open(_ user: UserID, _ peer: UserID) async throws -> (room: Room, isNew: Bool) {
    let now = clock.now
    return try await store.openDirectRoom(of: user, with: peer, newID: RoomID(at: now), at: now)
  }

  private static func oneself(_ field: String) -> ChatError {
    invalid(field, "invalid", "You cannot open a chat with yourself.")
  }

  private static func invalid(_ field: String, _ code: String, _ detail: String) -> ChatError {
    .invalid([FieldError(field: field, code: code, detail: detail)])
  }
}
