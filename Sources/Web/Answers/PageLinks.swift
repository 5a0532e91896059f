import Base
import HTTP
import HTTPServer

/// The `Link` field (RFC 8288) of one page of a collection. Targets are paths on this server, which clients resolve
/// against the requested address.
struct PageLinks {
  private let path: String
  private let kept: [(name: String, value: String)]
  private var links: [String] = []

  /// Links to other pages of what `request` asked for. Parameters in `replaced` are cursors; the others are kept.
  /// `path` is the collection's path, if it differs from the request's.
  init(_ request: Request, path: String? = nil, replacing replaced: Set<String>) {
    self.path = path ?? String(decoding: request.head.encodedPath, as: UTF8.self)
    kept = request.head.query.items.filter { !replaced.contains($0.name) }
  }

  /// Adds a page: its relation and the query parameter that selects it.
  mutating func add(_ relation: String, _ name: String, _ value: String) {
    let query = (kept + [(name, value)]).map {
      PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value)
    }
    links.append("<\(path)?\(query.joined(separator: "&"))>; rel=\"\(relation)\"")
  }

  /// Adds the field to `fields` if there is a link.
  func put(into fields: inout Fields) {
    if !links.isEmpty { fields.set(.link, links.joined(separator: ", ")) }
  }
}
