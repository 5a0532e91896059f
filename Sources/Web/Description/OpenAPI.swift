import HTTP

/// The program's description of its own API (OpenAPI 3.1), written from the very routes that it serves.
enum OpenAPI {
  /// What is said of a route: in a sentence, the members that its body may have, and the status of its success.
  struct Operation {
    let summary: String
    var members: [String] = []
    var status = 200
  }

  /// By method and pattern below `/api/v1`.
  static let operations: [String: Operation] = [
    "POST /accounts": Operation(
      summary: "Sign up", members: ["email", "password", "first_name", "last_name", "invitation"], status: 201),
    "POST /invitations": Operation(
      summary: "Invite to this Hubbub; url is told this once", members: ["expires_in", "max_uses"], status: 201),
    "GET /invitations": Operation(summary: "My open invitations to this Hubbub; for an admin all of them"),
    "DELETE /invitations/:invitation": Operation(summary: "End an invitation to this Hubbub", status: 204),
    "GET /invitations/:invitation": Operation(summary: "What an invitation's token leads to; open to all"),
    "POST /session": Operation(summary: "Sign in", members: ["email", "password"]),
    "GET /session": Operation(summary: "Who is signed in"),
    "DELETE /session": Operation(summary: "Sign out", status: 204),
    "GET /sessions": Operation(summary: "All my sessions"),
    "DELETE /sessions/:session": Operation(summary: "End one of my sessions", status: 204),
    "DELETE /sessions": Operation(summary: "End all my other sessions", status: 204),
    "GET /users": Operation(summary: "People on this instance; query, sort, cursor, limit"),
    "GET /users/:user": Operation(summary: "One person"),
    "GET /presence": Operation(summary: "Who of some people is here; users"),
    "PATCH /me": Operation(summary: "Change my profile", members: ["first_name", "last_name", "settings"]),
    "PUT /me/avatar": Operation(summary: "Give myself a picture: PNG, JPEG, WebP or GIF as the body"),
    "DELETE /me/avatar": Operation(summary: "Take my picture back"),
    "PUT /me/email": Operation(summary: "Change my address", members: ["email", "password"]),
    "PUT /me/password": Operation(
      summary: "Change my password and end all my other sessions", members: ["current", "new"], status: 204),
    "POST /me/github": Operation(
      summary: "Where to send the browser to link a GitHub account to mine", members: ["return_to"]),
    "DELETE /me/github": Operation(summary: "Unlink my GitHub account; 409 where it is the only way in"),
    "GET /github/users": Operation(summary: "All GitHub accounts; since, stored"),
    "GET /github/users/:login/followers": Operation(summary: "The followers of a login; cursor, stored"),
    "GET /github/users/:login/following": Operation(summary: "Whom a login follows; cursor, stored"),
    "GET /github/orgs/:login/members": Operation(summary: "The public members of an organisation; cursor, stored"),
    "GET /github/search/users": Operation(summary: "GitHub accounts by name; q, cursor, stored"),
    "GET /github/quota": Operation(summary: "How much may be asked of GitHub, and as whom"),
    "GET /github/users/:login": Operation(summary: "A GitHub account's profile"),
    "GET /github/repos/:owner/:repo": Operation(summary: "A public repository"),
    "GET /github/repos/:owner/:repo/issues/:number": Operation(summary: "An issue of a public repository"),
    "GET /github/repos/:owner/:repo/pulls/:number": Operation(summary: "A pull request of a public repository"),
    "GET /github/repos/:owner/:repo/releases/:tag": Operation(summary: "A release of a public repository"),
    "GET /github/repos/:owner/:repo/commits/:sha": Operation(summary: "A commit of a public repository"),
    "GET /news": Operation(summary: "What happens on GitHub, newest first; page, limit, stored"),
    "GET /avatars/:key": Operation(summary: "A picture; s is its size in pixels"),
    "GET /rooms": Operation(summary: "My chats, newest first; cursor, limit"),
    "POST /rooms": Operation(
      summary: "Open a direct chat (201, or 200 for the existing one), or make a group",
      members: ["kind", "user_id", "github_login", "github_id", "name", "topic", "public", "member_ids"], status: 201),
    "GET /public_rooms": Operation(summary: "Public rooms by name; query, cursor, limit"),
    "GET /rooms/:room": Operation(summary: "One chat, or a public room that I am not in"),
    "PATCH /rooms/:room": Operation(
      summary: "Change what a chat is to me; of a group, for owner and admins, name, topic and public",
      members: ["muted", "pinned", "mention_level", "draft", "name", "topic", "public"]),
    "POST /rooms/:room/clearing": Operation(summary: "Empty a chat for me", status: 204),
    "POST /rooms/:room/hiding": Operation(summary: "Delete a chat for me, until somebody writes", status: 204),
    "GET /rooms/:room/pins": Operation(summary: "The pinned messages, last pinned first"),
    "PUT /rooms/:room/pins/:seq": Operation(summary: "Pin a message", status: 204),
    "DELETE /rooms/:room/pins/:seq": Operation(summary: "Take a message off the pins", status: 204),
    "GET /rooms/:room/messages/:seq/reactions": Operation(summary: "Who reacted with what"),
    "PUT /rooms/:room/messages/:seq/reactions/:emoji": Operation(summary: "React to a message", status: 204),
    "DELETE /rooms/:room/messages/:seq/reactions/:emoji": Operation(summary: "Take my reaction back", status: 204),
    "PUT /rooms/:room/avatar": Operation(summary: "Give a group a picture: PNG, JPEG, WebP or GIF, at most 1 MiB"),
    "DELETE /rooms/:room/avatar": Operation(summary: "Take a group's picture"),
    "POST /rooms/:room/invitations": Operation(
      summary: "Invite into a group; url is told this once", members: ["expires_in", "max_uses"], status: 201),
    "GET /rooms/:room/invitations": Operation(summary: "The open invitations into a group"),
    "DELETE /rooms/:room/invitations/:invitation": Operation(summary: "End an invitation into a group", status: 204),
    "POST /invitations/:invitation": Operation(summary: "Accept an invitation into a group, by its token"),
    "PUT /rooms/:room/membership": Operation(summary: "Join a public room"),
    "DELETE /rooms/:room/membership": Operation(summary: "Leave a group", status: 204),
    "GET /rooms/:room/members": Operation(summary: "Who is in a chat: owner, admins, members by name; cursor, limit"),
    "PUT /rooms/:room/members/:user": Operation(
      summary: "Let somebody in (201), or change a role (200)", members: ["role"]),
    "DELETE /rooms/:room/members/:user": Operation(summary: "Take somebody out of a group", status: 204),
    "GET /rooms/:room/bans": Operation(summary: "Who is kept out of a group; cursor, limit"),
    "PUT /rooms/:room/bans/:user": Operation(summary: "Keep somebody out of a group", status: 204),
    "DELETE /rooms/:room/bans/:user": Operation(summary: "End a ban", status: 204),
    "GET /rooms/:room/messages": Operation(
      summary: "Messages, ascending; one of before, after, around, on; limit"),
    "POST /rooms/:room/messages": Operation(
      summary: "Send a message; 200 for a repeat of its client_id",
      members: ["client_id", "text", "reply_to", "forward"],
      status: 201),
    "GET /rooms/:room/messages/:seq": Operation(summary: "One message"),
    "PATCH /rooms/:room/messages/:seq": Operation(summary: "Edit my message", members: ["text"]),
    "DELETE /rooms/:room/messages/:seq": Operation(
      summary: "Delete my message for everyone; with for=me hide any from me", status: 204),
    "PUT /rooms/:room/receipt": Operation(
      summary: "Move my pointers", members: ["delivered_seq", "read_seq", "unread_from"]),
    "GET /rooms/:room/receipts": Operation(summary: "How far each member has come"),
    "POST /rooms/:room/typing": Operation(summary: "Tell that I am typing", members: ["typing"], status: 204),
    "GET /push": Operation(summary: "The key to subscribe with for Web Push, and whether this session has subscribed"),
    "PUT /push/subscription": Operation(
      summary: "Tell this session's browser of messages by Web Push", members: ["endpoint", "keys"], status: 204),
    "DELETE /push/subscription": Operation(summary: "Tell it no more", status: 204),
    "POST /push/test": Operation(summary: "Send this session's browser a notification", members: ["text"], status: 204),
    "GET /search": Operation(
      summary: "People, chats and messages; q, in, from, before, after, has, types, cursor, limit"),
    "GET /events": Operation(summary: "The event stream (text/event-stream); Last-Event-ID or after"),
    "GET /sync": Operation(summary: "The event stream by long polls; after, wait"),
  ]

