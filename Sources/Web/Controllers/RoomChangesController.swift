import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/changes`: the lines of a group's log that are not messages.
struct RoomChangesController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/rooms/:room/changes", "Who came and went and what changed in a group; at most one of before and after",
      query: ["before", "after", "limit"], answers: .list("change")
    ) { visit in
      let query = QueryInput(visit.request)
      let limit = try query.limit()
      let page = try await core.store.changes(
        in: visit.id("room"), for: visit.userID, range(query), limit: limit)
      var fields = Fields()
      fields.setEventID(page.eventID)
      var links = PageLinks(visit.request, replacing: ["before", "after"])
      if page.value.hasLater, let last = page.value.changes.last { links.add("next", "after", String(last.id)) }
      if page.value.hasEarlier, let first = page.value.changes.first { links.add("prev", "before", String(first.id)) }
      links.put(into: &fields)
      return Answer.entity(visit.request, etag: Answer.tag(visit.userID, at: page.eventID), fields: fields) { json in
        json.array { json in
          for change in page.value.changes { json.value(change) }
        }
      }
    }
  }

  /// The requested range; two cursors are 422.
  private func range(_ query: QueryInput) throws(ChatError) -> RoomChangeRange {
    let (before, after) = (try place("before", query), try place("after", query))
    if before != nil, after != nil {
      throw .invalid(
        ["before", "after"].map {
          FieldError(field: $0, code: "invalid", detail: "Only one cursor can be given at a time.")
        })
    }
    return before.map { .before($0) } ?? after.map { .after($0) } ?? .newest
  }

  /// A cursor: the id of a change, as a link has it, or a time; nil if it is missing.
  private func place(_ name: String, _ query: QueryInput) throws(ChatError) -> RoomChangeRange.Place? {
    guard let text = query.text(name) else { return nil }
    if let id = EventID(text), id >= 0 { return .change(id) }
    return try query.time(name).map { .time($0) }
  }
}
