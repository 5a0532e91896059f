import Chat
import HTTP
import HTTPServer

extension Answer {
  /// A page of a collection, with a `Link` to the next one. `found` is the store's result for `limit` plus one items:
  /// the extra item is not shown, but indicates a next page. `cursor` is the position after an item; `write` encodes an
  /// item. The page ends early if it is large enough. `fields` are added to the response.
  static func page<Item>(
    _ request: Request, _ found: [Item], limit: Int, etag: ETag? = nil, fields: Fields = Fields(),
    cursor: (Item) -> String,
    _ write: (inout JSONWriter, Item) -> Void
  ) -> Response {
    if let etag, Conditions.evaluate(request.head, etag: etag) != .proceed {
      return entity(request, etag: etag, fields: fields) { _ in }
    }
    var pieces = JSONWriter(capacity: 1024)
    var shown = 0
    pieces.array { json in
      for item in found.prefix(limit) where json.bytes.count < PageRules.bytes {
        write(&json, item)
        shown += 1
      }
    }
    var fields = fields
    if found.count > shown, let last = found[..<shown].last {
      var links = PageLinks(request, replacing: ["cursor"])
      links.add("next", "cursor", cursor(last))
      links.put(into: &fields)
    }
    return entity(request, etag: etag, fields: fields) { $0.raw(pieces.bytes) }
  }
}
