import EventLoop
import Glibc
import HTTP

extension HTTPDate {
  /// The current second.
  static func now() -> HTTPDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return HTTPDate(seconds: time.tv_sec)
  }
}

extension Response {
  /// The maximum size of multiple parts of a file assembled in memory; beyond, the whole file is sent.
  private static let gatheredBytes = 1024 * 1024

  /// Applies the request's Range to this response: returns a 206 with one or more parts, a 416, or the response
  /// unchanged (RFC 9110 section 14). Changes only a 200 with bytes or a file.
  ///
  /// Evaluate conditions other than If-Range first.
  package func selectingRanges(for request: Request) -> Response {
    guard status == .ok, let count = body.count else { return self }
    var response = self
    if !fields.contains(.acceptRanges) { response.fields.add(.acceptRanges, "bytes") }
    // Only for range requests, since parsing tag and date costs more than the rest of a response.
    guard request.head[.range] != nil else { return response }
    let selection = ByteRanges.select(
      request.head, count: count, etag: fields[.etag].flatMap { ETag(parsing: $0) },
      lastModified: fields[.lastModified].flatMap { HTTPDate($0) }, now: .now())
    switch selection {
    case .whole: break
    case .unsatisfiable:
      response = Response(
        problem: ProtocolError(.rangeNotSatisfiable, "the ranges lie behind the end"), requestID: request.id)
      response.fields.set(.contentRange, ByteRanges.unsatisfiedRange(of: count))
    case .parts(let parts) where parts.count == 1:
      response.status = .partialContent
      response.fields.set(.contentRange, ByteRanges.contentRange(parts[0], of: count))
      response.body = body.part(parts[0])
    case .parts(let parts):
      guard let bytes = body.bytes(of: parts, within: Response.gatheredBytes) else { break }
      var random = SystemRandomNumberGenerator()
      let multipart = MultipartByteRanges(
        boundary: String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36),
        contentType: fields[.contentType], count: count)
      var content: [UInt8] = []
      for (index, part) in parts.enumerated() {
        content += multipart.head(of: part, isFirst: index == 0)
        content += bytes[index]
      }
      response.status = .partialContent
      response.fields.set(.contentType, multipart.mediaType)
      response.body = .bytes(content + multipart.end)
    }
    return response
  }
}

extension Response.Body {
  fileprivate func part(_ part: Range<Int>) -> Response.Body {
    switch self {
    case .empty, .eventStream: self
    case .bytes(let bytes): .bytes(Array(bytes[part]))
    case .file(let file): .file(FileBody(file.file, offset: file.offset + part.lowerBound, count: part.count))
    }
  }

  /// The parts in memory; nil if they exceed `limit` bytes of a file or cannot be read.
  fileprivate func bytes(of parts: [Range<Int>], within limit: Int) -> [[UInt8]]? {
    switch self {
    case .empty, .eventStream: return nil
    case .bytes(let bytes): return parts.map { Array(bytes[$0]) }
    case .file(let file):
      guard parts.reduce(0, { $0 + $1.count }) <= limit else { return nil }
      return try? parts.map { try file.file.read(offset: file.offset + $0.lowerBound, count: $0.count) }
    }
  }
}
