import Chat
import HTTP
import HTTPServer

/// A route of a room with the expected status for each kind of person: a row of the table in `OutsiderTests`. Without a
/// session it is always 401, for non-members of a private room always 404.
struct RoomRoute: Sendable, CustomStringConvertible {
  let method: HTTP.Method
  let pattern: String
  /// The query appended to the path.
  var query = ""
  /// The body to send; nil for none.
  var body: String?
  /// Sends a picture instead.
  var sendsPicture = false
  let member: Status
  let admin: Status
  let owner: Status
  /// For one of the two in a direct room.
  let direct: Status
  /// The author of the message: the person making the request, or another member.
  var author = Author.asker
  /// The relation to the room of the person named in the path.
  var target = Target.outside

  enum Author: Sendable { case asker, other }
  enum Target: Sendable { case outside, inside, banned }

  var description: String { "\(method) \(pattern)" }

  func status(for actor: Actor) -> Status {
    switch actor {
    case .nobody: .unauthorized
    case .outsider, .removed, .banned: .notFound
    case .member: member
    case .admin: admin
    case .owner: owner
    }
  }

  /// The same for a public room: 404 for non-members, except for reading its name and joining.
  func publicStatus(for actor: Actor) -> Status {
    if actor == .nobody || actor.isIn { return status(for: actor) }
    return switch description {
    case "GET /api/v1/rooms/:room": .ok
    case "PUT /api/v1/rooms/:room/membership": actor == .banned ? .forbidden : .ok
    default: .notFound
    }
  }

  private static let base = "/api/v1/rooms/:room"

  /// The same for all members.
  private static func all(
    _ method: HTTP.Method, _ rest: String, _ body: String? = nil, _ status: Status = .ok, direct: Status? = nil
  ) -> RoomRoute {
    RoomRoute(
      method: method, pattern: base + rest, body: body, member: status, admin: status, owner: status,
      direct: direct ?? status)
  }

  /// For owner and admins.
  private static func moderators(
    _ method: HTTP.Method, _ rest: String, _ body: String? = nil, _ status: Status = .ok, direct: Status = .conflict,
    target: Target = .outside
  ) -> RoomRoute {
    RoomRoute(
      method: method, pattern: base + rest, body: body, member: .forbidden, admin: status, owner: status,
      direct: direct, target: target)
  }

  private static let room: [RoomRoute] = [
    all(.get, ""),
    all(.patch, "", #"{"draft":"x","muted":true,"pinned":true,"mention_level":"mentions"}"#),
    moderators(.patch, "", #"{"name":"Other name","muted":true}"#, direct: .unprocessableContent),
    moderators(.patch, "", #"{"topic":"Other topic"}"#, direct: .unprocessableContent),
    moderators(.patch, "", #"{"public":true}"#, direct: .unprocessableContent),
    RoomRoute(
      method: .put, pattern: base + "/avatar", sendsPicture: true, member: .forbidden, admin: .ok, owner: .ok,
      direct: .conflict),
    moderators(.delete, "/avatar"),
    all(.post, "/clearing", nil, .noContent),
    all(.post, "/hiding", nil, .noContent),
    all(.put, "/membership", "{}"),
    all(.delete, "/membership", nil, .noContent, direct: .conflict),
  ]

  private static let people: [RoomRoute] = [
    all(.get, "/members"),
    moderators(.put, "/members/:user", "{}", .created),
    RoomRoute(
      method: .put, pattern: base + "/members/:user", body: #"{"role":"admin"}"#, member: .forbidden,
      admin: .forbidden, owner: .ok, direct: .conflict, target: .inside),
    moderators(.delete, "/members/:user", nil, .noContent, target: .inside),
    moderators(.get, "/bans"),
    moderators(.put, "/bans/:user", "{}", .noContent, target: .inside),
    moderators(.delete, "/bans/:user", nil, .noContent, target: .banned),
    moderators(.get, "/invitations"),
    moderators(.post, "/invitations", #"{"max_uses":1}"#, .created),
    moderators(.delete, "/invitations/:invitation", nil, .noContent),
  ]

  private static let messages: [RoomRoute] = [
    all(.get, "/messages"),
    all(.post, "/messages", #"{"text":"x"}"#, .created),
    all(.get, "/messages/:seq"),
    all(.patch, "/messages/:seq", #"{"text":"changed"}"#),
    byOther(.patch, #"{"text":"changed"}"#, .forbidden),
    all(.delete, "/messages/:seq", nil, .noContent),
    byOther(.delete, nil, .noContent),
    RoomRoute(
      method: .delete, pattern: base + "/messages/:seq", query: "?for=me", member: .noContent, admin: .noContent,
      owner: .noContent, direct: .noContent, author: .other),
    all(.get, "/changes"), all(.get, "/messages/:seq/reactions"),
    all(.put, "/messages/:seq/reactions/:emoji", "{}", .noContent),
    all(.delete, "/messages/:seq/reactions/:emoji", nil, .noContent),
    all(.get, "/pins"),
    moderators(.put, "/pins/:seq", "{}", .noContent, direct: .noContent),
    moderators(.delete, "/pins/:seq", nil, .noContent, direct: .noContent),
    all(.put, "/receipt", #"{"read_seq":1}"#),
    all(.get, "/receipts"),
    all(.post, "/typing", #"{"typing":true}"#, .noContent),
  ]

  /// Another member's message: nobody can edit it, owner and admins can delete it.
  private static func byOther(_ method: HTTP.Method, _ body: String?, _ moderators: Status) -> RoomRoute {
    RoomRoute(
      method: method, pattern: base + "/messages/:seq", body: body, member: .forbidden, admin: moderators,
      owner: moderators, direct: .forbidden, author: .other)
  }

  /// Every route of a room; some several times, with different bodies or authors.
  static let table = room + people + messages
}
