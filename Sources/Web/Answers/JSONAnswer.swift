import Chat
import Crypto
import HTTP
import HTTPServer

/// Builds JSON responses, and conditional ones (RFC 9110 section 13) for resources that clients read repeatedly.
enum Answer {
  /// A JSON response to a write.
  static func json(_ status: Status = .ok, _ content: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    content(&writer)
    return Response(status: status, fields: [.contentType: "application/json"], body: .bytes(writer.bytes))
  }

  /// A JSON response to a read, with an ETag: `etag`, or a hash of the bytes. If the client has this version, a 304,
  /// without encoding if the tag is given. `fields` are added to both.
  static func entity(
    _ request: Request, etag: ETag? = nil, fields: Fields = Fields(), _ content: (inout JSONWriter) -> Void
  ) -> Response {
    var fields = fields
    fields.set(.contentType, "application/json")
    if !fields.contains(.cacheControl) { fields.set(.cacheControl, "private, no-cache") }
    fields.set(.vary, "Cookie")
    if let etag { return conditional(request, etag: etag, fields: fields) { encoded(content) } }
    let bytes = encoded(content)
    return conditional(request, bytes: bytes, etag: ETag(fingerprint(bytes)), fields: fields)
  }

  private static func encoded(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    content(&writer)
    return writer.bytes
  }

  /// Bytes with an ETag: the given one, otherwise a hash.
  static func conditional(_ request: Request, bytes: [UInt8], etag: ETag? = nil, fields: Fields) -> Response {
    conditional(request, etag: etag ?? ETag(hash(bytes)), fields: fields) { bytes }
  }

  private static func conditional(_ request: Request, etag: ETag, fields: Fields, _ bytes: () -> [UInt8]) -> Response {
    var fields = fields
    fields.set(.etag, etag.description)
    switch Conditions.evaluate(request.head, etag: etag) {
    case .proceed:
      return Response(fields: fields, body: .bytes(bytes()))
    case .notModified:
      fields.remove(.contentType)
      return Response(status: .notModified, fields: fields)
    case .preconditionFailed:
      return Problem.preconditionFailed.response(requestID: request.id)
    }
  }

  static let noContent = Response(status: .noContent)

  /// A hash with a key of this process (SipHash): a hundredth of the cost of a cryptographic one, and outsiders cannot
  /// construct collisions. After a restart clients load their copies again.
  private static func fingerprint(_ bytes: [UInt8]) -> String {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }

  /// The tag of rooms and messages as one person sees them. Every change to these logs an event, so the newest event's
  /// number identifies the state of an address. The key is that of `fingerprint`.
  static func tag(_ reader: UserID, at event: EventID) -> ETag {
    var hasher = Hasher()
    hasher.combine(reader)
    hasher.combine(event)
    return ETag(String(UInt(bitPattern: hasher.finalize()), radix: 36))
  }

  /// 128 bits of SHA-256: enough to distinguish any two states.
  static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)) }
}

extension Fields {
  /// Sets the newest event that the response reflects.
  mutating func setEventID(_ id: EventID) { set("hubbub-event-id", String(id)) }
}
