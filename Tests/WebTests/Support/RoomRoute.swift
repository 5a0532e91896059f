import Chat
import HTTP
import HTTPServer

/// A route of a room, with what each kind of person is answered there: a line of the table that SECURITY 8 asks for.
/// Whoever is not signed in gets 401, whoever is not in a private room 404, everywhere.
struct RoomRoute: Sendable, CustomStringConvertible {
  let method: HTTP.Method
  let pattern: String
  /// What follows the path.
  var query = ""
  /// What is sent; nil for nothing.
  var body: String?
  /// Send a picture instead.
  var sendsPicture = false
  let member: Status
  let admin: Status
  let owner: Status
  /// For one of the two of a direct room.
  let direct: Status
  /// Who has written the message: who asks, or another member.
  var author = Author.asker
  /// What the person in the path is to the room beforehand.
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

  /// The same of a public room, whose door and name are everybody's: 404 but for that.
  func publicStatus(for actor: Actor) -> Status {
    if actor == .nobody || actor.isIn { return status(for: actor) }
    return switch description {
    case "GET /api/v1/rooms/:room": .ok
    case "PUT /api/v1/rooms/:room/membership": actor == .banned ? .forbidden : .ok
    default: .notFound
    }
  }

  private static let base = "/api/v1/rooms/:room"

  /// Alike for all who are in.
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
    all(.get, "/messages/:seq/reactions"),
    all(.put, "/messages/:seq/reactions/:emoji", "{}", .noContent),
    all(.delete, "/messages/:seq/reactions/:emoji", nil, .noContent),
    all(.get, "/pins"),
    moderators(.put, "/pins/:seq", "{}", .noContent, direct: .noContent),
    moderators(.delete, "/pins/:seq", nil, .noContent, direct: .noContent),
    all(.put, "/receipt", #"{"read_seq":1}"#),
    all(.get, "/receipts"),
    all(.post, "/typing", #"{"typing":true}"#, .noContent),
  ]

  /// Another's message: nobody changes it, owner and admins delete it.
  private static func byOther(_ method: HTTP.Method, _ body: String?, _ moderators: Status) -> RoomRoute {
    RoomRoute(
      method: method, pattern: base + "/messages/:seq", body: body, member: .forbidden, admin: moderators,
      owner: moderators, direct: .forbidden, author: .other)
  }

  /// Every route of a room; some more than once, for what a body or an author makes of them.
  static let table = room + people + messages
}
