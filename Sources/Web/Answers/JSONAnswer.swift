import Chat
import Crypto
import HTTP
import HTTPServer

/// Makes answers of JSON, and the conditional ones (RFC 9110 section 13) of whatever can be read again.
enum Answer {
  /// JSON that answers a write.
  static func json(_ status: Status = .ok, _ content: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    content(&writer)
    return Response(status: status, fields: [.contentType: "application/json"], body: .bytes(writer.bytes))
  }

  /// JSON that answers a read: with an ETag, and a 304 for who has it already. `fields` stand on both.
  static func entity(
    _ request: Request, fields: Fields = Fields(), _ content: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter(capacity: 1024)
    content(&writer)
    var fields = fields
    fields.set(.contentType, "application/json")
    if !fields.contains(.cacheControl) { fields.set(.cacheControl, "private, no-cache") }
    fields.set(.vary, "Cookie")
    return conditional(request, bytes: writer.bytes, fields: fields)
  }

  /// Bytes with an ETag: the given one, else of their own hash.
  static func conditional(_ request: Request, bytes: [UInt8], etag: ETag? = nil, fields: Fields) -> Response {
    let etag = etag ?? ETag(hash(bytes))
    var fields = fields
    fields.set(.etag, etag.description)
    switch Conditions.evaluate(request.head, etag: etag) {
    case .proceed:
      return Response(fields: fields, body: .bytes(bytes))
    case .notModified:
      fields.remove(.contentType)
      return Response(status: .notModified, fields: fields)
    case .preconditionFailed:
      let problem = Problem(
        name: .conflict, status: .preconditionFailed, detail: "What is here now is not what If-Match names.")
      return problem.response(requestID: request.id)
    }
  }

  /// 204.
  static let noContent = Response(status: .noContent)

  /// 128 bits of SHA-256: enough to tell any two states apart.
  static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)) }
}

extension Fields {
  /// Up to which event the state in this answer is true.
  mutating func setEventID(_ id: EventID) { set("hubbub-event-id", String(id)) }
}
