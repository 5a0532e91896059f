import HTTP

/// A route's description for OpenAPI, declared with the route.
struct Operation: Sendable {
  /// A successful response.
  struct Success: Sendable {
    /// The response's body.
    enum Content: Sendable, Equatable {
      case none
      /// JSON: an object of this schema, or an array of them.
      case object(String, isList: Bool)
      /// A different media type.
      case media(String)
    }

    let status: Status
    let content: Content

    /// 200 with an object of this schema.
    static func ok(_ name: String) -> Success { Success(status: .ok, content: .object(name, isList: false)) }
    /// 200 with an array of objects of this schema.
    static func list(_ name: String) -> Success { Success(status: .ok, content: .object(name, isList: true)) }
    /// 201 with an object of this schema.
    static func created(_ name: String) -> Success { Success(status: .created, content: .object(name, isList: false)) }
    /// 204.
    static let noContent = Success(status: .noContent, content: .none)
    /// 200 with a body of this media type.
    static func media(_ type: String) -> Success { Success(status: .ok, content: .media(type)) }
  }

  /// A one-line summary.
  let summary: String
  /// Whether anyone may call it, signed in or not.
  let isOpen: Bool
  /// The names of the query parameters.
  let query: [String]
  /// The members that the JSON body may have.
  let members: [String]
  /// The successful responses, the usual one first.
  let answers: [Success]
}

/// A route with its description.
struct DescribedRoute: Sendable {
  let method: HTTP.Method
  let pattern: String
  let operation: Operation
}
