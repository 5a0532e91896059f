import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

extension JSONValue {
  /// Any JSON, without the limits of requests.
  static func parse(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> JSONValue {
    try #require(try? JSONParser.value(of: Array(text.utf8)), "not JSON: \(text)", sourceLocation: location)
  }

  subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  subscript(_ index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var integer: Int? {
    if case .integer(let number) = self { number } else { nil }
  }

  var flag: Bool? {
    if case .flag(let flag) = self { flag } else { nil }
  }

  var array: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var names: Set<String> {
    if case .object(let members) = self { Set(members.keys) } else { [] }
  }

  func without(_ names: String...) -> JSONValue {
    if case .object(let members) = self { .object(members.filter { !names.contains($0.key) }) } else { self }
  }
}

extension TestResponse {
  /// The body as JSON.
  func json(_ location: SourceLocation = #_sourceLocation) throws -> JSONValue {
    try JSONValue.parse(text, location)
  }

  /// The target of `rel="<relation>"` in Link: a path on this server.
  func link(_ relation: String) -> String? {
    for link in (fields[.link] ?? "").split(separator: ", ") where link.hasSuffix("; rel=\"\(relation)\"") {
      return link.split(separator: ">").first.map { String($0.dropFirst()) }
    }
    return nil
  }

  /// Fails unless this is a problem as described in docs/api.md; returns the fields in error with their codes.
  @discardableResult
  func expectProblem(
    _ status: Status, _ name: String, _ location: SourceLocation = #_sourceLocation
  ) throws -> [String: String] {
    #expect(self.status == status, sourceLocation: location)
    #expect(fields.all(.contentType) == ["application/problem+json"], sourceLocation: location)
    let problem = try json(location)
    #expect(problem["type"]?.text == "/problems/" + name, sourceLocation: location)
    #expect(problem["status"]?.integer == status.code, sourceLocation: location)
    #expect(problem["title"]?.text?.isEmpty == false, sourceLocation: location)
    #expect(problem["detail"]?.text?.isEmpty == false, sourceLocation: location)
    #expect(problem["request_id"]?.text == fields[.xRequestID], sourceLocation: location)
    let errors = problem["errors"]?.array ?? []
    for error in errors { #expect(error["detail"]?.text?.isEmpty == false, sourceLocation: location) }
    return Dictionary(
      errors.map { ($0["field"]?.text ?? "?", $0["code"]?.text ?? "?") }, uniquingKeysWith: { $0 + " " + $1 })
  }
}