  /// The document for `routes`; those outside of the API are left out. All texts in it are the program's own and free of
  /// characters that JSON escapes.
  static func document(_ routes: [(method: HTTP.Method, pattern: String)]) -> [UInt8] {
    let described = routes.filter { $0.pattern.hasPrefix(Routes.base + "/") }
    var patterns: [String] = []
    for route in described where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
    let paths = patterns.map { pattern in
      let methods = described.filter { $0.pattern == pattern }.map { operation($0.method, pattern) }
      return #""\#(template(pattern))":{\#((parameters(of: pattern) + methods).joined(separator: ","))}"#
    }
    let text =
      #"{"openapi":"3.1.0","info":{"title":"Hubbub","version":"1"},"paths":{\#(paths.joined(separator: ","))}}"#
    return Array(text.utf8)
  }

  /// `/rooms/:room` as `/rooms/{room}`.
  static func template(_ pattern: String) -> String {
    pattern.split(separator: "/").map { "/" + ($0.first == ":" ? "{\($0.dropFirst())}" : $0) }.joined()
  }

  private static func parameters(of pattern: String) -> [String] {
    let parameters = pattern.split(separator: "/").filter { $0.first == ":" }.map {
      #"{"name":"\#($0.dropFirst())","in":"path","required":true,"schema":{"type":"string"}}"#
    }
    return parameters.isEmpty ? [] : [#""parameters":[\#(parameters.joined(separator: ","))]"#]
  }

  private static func operation(_ method: HTTP.Method, _ pattern: String) -> String {
    let known = operations["\(method) \(pattern.dropFirst(Routes.base.count))"] ?? Operation(summary: "")
    var members = [#""summary":"\#(known.summary)""#]
    if !known.members.isEmpty {
      let properties = known.members.map { #""\#($0)":{}"# }.joined(separator: ",")
      members.append(
        #""requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{\#(properties)}}}}}"#)
    }
    members.append(
      #""responses":{"\#(known.status)":{"description":"Success"},"#
        + #""default":{"description":"A problem, application/problem+json by RFC 9457"}}"#)
    return #""\#(method.name.lowercased())":{\#(members.joined(separator: ","))}"#
  }
}
