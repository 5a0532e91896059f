/// Opening chats (D6, D7). Callable from any thread; errors are `ChatError`, or `DirectoryFailure` where GitHub is asked.
public final class Rooms: Sendable {
  private let store: any ChatStore
  private let directory: any Directory
  private let clock: any ChatClock

  /// Rooms over a store, with the directory that knows GitHub's people.
  public init(store: any ChatStore, directory: any Directory, clock: any ChatClock) {
    self.store = store
    self.directory = directory
    self.clock = clock
  }

  /// The direct room of `user` and `peer`, made where there is none. Throws `.invalid` at `user_id` for oneself,
  /// `.notFound` for nobody.
  public func openDirect(of user: UserID, with peer: UserID) async throws -> (room: Room, isNew: Bool) {
    guard peer != user else { throw Rooms.oneself("user_id") }
    guard try await store.user(peer) != nil else { throw ChatError.notFound }
    return try await open(user, peer)
  }

  /// The direct room of `user` and the person who has, or will have, a GitHub account (D7). Throws `.invalid` at
  /// `github_login` for one's own, `.notFound` where GitHub knows no such login.
  ///
  /// - Parameter githubID: GitHub's number for whoever is meant. A login can have changed hands since it was read in a
  ///   list: then the number says who it is, never the name.
  public func openDirect(
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
