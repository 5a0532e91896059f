import Chat

/// An event of GitHub's events API. Only the id is required; everything in the payload is optional, because github.com
/// trimmed payloads in October 2025 and Enterprise Server did not.
struct EventRecord: Decodable, Hashable, Sendable {
  /// The account that acted.
  struct Actor: Decodable, Hashable, Sendable {
    /// GitHub's numeric id.
    let id: Int64
    /// The login; a bot's ends in `[bot]`.
    let login: String
    /// The avatar's URL.
    let avatarURL: String

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      guard let id = object.integer("id"), let login = object.text("login") else { throw MissingMember() }
      self.id = id
      self.login = login
      avatarURL = object.text("avatar_url") ?? ""
    }
  }

  /// The repository in which it happened.
  struct Repository: Decodable, Hashable, Sendable {
    /// GitHub's numeric id, which survives a rename.
    let id: Int64?
    /// `owner/name`.
    let name: String

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      guard let name = object.text("name") else { throw MissingMember() }
      id = object.integer("id")
      self.name = name
    }
  }

  /// The id, a string of digits kept verbatim; ids do not increase over time.
  let id: String
  /// `PushEvent`, `WatchEvent`, … or an unknown type.
  let type: String
  /// The account that acted; nil if GitHub does not say.
  let actor: Actor?
  /// The repository; nil if GitHub does not say.
  let repository: Repository?
  /// The organisation, if any.
  let organization: Actor?
  /// The type's payload; an empty object if there is none.
  let payload: PayloadValue
  /// Whether the event is public; false if GitHub does not say.
  let isPublic: Bool
  /// When it happened; nil if GitHub does not say.
  let createdAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    id = try object.id("id")
    type = object.text("type") ?? "Event"
    actor = object.value("actor")
    repository = object.value("repo")
    organization = object.value("org")
    payload = object.value("payload") ?? .object([:])
    isPublic = object.flag("public") ?? false
    createdAt = object.time("created_at")
  }
}

/// A required member is missing.
struct MissingMember: Error {}
