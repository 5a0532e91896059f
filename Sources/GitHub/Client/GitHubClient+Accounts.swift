import Base
import Chat

extension GitHubClient {
  /// A page of accounts as returned by GitHub.
  struct AccountsPage: Sendable {
    var accounts: [GitHubAccount]
    /// The next page's cursor; nil on the last page.
    var next: PageCursor?
    var etag: String?
    /// The total that a search reports; nil for other lists.
    var found: SearchCount?
  }

  /// A page of a list; nil if `etag` is still current. Throws `GitHubError` or `CancellationError`.
  func page(of list: DirectoryList, at cursor: PageCursor, etag: String?) async throws -> AccountsPage? {
    switch list {
    case .users: return try await accounts("/users", list, cursor, etag)
    case .followers(let login): return try await accounts("/users/" + encode(login) + "/followers", list, cursor, etag)
    case .following(let login): return try await accounts("/users/" + encode(login) + "/following", list, cursor, etag)
    // `public_members` is valid for every credential and the same for all.
    case .members(let login):
      return try await accounts("/orgs/" + encode(login) + "/public_members", list, cursor, etag)
    case .search(let text):
      let path = "/search/users?q=" + encode(text) + "&" + query(for: cursor)
      let answer = try await get(path, of: .search, as: SearchRecord.self)
      return answer.value.map {
        AccountsPage(
          accounts: $0.items.map(\.account), next: cursor.next(from: answer.next, in: list), found: $0.found)
      }
    }
  }

  /// An account with its display name. Throws `GitHubError` or `CancellationError`.
  func account(login: String) async throws -> GitHubAccount { try await account(at: "/users/" + encode(login)) }

  /// The account with GitHub's numeric id, whatever its current login. Throws `GitHubError` or `CancellationError`.
  func account(id: Int64) async throws -> GitHubAccount { try await account(at: "/user/\(id)") }

  private func account(at path: String) async throws -> GitHubAccount {
    guard let record = try await get(path, as: AccountRecord.self).value else {
      throw GitHubError(kind: .malformed, message: "GitHub answered 304 to an unconditional request")
    }
    return record.account
  }

  private func accounts(
    _ path: String, _ list: DirectoryList, _ cursor: PageCursor, _ etag: String?
  ) async throws -> AccountsPage? {
    let answer = try await get(path + "?" + query(for: cursor), etag: etag, as: [AccountRecord].self)
    return answer.value.map {
      AccountsPage(accounts: $0.map(\.account), next: cursor.next(from: answer.next, in: list), etag: answer.etag)
    }
  }

  private func query(for cursor: PageCursor) -> String {
    "per_page=\(configuration.pageSize)" + (cursor.queryItem.map { "&" + $0 } ?? "")
  }

  private func encode(_ segment: String) -> String { PercentEncoding.encode(segment) }
}
