import Chat

/// A full user or organisation as returned by `GET /users/{login}`, `GET /user/{id}`, `GET /user` and `GET
/// /orgs/{login}`. Only id and login are required.
struct ProfileRecord: Decodable, Hashable, Sendable {
  /// Id, login, type, name and avatar.
  let account: GitHubAccount
  /// The profile's page on GitHub.
  let address: String?
  /// A person's bio, or an organisation's description.
  let bio: String?
  /// The company, verbatim.
  let company: String?
  /// The location, verbatim.
  let location: String?
  /// The home page, verbatim. It often lacks a scheme, so it is not a URL by itself.
  let blog: String?
  /// The number of followers.
  let followers: Int
  /// The number of accounts followed.
  let following: Int
  /// The number of public repositories.
  let publicRepositories: Int
  /// When the account was created.
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
