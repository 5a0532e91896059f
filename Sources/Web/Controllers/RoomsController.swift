import Chat
import HTTP
import HTTPServer

/// `/rooms`: the person's chats.
struct RoomsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms", "My chats, newest first", query: ["cursor", "limit"], answers: .list("room")) {
      try await list($0)
    }
    routes.signedIn(
      .post, "/rooms", "Open a direct chat (200 for one that exists), or make a group",
      members: ["kind", "user_id", "github_login", "github_id", "name", "topic", "public", "member_ids"],
      answers: .created("room"), .ok("room"), allowance: .rooms
    ) { try await open($0) }
    routes.signedIn(.get, "/rooms/:room", "One chat, or a public room that I am not in", answers: .ok("room")) {
      try await show($0)
    }
    routes.signedIn(
      .patch, "/rooms/:room",
      "Change what a chat is to me; for all of its people its repository, of a group name, topic and public",
      members: ["muted", "pinned", "mention_level", "draft", "name", "topic", "public", "repository"],
      answers: .ok("room"),
      bodyLimit: 128 * 1024
    ) { try await update($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.room(query.text("cursor"))
    let rooms = try await core.store.rooms(of: visit.userID, after: cursor, limit: limit + 1)
    var fields = Fields()
    fields.setEventID(rooms.eventID)
    return Answer.page(
      visit.request, rooms.value, limit: limit, etag: Answer.tag(visit.userID, at: rooms.eventID), fields: fields,
      cursor: { PageCursor.text(RoomCursor(after: $0)) }
    ) { json, room in
      json.value(room)
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
      ? created(opened.room) : Answer.json { $0.value(opened.room) }
  }

  private func create(_ input: inout JSONInput, _ visit: Visit) async throws -> Response {
    let name = input.requiredText("name")
    let topic = input.text("topic") ?? ""
    let isPublic = input.flag("public") ?? false
    let members = (input.texts("member_ids") ?? []).map { UserID($0) }
    if members.contains(nil) { input.refuse("member_ids", "invalid", "These must be the ids of people.") }
    try input.check { () throws(ChatError) in _ = try GroupRules.check(name: name, topic: topic) }
    // Each member costs rows to write and a person to notify.
    if members.count >= 10 { try visit.spend(members.count / 10, of: .rooms) }
    let made = try await core.groups.create(
      name: name, topic: topic, isPublic: isPublic, memberIDs: members.compactMap(\.self), by: visit.userID)
    return created(made.room, notAdded: made.notAdded)
  }

  private func created(_ room: Room, notAdded: [UserID] = []) -> Response {
    var response = Answer.json(.created) { json in
      json.object { json in
        json.members(of: room)
        guard !notAdded.isEmpty else { return }
        json.name("not_added")
        json.array { json in
          for id in notAdded { json.value(id) }
        }
      }
    }
    response.fields.set(.location, Routes.base + "/rooms/\(room.id)")
    return response
  }

  private func show(_ visit: Visit) async throws -> Response {
    let room = try await core.store.visibleRoom(visit.id("room"), for: visit.userID)
    var fields = Fields()
    fields.setEventID(room.eventID)
    // Its tag is of the content: If-Match is about this room, whatever else has happened.
    return Answer.entity(visit.request, fields: fields) { $0.value(room.value) }
  }

  /// Members may change their own view; only owner and admins may change a group for everyone.
  private func update(_ visit: Visit) async throws -> Response {
    let id: RoomID = try visit.id("room")
    // Check membership before the input: outsiders must learn nothing.
    let before = try await core.store.room(id, for: visit.userID).value
    var input = try JSONInput(visit.request)
    let change = viewChange(&input)
    let groupChange = groupChange(&input, in: before)
    try input.check { () throws(ChatError) in
      _ = try GroupRules.check(name: groupChange.name, topic: groupChange.topic)
    }
    if groupChange != GroupChange() {
      try visit.spend(1, of: .rooms)
      _ = try await core.groups.change(id, by: visit.userID, groupChange)
    }
    let room = try await core.views.change(id, for: visit.userID, change)
    return Answer.json { $0.value(room) }
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
    var change = GroupChange()
    if let text = input.text("repository") {
      let repository = RepositoryName(text.trimmed(to: 300))
      if repository == nil {
        input.refuse("repository", "invalid", "Enter a repository as owner/name, such as apple/swift.")
      }
      change.repository = .some(repository)
    } else if input.isNull("repository") {
      change.repository = .some(nil)
    }
    if room.kind == .direct {
      for name in ["name", "topic", "public"] where input.has(name) {
        input.refuse(name, "invalid", "A direct chat has no name or topic of its own, and cannot be public.")
      }
      return change
    }
    (change.name, change.topic) = (input.text("name"), input.text("topic"))
    change.isPublic = input.flag("public")
    return change
  }
}
