import Chat
import HTTP
import HTTPServer

extension Answer {
  /// A page of a collection, with a `Link` to the next one. `found` is what the store gave when asked for one more than
  /// `limit`: the one more is not shown, but tells that there is a next page. `cursor` is where the page after an item
  /// begins; `write` writes an item. `fields` stand on the answer.
  static func page<Item>(
    _ request: Request, _ found: [Item], limit: Int, fields: Fields = Fields(), cursor: (Item) -> String,
    _ write: (inout JSONWriter, Item) -> Void
  ) -> Response {
    let shown = found.prefix(limit)
    var fields = fields
    if found.count > limit, let last = shown.last {
      var links = PageLinks(request, replacing: ["cursor"])
      links.add("next", "cursor", cursor(last))
      links.put(into: &fields)
    }
    return entity(request, fields: fields) { json in
      json.array { json in
        for item in shown { write(&json, item) }
      }
    }
  }
}
