import Chat
import HTTP
import HTTPServer

/// `GET /search`: people, rooms and messages from one field, as it is typed.
struct SearchController: Controller {
  /// The maximum number of people, and of rooms, in a response.
  static let mostNames = 10

  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/search", "People, chats and messages",
      query: ["q", "in", "from", "before", "after", "has", "types", "cursor", "limit"], answers: .ok("search results"),
      allowance: .searches
    ) { try await find($0) }
  }

  private func find(_ visit: Visit) async throws -> Response {
    let input = QueryInput(visit.request)
    let limit = try input.limit()
    let types = try types(input.text("types"))
    let cursor = try cursor(input.text("cursor"))
    let query = try SearchQueryParser.parse(
      SearchQueryParser.Input(
        q: input.text("q"), from: input.text("from"), room: input.text("in"), before: input.text("before"),
        after: input.text("after"), has: input.text("has")))
    let search = Task { try await answer(query, types, cursor, limit, visit.userID) }
    // While people type, most searches are superseded by the next.
    visit.request.onInterruption { search.cancel() }
    let found = try await search.value
    var fields = Fields()
    if let next = found.messages.next {
      var links = PageLinks(visit.request, replacing: ["cursor"])
      links.add("next", "cursor", "\(next.mode.rawValue).\(next.number)")
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { $0.value(found, core.presence(for: visit)) }
  }

  /// People and rooms are on the first page only, and only without filters, which concern messages.
  private func answer(
    _ query: SearchQuery, _ types: Set<SearchType>, _ cursor: SearchCursor?, _ limit: Int, _ user: UserID
  ) async throws -> SearchAnswer {
    var answer = SearchAnswer()
    let words = query.words.trimmed(to: 100)
    if cursor == nil, !query.hasFilters, !words.isEmpty {
      if types.contains(.users) {
        answer.users = try await core.store.users(matching: words, after: nil, limit: SearchController.mostNames)
      }
      if types.contains(.rooms) {
        answer.rooms = try await core.store.rooms(matching: words, for: user, limit: SearchController.mostNames)
      }
    }
    if types.contains(.messages) {
      answer.messages = try await core.store.messages(matching: query, for: user, after: cursor, limit: limit)
    }
    return answer
  }

  /// The requested types; all by default.
  private func types(_ text: String?) throws(ChatError) -> Set<SearchType> {
    guard let text else { return Set(SearchType.allCases) }
    var types: Set<SearchType> = []
    for part in text.split(separator: ",") {
      guard let type = SearchType(rawValue: String(part)) else { throw SearchController.wrongTypes }
      types.insert(type)
    }
    guard !types.isEmpty else { throw SearchController.wrongTypes }
    return types
  }

  private static let wrongTypes = ChatError.invalid([
    FieldError(
      field: "types", code: "invalid", detail: "Name one or more of users, rooms and messages, separated by commas.")
  ])

  /// `<mode>.<number>`
  private func cursor(_ text: String?) throws(ChatError) -> SearchCursor? {
    guard let text else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let mode = SearchCursor.Mode(rawValue: parts[0]), let number = Int64(parts[1]), number >= 0
    else { throw PageCursor.refused }
    return SearchCursor(number: number, mode: mode)
  }
}

private enum SearchType: String, CaseIterable {
  case users, rooms, messages
}

private struct SearchAnswer: Sendable {
  var users: [User] = []
  var rooms: [Room] = []
  var messages = FoundMessages()
}

extension JSONWriter {
  fileprivate mutating func value(_ answer: SearchAnswer, _ presence: PresenceView) {
    object { json in
      json.name("users")
      json.array { json in
        for user in answer.users { json.value(user, presence) }
      }
      json.name("rooms")
      json.array { json in
        for room in answer.rooms { json.value(room) }
      }
      json.name("messages")
      json.array { json in
        for hit in answer.messages.hits { json.value(hit) }
      }
    }
  }

  /// A message with its snippet and room. Snippet pieces are plain text: the client highlights the hits.
  private mutating func value(_ hit: FoundMessage) {
    object { json in
      json.members(of: hit.message)
      json.name("snippet")
      json.array { json in
        for piece in hit.snippet {
          json.object { json in
            json.member("text", piece.text)
            json.member("hit", piece.isHit)
          }
        }
      }
      json.name("room")
      json.object { json in
        json.member("id", hit.message.roomID.description)
        json.member("name", hit.roomName)
        json.member("kind", hit.roomKind.rawValue)
      }
    }
  }
}
