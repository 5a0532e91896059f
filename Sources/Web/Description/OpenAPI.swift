import Chat
import HTTP

/// The description of this program's API (OpenAPI 3.1), generated from its routes.
enum OpenAPI {
  /// The document for `routes`.
  static func document(_ routes: [DescribedRoute]) -> [UInt8] {
    var json = JSONWriter(capacity: 32 * 1024)
    json.object { json in
      json.member("openapi", "3.1.0")
      json.name("info")
      json.object { json in
        json.member("title", "Hubbub")
        json.member("version", "1")
      }
      json.name("paths")
      json.object { json in
        for (pattern, routes) in grouped(routes) { write(pattern, routes, into: &json) }
      }
      json.name("components")
      json.object { json in
        json.name("schemas")
        json.object { json in
          for name in schemas(routes) {
            json.name(text: name)
            json.object { json in
              json.member("title", name.replacing("_", with: " "))
              json.member("type", "object")
            }
          }
        }
      }
    }
    return json.bytes
  }

  /// `/rooms/:room` as `/rooms/{room}`.
  static func template(_ pattern: String) -> String {
    pattern.split(separator: "/").map { "/" + ($0.first == ":" ? "{\($0.dropFirst())}" : $0) }.joined()
  }

  /// The routes grouped by pattern, in the order of their first appearance.
  private static func grouped(_ routes: [DescribedRoute]) -> [(pattern: String, routes: [DescribedRoute])] {
    var patterns: [String] = []
    for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
    return patterns.map { pattern in (pattern, routes.filter { $0.pattern == pattern }) }
  }

  /// The names of all objects in responses, in the form used in references.
  private static func schemas(_ routes: [DescribedRoute]) -> [String] {
    let names = routes.flatMap(\.operation.answers).compactMap { answer in
      if case .object(let name, _) = answer.content { reference(name) } else { nil }
    }
    return Set(names).sorted()
  }

  private static func reference(_ name: String) -> String { name.replacing(" ", with: "_") }

  private static func write(_ pattern: String, _ routes: [DescribedRoute], into json: inout JSONWriter) {
    json.name(text: template(pattern))
    json.object { json in
      let names = pattern.split(separator: "/").filter { $0.first == ":" }.map { String($0.dropFirst()) }
      if !names.isEmpty { parameters(names, "path", isRequired: true, into: &json) }
      for route in routes {
        json.name(text: route.method.name.lowercased())
        json.object { write(route.operation, into: &$0) }
      }
    }
  }

  private static func write(_ operation: Operation, into json: inout JSONWriter) {
    json.member("summary", operation.summary)
    if !operation.query.isEmpty { parameters(operation.query, "query", isRequired: false, into: &json) }
    if !operation.members.isEmpty {
      json.name("requestBody")
      json.content("application/json") { json in
        json.member("type", "object")
        json.name("properties")
        json.object { json in
          for member in operation.members {
            json.name(text: member)
            json.object { _ in }
          }
        }
      }
    }
    json.name("responses")
    json.object { json in
      for answer in operation.answers {
        json.name(text: String(answer.status.code))
        write(answer, into: &json)
      }
      json.name("default")
      json.object { $0.member("description", "A problem, application/problem+json by RFC 9457") }
    }
  }

  private static func write(_ answer: Operation.Success, into json: inout JSONWriter) {
    switch answer.content {
    case .none: json.object { $0.member("description", "Success") }
    case .media(let type): json.content(type, description: "Success") { $0.member("type", "string") }
    case .object(let name, let isList):
      let target = "#/components/schemas/" + reference(name)
      json.content("application/json", description: "Success") { json in
        guard isList else { return json.member("$ref", target) }
        json.member("type", "array")
        json.name("items")
        json.object { $0.member("$ref", target) }
      }
    }
  }

  private static func parameters(
    _ names: [String], _ place: String, isRequired: Bool, into json: inout JSONWriter
  ) {
    json.name("parameters")
    json.array { json in
      for name in names {
        json.object { json in
          json.member("name", name)
          json.member("in", place)
          json.member("required", isRequired)
          json.name("schema")
          json.object { $0.member("type", "string") }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes `content` with one media type, whose schema `schema` writes.
  fileprivate mutating func content(
    _ type: String, description: String? = nil, _ schema: (inout JSONWriter) -> Void
  ) {
    object { json in
      if let description { json.member("description", description) }
      json.name("content")
      json.object { json in
        json.name(text: type)
        json.object { json in
          json.name("schema")
          json.object(schema)
        }
      }
    }
  }
}
