import Chat

/// A full user or organisation, as `GET /users/{login}`, `GET /user/{id}`, `GET /user` and `GET /orgs/{login}` tell it.
/// Only id and login are counted on.
struct ProfileRecord: Decodable, Hashable, Sendable {
  /// Id, login, type, name, picture.
  let account: GitHubAccount
  /// Where it is shown on GitHub.
  let address: String?
  /// What a person says of himself, or an organisation's description.
  let bio: String?
  /// The company as written.
  let company: String?
  /// The place as written.
  let location: String?
  /// The home page as written: often without a scheme, so never an address by itself.
  let blog: String?
  /// How many follow.
  let followers: Int
  /// How many are followed.
  let following: Int
  /// How many public repositories there are.
  let publicRepositories: Int
  /// Since when.
  let createdAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let id = object.integer("id"), let login = object.text("login") else { throw MissingMember() }
    account = GitHubAccount(
      id: id, login: login, type: object.text("type") ?? "User", name: object.text("name"),
      avatarURL: object.text("avatar_url") ?? "")
    address = object.text("html_url")
    bio = object.text("bio") ?? object.text("description")
    company = object.text("company")
    location = object.text("location")
    blog = object.text("blog")
    followers = object.count("followers")
    following = object.count("following")
    publicRepositories = object.count("public_repos")
    createdAt = object.time("created_at")
  }
}
