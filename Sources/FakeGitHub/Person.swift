import FoundationEssentials

/// An account on the stand-in's GitHub: a person, an organisation or a bot.
struct Person: Sendable {
  /// GitHub's id.
  let id: Int64
  /// The login in GitHub's spelling.
  let login: String
  /// `User`, `Organization` or `Bot`.
  let type: String
  /// The number in the avatar's URL; a bot's differs from its id.
  let avatar: Int64
  /// Whether the account belongs to GitHub staff.
  let isStaff: Bool
  /// The members of the full record, as recorded; nil if none was recorded.
  var details: [String: JSONValue]?

  /// The members that only full records have.
  private static let detailKeys = [
    "name", "company", "blog", "location", "email", "hireable", "bio", "twitter_username", "public_repos",
    "public_gists", "followers", "following", "created_at", "updated_at", "suspended_at",
  ]

  /// The account in a recorded simple or full record, or nil.
  init?(_ record: JSONValue) {
    guard case .object(let members) = record, let id = members["id"]?.integer, let login = members["login"]?.string
    else { return nil }
    self.id = id
    self.login = login
    type = members["type"]?.string ?? "User"
    isStaff = members["site_admin"] == .bool(true)
    avatar = members["avatar_url"]?.string.flatMap(Self.avatarNumber) ?? id
    if members["created_at"] != nil { details = members.filter { Self.detailKeys.contains($0.key) } }
  }

  /// A person with only an id and a login.
  init(id: Int64, login: String) {
    self.id = id
    self.login = login
    type = "User"
    avatar = id
    isStaff = false
  }

  /// The same account under another login.
  init(_ other: Person, login: String) {
    id = other.id
    self.login = login
    type = other.type
    avatar = other.avatar
    isStaff = other.isStaff
    details = other.details
  }

  /// The display name, if a full record was recorded.
  var name: String? { details?["name"]?.string }

  /// A login in the form used in paths: the brackets of bots are percent-encoded.
  static func path(_ login: String) -> String { login.replacing("[", with: "%5B").replacing("]", with: "%5D") }

  /// The record used in lists, with URLs on `base` and the picture on `origin`.
  func simpleRecord(base: String, origin: String) -> [String: JSONValue] {
    let path = Self.path(login)
    let own = base + "/users/" + path
    var record: [String: JSONValue] = [
      "login": .string(login), "id": .integer(id), "type": .string(type), "site_admin": .bool(isStaff),
      "gravatar_id": .string(""), "node_id": .string(nodeID), "url": .string(own),
      "html_url": .string("https://github.com/" + path),
      "avatar_url": .string(origin + "/u/\(avatar)?v=4"),
    ]
    for (key, tail) in Self.links { record[key] = .string(own + tail) }
    return record
  }

  /// The full record. Members that were not recorded are null, as in an empty profile on GitHub.
  func fullRecord(base: String, origin: String, followers: Int, following: Int) -> [String: JSONValue] {
    var record = simpleRecord(base: base, origin: origin)
    for key in ["name", "company", "location", "email", "hireable", "bio", "twitter_username"] { record[key] = .null }
    record["blog"] = .string("")
    record["public_repos"] = .integer(id % 60)
    record["public_gists"] = .integer(id % 17)
    record["followers"] = .integer(Int64(followers))
    record["following"] = .integer(Int64(following))
    record["created_at"] = .string("2008-01-14T04:33:35Z")
    record["updated_at"] = .string("2019-08-19T19:50:56Z")
    for (key, value) in details ?? [:] { record[key] = value }
    return record
  }

  private static let links = [
    "followers_url": "/followers", "following_url": "/following{/other_user}", "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}", "subscriptions_url": "/subscriptions", "organizations_url": "/orgs",
    "repos_url": "/repos", "events_url": "/events{/privacy}", "received_events_url": "/received_events",
  ]

  /// GitHub's node id of the account.
  var nodeID: String {
    let kind = "\(type.utf8.count):\(type)"
    return Data(("0" + kind + String(id)).utf8).base64EncodedString()
  }

  /// The number in `…/u/1?v=4`.
  private static func avatarNumber(_ address: String) -> Int64? {
    guard let start = address.firstRange(of: "/u/")?.upperBound else { return nil }
    return Int64(address[start...].prefix { $0.isNumber })
  }
}
