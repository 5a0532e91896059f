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
    // One more than is shown tells whether there is a next page.
    let rooms = try await core.store.rooms(of: visit.userID, after: cursor, limit: limit + 1)
    let shown = rooms.value.prefix(limit)
    var fields = Fields()
    fields.setEventID(rooms.eventID)
    if rooms.value.count > limit, let last = shown.last {
      var links = PageLinks(visit.request, replacing: ["cursor"])
      links.add("next", "cursor", PageCursor.text(RoomCursor(after: last)))
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for room in shown { json.value(room, core.presence(for: visit)) }
      }
    }
  }

  private func open(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let kind = input.requiredText("kind")
    if input.errors.isEmpty {
      switch kind {
      case "direct": break
      case "group": input.refuse("kind", "invalid", "This server offers direct rooms only; group rooms are to come.")
      default: input.refuse("kind", "invalid", "The kind of a room is direct.")
      }
    }
    let peer = input.text("user_id")
    let login = input.text("github_login")
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
      opened = try await core.rooms.openDirect(of: visit.userID, withLogin: login ?? "")
    }
    var response = Answer.json(opened.isNew ? .created : .ok) { $0.value(opened.room, core.presence(for: visit)) }
    if opened.isNew { response.fields.set(.location, Routes.base + "/rooms/\(opened.room.id)") }
    return response
  }

  private func show(_ visit: Visit) async throws -> Response {
    let room = try await core.store.room(visit.id("room"), for: visit.userID)
    var fields = Fields()
    fields.setEventID(room.eventID)
    return Answer.entity(visit.request, fields: fields) { $0.value(room.value, core.presence(for: visit)) }
  }

  /// Who may change what differs: one's own view is everybody's, the rest is not a direct room's to have.
  private func update(_ visit: Visit) async throws -> Response {
    let id: RoomID = try visit.id("room")
    var input = try JSONInput(visit.request)
    var change = RoomViewChange(
      isMuted: input.flag("muted"), isPinned: input.flag("pinned"), draft: input.text("draft"))
    if let level = input.text("mention_level") {
      change.mentionLevel = Room.MentionLevel(rawValue: level)
      if change.mentionLevel == nil {
        input.refuse("mention_level", "invalid", "The level is all, mentions or nothing.")
      }
    }
    for name in ["name", "topic"] where input.has(name) {
      input.refuse(name, "invalid", "A direct room has no name and no topic of its own.")
    }
    if !input.errors.isEmpty {
      // Whether there is such a room comes before what is wrong with the change: nothing is told to outsiders.
      _ = try await core.store.room(id, for: visit.userID)
      try input.check()
    }
    let room = try await core.views.change(id, for: visit.userID, change)
    return Answer.json { $0.value(room, core.presence(for: visit)) }
  }
}
