import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/members`: a room's members.
struct MembersController: Controller {
  let core: Core
  let log: SecurityLog

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/rooms/:room/members", "Who is in a chat: owner, admins, members by name", query: ["cursor", "limit"],
      answers: .list("member")
    ) { try await list($0) }
    routes.signedIn(
      .put, "/rooms/:room/members/:user", "Add a member (201), or change a role (200)", members: ["role"],
      answers: .created("member"), .ok("member"), bodyLimit: 1024, allowance: .members
    ) { try await set($0) }
    routes.signedIn(
      .delete, "/rooms/:room/members/:user", "Remove a member from a group", answers: .noContent, allowance: .members
    ) {
      visit in
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
    if let role, !outcome.isNew {
      log.note(
        .roleChanged, visit.request, user: visit.userID,
        ["room": "\(room)", "member": "\(member)", "role": "\(role.rawValue)"])
    }
    return Answer.json(outcome.isNew ? .created : .ok) { $0.value(outcome.member, core.presence(for: visit)) }
  }

  /// The requested role; nil without one or without a body.
  private func role(_ visit: Visit, in room: RoomID) async throws -> Room.Role? {
    if visit.request.body.isEmpty { return nil }
    var input = try JSONInput(visit.request)
    guard let name = input.text("role") else {
      try input.check()
      return nil
    }
    if let role = Room.Role(rawValue: name) { return role }
    // Outsiders learn only that the room does not exist.
    _ = try await core.store.room(room, for: visit.userID)
    throw ChatError.invalid([
      FieldError(field: "role", code: "invalid", detail: "The role is owner, admin or member.")
    ])
  }
}

extension JSONWriter {
  /// A member: the person with their role.
  fileprivate mutating func value(_ member: (user: User, role: Room.Role), _ presence: PresenceView) {
    object { json in
      json.members(of: member.user, presence)
      json.member("role", member.role.rawValue)
    }
  }
}
