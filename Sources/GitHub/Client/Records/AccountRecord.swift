import Chat

/// A simple or full user as sent by GitHub. Only login, id and type are required; unknown members are ignored.
struct AccountRecord: Decodable, Sendable {
  let login: String
  let id: Int64
  let type: String?
  let name: String?
  let avatar_url: String?

  /// The account. Lists of organisations omit the type.
  var account: GitHubAccount {
    let name = name.flatMap { $0.isEmpty ? nil : $0 }
    return GitHubAccount(id: id, login: login, type: type ?? "User", name: name, avatarURL: avatar_url ?? "")
  }
}

/// A response of `/search/users`.
struct SearchRecord: Decodable, Sendable {
  let items: [AccountRecord]
  let total_count: Int?
  let incomplete_results: Bool?

  /// The total that the search reports.
  var found: SearchCount? { total_count.map { SearchCount(total: $0, isIncomplete: incomplete_results ?? false) } }
}
