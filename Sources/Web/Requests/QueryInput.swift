import Chat
import HTTP
import HTTPServer

/// A request's query parameters by type; a wrong one is 422 with its name.
struct QueryInput {
  private let query: Query

  init(_ request: Request) {
    query = request.head.query
  }

  /// A parameter as it is; nil when it is missing.
  func text(_ name: String) -> String? { query[name] }

  /// A whole number from 0 on; nil when it is missing.
  func number(_ name: String) throws(ChatError) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .invalid([FieldError(field: name, code: "invalid", detail: "This must be a whole number from 0 on.")])
    }
    return number
  }

  /// How many things a page shall have: 50, at most 200 (`API.md`, Conventions). More is cut to 200, as GitHub does.
  func limit() throws(ChatError) -> Int {
    guard let limit = try number("limit") else { return 50 }
    guard limit > 0 else {
      throw .invalid([FieldError(field: "limit", code: "invalid", detail: "A page has at least one entry.")])
    }
    return min(limit, 200)
  }

  /// A moment; nil when it is missing.
  func time(_ name: String) throws(ChatError) -> Timestamp? {
    guard let text = query[name] else { return nil }
    guard let time = Timestamp(text) else {
      throw .invalid([
        FieldError(field: name, code: "invalid", detail: "This must be a time such as 2026-03-14T00:00:00Z.")
      ])
    }
    return time
  }

  /// The event that a reader has seen last, from `?after=`; nil when it is missing.
  func eventID(_ name: String) throws(ChatError) -> EventID? { try number(name).map(EventID.init) }
}
