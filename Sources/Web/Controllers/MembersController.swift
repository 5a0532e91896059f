import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/members`: who is in a room.
struct MembersController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms/:room/members") { try await list($0) }
    routes.signedIn(.put, "/rooms/:room/members/:user", bodyLimit: 1024) { try await set($0) }
    routes.signedIn(.delete, "/rooms/:room/members/:user") { visit in
      try await core.groups.remove(visit.id("user"), from: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.member(query.text("cursor"))
    let members = try await core.store.members(of: room, for: visit.userID, after: cursor, limit: limit + 1)
    return Answer.page(
      visit.request, members, limit: limit,
      cursor: { PageCursor.text(MemberCursor(role: $0.role, name: $0.user.name, id: $0.user.id)) }
    ) { json, member in
      json.value(member, core.presence(for: visit))
    }
  }

  private func set(_ visit: Visit) async throws -> Response {
    let (room, member): (RoomID, UserID) = (try visit.id("room"), try visit.id("user"))
    let role = try await role(visit, in: room)
    let outcome = try await core.groups.setMember(member, in: room, role: role, by: visit.userID)
    return Answer.json(outcome.isNew ? .created : .ok) { $0.value(outcome.member, core.presence(for: visit)) }
  }

  /// The role that is asked for; nil without one, for which no body is needed.
  private func role(_ visit: Visit, in room: RoomID) async throws -> Room.Role? {
    if visit.request.body.isEmpty { return nil }
    var input = try JSONInput(visit.request)
    guard let name = input.text("role") else {
      try input.check()
      return nil
    }
    if let role = Room.Role(rawValue: name) { return role }
    // Outsiders are told nothing but that there is no such room.
    _ = try await core.store.room(room, for: visit.userID)
    throw ChatError.invalid([
      FieldError(field: "role", code: "invalid", detail: "The role is owner, admin or member.")
    ])
  }
}

extension JSONWriter {
  /// A member: the person with his role.
  fileprivate mutating func value(_ member: (user: User, role: Room.Role), _ presence: any PresenceReading) {
    object { json in
      json.members(of: member.user, presence)
      json.member("role", member.role.rawValue)
    }
  }
}
