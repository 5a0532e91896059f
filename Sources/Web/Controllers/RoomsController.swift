import Chat
import HTTP
import HTTPServer

/// `/rooms`: my chats (L1).
struct RoomsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms") { try await list($0) }
    routes.signedIn(.post, "/rooms") { try await open($0) }
    routes.signedIn(.get, "/rooms/:room") { try await show($0) }
    routes.signedIn(.patch, "/rooms/:room", bodyLimit: 128 * 1024) { try await update($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.room(query.text("cursor"))
    let rooms = try await core.store.rooms(of: visit.userID, after: cursor, limit: limit + 1)
    var fields = Fields()
    fields.setEventID(rooms.eventID)
    return Answer.page(
      visit.request, rooms.value, limit: limit, fields: fields, cursor: { PageCursor.text(RoomCursor(after: $0)) }
    ) { json, room in
      json.value(room, core.presence(for: visit))
    }
  }

  private func open(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let kind = input.requiredText("kind")
    if input.errors.isEmpty, kind == "group" { return try await create(&input, visit) }
    if input.errors.isEmpty, kind != "direct" {
      input.refuse("kind", "invalid", "The kind of a room is direct or group.")
    }
    let peer = input.text("user_id")
    let login = input.text("github_login")
    let githubID = input.integer("github_id")
    if kind == "direct", input.errors.isEmpty, (peer == nil) == (login == nil) {
      input.refuse(
        "user_id", peer == nil ? "required" : "invalid", "Name the other person by either user_id or github_login.")
    }
    try input.check()
    let opened: (room: Room, isNew: Bool)
    if let peer {
      guard let peerID = UserID(peer) else { throw ChatError.notFound }
      opened = try await core.rooms.openDirect(of: visit.userID, with: peerID)
    } else {
      opened = try await core.rooms.openDirect(
        of: visit.userID, withLogin: login ?? "", githubID: githubID.map { Int64($0) })
    }
    return opened.isNew
      ? created(opened.room, for: visit) : Answer.json { $0.value(opened.room, core.presence(for: visit)) }
  }

  private func create(_ input: inout JSONInput, _ visit: Visit) async throws -> Response {
    let name = input.requiredText("name")
    let topic = input.text("topic") ?? ""
    let isPublic = input.flag("public") ?? false
    let members = (input.texts("member_ids") ?? []).map { UserID($0) }
    if members.contains(nil) { input.refuse("member_ids", "invalid", "These must be the ids of people.") }
    try input.check { () throws(ChatError) in _ = try GroupRules.check(name: name, topic: topic) }
    return created(
      try await core.groups.create(
        name: name, topic: topic, isPublic: isPublic, memberIDs: members.compactMap(\.self), by: visit.userID),
      for: visit)
  }

  private func created(_ room: Room, for visit: Visit) -> Response {
    var response = Answer.json(.created) { $0.value(room, core.presence(for: visit)) }
    response.fields.set(.location, Routes.base + "/rooms/\(room.id)")
    return response
  }

  private func show(_ visit: Visit) async throws -> Response {
    let room = try await core.store.visibleRoom(visit.id("room"), for: visit.userID)
    var fields = Fields()
    fields.setEventID(room.eventID)
    return Answer.entity(visit.request, fields: fields) { $0.value(room.value, core.presence(for: visit)) }
  }

  /// Who may change what differs: one's own view is everybody's, the rest of a group is owner's and admins' business.
  private func update(_ visit: Visit) async throws -> Response {
    let id: RoomID = try visit.id("room")
    // Whether there is such a room comes before what is wrong with the change: nothing is told to outsiders.
    let before = try await core.store.room(id, for: visit.userID).value
    var input = try JSONInput(visit.request)
    let change = viewChange(&input)
    let groupChange = groupChange(&input, in: before)
    try input.check { () throws(ChatError) in
      _ = try GroupRules.check(name: groupChange.name, topic: groupChange.topic)
    }
    if groupChange != GroupChange() { _ = try await core.groups.change(id, by: visit.userID, groupChange) }
    let room = try await core.views.change(id, for: visit.userID, change)
    return Answer.json { $0.value(room, core.presence(for: visit)) }
  }

  private func viewChange(_ input: inout JSONInput) -> RoomViewChange {
    var change = RoomViewChange(
      isMuted: input.flag("muted"), isPinned: input.flag("pinned"), draft: input.text("draft"))
    if let level = input.text("mention_level") {
      change.mentionLevel = Room.MentionLevel(rawValue: level)
      if change.mentionLevel == nil {
        input.refuse("mention_level", "invalid", "The level is all, mentions or nothing.")
      }
    }
    return change
  }

  private func groupChange(_ input: inout JSONInput, in room: Room) -> GroupChange {
    if room.kind == .direct {
      for name in ["name", "topic", "public"] where input.has(name) {
        input.refuse(name, "invalid", "A direct chat has no name and no topic of its own, and is nobody else's.")
      }
      return GroupChange()
    }
    return GroupChange(name: input.text("name"), topic: input.text("topic"), isPublic: input.flag("public"))
  }
}
