import Chat

/// Something that happened on GitHub, as the events API tells it. Only the id is counted on; everything inside the
/// payload is optional, since github.com cut payloads down in October 2025 and Enterprise did not.
struct EventRecord: Decodable, Hashable, Sendable {
  /// Who did it.
  struct Actor: Decodable, Hashable, Sendable {
    /// GitHub's id.
    let id: Int64
    /// The login; a bot's ends in `[bot]`.
    let login: String
    /// Where the picture is.
    let avatarURL: String

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      guard let id = object.integer("id"), let login = object.text("login") else { throw MissingMember() }
      self.id = id
      self.login = login
      avatarURL = object.text("avatar_url") ?? ""
    }
  }

  /// Where it was done.
  struct Repository: Decodable, Hashable, Sendable {
    /// GitHub's id, which survives a new name.
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

  /// The exact id, a text of digits; ids are not ordered over time.
  let id: String
  /// `PushEvent`, `WatchEvent`, … or one that nobody knows yet.
  let type: String
  /// Who did it; nil where GitHub does not say.
  let actor: Actor?
  /// In which repository; nil where GitHub does not say.
  let repository: Repository?
  /// For which organisation, if any.
  let organization: Actor?
  /// What the type brings along; an empty object where there is nothing.
  let payload: PayloadValue
  /// Whether everybody may see it. An event that does not say so is not public.
  let isPublic: Bool
  /// When it happened; nil where GitHub does not say.
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

/// A record lacks what makes it one.
struct MissingMember: Error {}
