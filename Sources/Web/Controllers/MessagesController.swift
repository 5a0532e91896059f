import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/messages`: a room's messages.
struct MessagesController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/rooms/:room/messages", "Messages, ascending; at most one of before, after, around and on",
      query: ["before", "after", "around", "on", "limit"], answers: .list("message")
    ) { try await list($0) }
    routes.signedIn(
      .post, "/rooms/:room/messages", "Send a message (200 for a repeat of its client_id)",
      members: ["client_id", "text", "reply_to", "forward"], answers: .created("message"), .ok("message"),
      bodyLimit: 128 * 1024, allowance: .messages
    ) { try await create($0) }
    routes.signedIn(.get, "/rooms/:room/messages/:seq", "One message", answers: .ok("message")) { try await show($0) }
    routes.signedIn(
      .patch, "/rooms/:room/messages/:seq", "Edit my message", members: ["text"], answers: .ok("message"),
      bodyLimit: 128 * 1024, allowance: .edits
    ) { try await update($0) }
    routes.signedIn(
      .delete, "/rooms/:room/messages/:seq", "Delete my message for everyone; with for=me hide any from me",
      query: ["for"], answers: .noContent, allowance: .deletions
    ) { try await delete($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let range = try range(QueryInput(visit.request))
    let page = try await core.store.messages(in: visit.id("room"), for: visit.userID, range)
    var fields = Fields()
    fields.setEventID(page.eventID)
    setLinks(page.value, range, visit.request, in: &fields)
    return Answer.entity(visit.request, etag: Answer.tag(visit.userID, at: page.eventID), fields: fields) { json in
      json.array { json in
        for message in page.value.messages { json.value(message) }
      }
    }
  }

  /// The requested range; more than one cursor is 422.
  private func range(_ query: QueryInput) throws(ChatError) -> MessageRange {
    let limit = try query.limit()
    var ranges: [(name: String, range: MessageRange)] = []
    if let seq = try query.number("before") { ranges.append(("before", .before(seq: seq, limit: limit))) }
    if let seq = try query.number("after") { ranges.append(("after", .after(seq: seq, limit: limit))) }
    if let seq = try query.number("around") { ranges.append(("around", .around(seq: seq, limit: limit))) }
    if let date = try query.time("on") { ranges.append(("on", .on(date: date, limit: limit))) }
    if ranges.count > 1 {
      throw .invalid(
        ranges.map { FieldError(field: $0.name, code: "invalid", detail: "Only one cursor can be given at a time.") })
    }
    return ranges.first?.range ?? .newest(limit: limit)
  }

  /// Messages are in ascending order, so `next` leads to later messages and `prev` to earlier ones.
  private func setLinks(_ page: MessagePage, _ range: MessageRange, _ request: Request, in fields: inout Fields) {
    var links = PageLinks(request, replacing: ["before", "after", "around", "on"])
    if page.hasLater {
      if let last = page.messages.last {
        links.add("next", "after", String(last.seq))
      } else if case .before(let seq, _) = range {
        links.add("next", "after", String(max(0, seq - 1)))
      }
    }
    if page.hasEarlier {
      if let first = page.messages.first {
        links.add("prev", "before", String(first.seq))
      } else if case .after(let seq, _) = range, seq < Int.max {
        links.add("prev", "before", String(seq + 1))
      }
    }
    links.put(into: &fields)
  }

  private func create(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    var input = try JSONInput(visit.request)
    let clientID: ClientMessageID? = input.id("client_id")
    let sent: (message: Message, isNew: Bool)
    if input.has("forward") {
      let source = forwarded(&input)
      try input.check()
      guard let source else { throw ChatError.notFound }
      sent = try await core.messages.forward(source, to: room, by: visit.userID, clientID: clientID)
    } else {
      let text = input.requiredText("text")
      let replyTo = input.integer("reply_to")
      if let replyTo, replyTo < 1 { input.refuse("reply_to", "invalid", "There is no message with this number.") }
      try input.check { () throws(ChatError) in _ = try MessageRules.check(text: text) }
      sent = try await core.messages.send(text, in: room, by: visit.userID, clientID: clientID, replyTo: replyTo)
    }
    var response = Answer.json(sent.isNew ? .created : .ok) { $0.value(sent.message) }
    if sent.isNew { response.fields.set(.location, Routes.base + "/rooms/\(room)/messages/\(sent.message.seq)") }
    return response
  }

  /// The message to forward; on invalid input nil, with the error recorded.
  private func forwarded(_ input: inout JSONInput) -> MessageAddress? {
    for name in ["text", "reply_to"] where input.has(name) {
      input.refuse(name, "invalid", "A forwarded message cannot have a text or a reply of its own.")
    }
    var source = input.object("forward")
    guard input.errors.isEmpty else { return nil }
    guard let room = source.text("room_id").flatMap({ RoomID($0) }), let seq = source.integer("seq"), seq > 0 else {
      input.refuse("forward", "invalid", "Give the message's room_id and seq.")
      return nil
    }
    return MessageAddress(roomID: room, seq: seq)
  }

  private func show(_ visit: Visit) async throws -> Response {
    let message = try await core.store.message(visit.seq(), in: visit.id("room"), for: visit.userID)
    return Answer.entity(visit.request) { $0.value(message) }
  }

  private func update(_ visit: Visit) async throws -> Response {
    let (room, seq): (RoomID, Int) = (try visit.id("room"), try visit.seq())
    var input = try JSONInput(visit.request)
    let text = input.requiredText("text")
    try input.check()
    let message = try await core.messages.edit(seq, in: room, by: visit.userID, text: text)
    return Answer.json { $0.value(message) }
  }

  private func delete(_ visit: Visit) async throws -> Response {
    let (room, seq): (RoomID, Int) = (try visit.id("room"), try visit.seq())
    switch QueryInput(visit.request).text("for") {
    case nil, "all":
      try await core.messages.delete(seq, in: room, by: visit.userID)
    case "me":
      try await core.views.hideMessage(MessageAddress(roomID: room, seq: seq), for: visit.userID)
    default:
      // Never delete for everyone because of a misspelt `for=me`. Outsiders get their 404 first.
      _ = try await core.store.message(seq, in: room, for: visit.userID)
      throw ChatError.invalid([
        FieldError(
          field: "for", code: "invalid",
          detail: "Give for=all to delete the message for everyone, or for=me to hide it.")
      ])
    }
    return Answer.noContent
  }
}
