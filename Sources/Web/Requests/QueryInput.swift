import Chat
import HTTP
import HTTPServer

/// A request's query parameters by type; an invalid one is 422 with its name.
struct QueryInput {
  private let query: Query

  init(_ request: Request) {
    query = request.head.query
  }

  /// A parameter's text; nil if it is missing.
  func text(_ name: String) -> String? { query[name] }

  /// A non-negative integer; nil if it is missing.
  func number(_ name: String) throws(ChatError) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .invalid([FieldError(field: name, code: "invalid", detail: "This must be a whole number, 0 or greater.")])
    }
    return number
  }

  /// The page size: unless the route says otherwise 50 by default, at most 200 (docs/api.md, Conventions). As on GitHub,
  /// a larger value counts as the largest.
  func limit(default usual: Int = 50, most: Int = 200) throws(ChatError) -> Int {
    guard let limit = try number("limit") else { return usual }
    guard limit > 0 else {
      throw .invalid([FieldError(field: "limit", code: "invalid", detail: "A page has at least one entry.")])
    }
    return min(limit, most)
  }

  /// A time; nil if it is missing.
  func time(_ name: String) throws(ChatError) -> Timestamp? {
    guard let text = query[name] else { return nil }
    guard let time = Timestamp(text) else {
      throw .invalid([
        FieldError(field: name, code: "invalid", detail: "This must be a time such as 2026-03-14T00:00:00Z.")
      ])
    }
    return time
  }

  /// The reader's last event id, from `?after=`; nil if it is missing.
  func eventID(_ name: String) throws(ChatError) -> EventID? { try number(name).map(EventID.init) }
}
