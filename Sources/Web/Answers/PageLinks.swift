import HTTP
import HTTPServer

/// The `Link` field (RFC 8288) of one page of a collection. Targets are paths on this server: a client resolves them
/// against the address that it asked.
struct PageLinks {
  private let path: String
  private let kept: [(name: String, value: String)]
  private var links: [String] = []

  /// Links to other pages of what `request` asked for; parameters in `replaced` are the cursors, the others are kept.
  /// `path` is where the collection is, if not where it was asked for.
  init(_ request: Request, path: String? = nil, replacing replaced: Set<String>) {
    self.path = path ?? String(decoding: request.head.encodedPath, as: UTF8.self)
    kept = request.head.query.items.filter { !replaced.contains($0.name) }
  }

  /// Adds a page: its relation and the parameter that leads to it.
  mutating func add(_ relation: String, _ name: String, _ value: String) {
    let query = (kept + [(name, value)]).map {
      HTTP.PercentEncoding.encode($0.name) + "=" + HTTP.PercentEncoding.encode($0.value)
    }
    links.append("<\(path)?\(query.joined(separator: "&"))>; rel=\"\(relation)\"")
  }

  /// Puts the field among `fields` if there is a link.
  func put(into fields: inout Fields) {
    if !links.isEmpty { fields.set(.link, links.joined(separator: ", ")) }
  }
}
