import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@Suite("Ranges of files (RFC 9110 section 14)", .shows("H1"))
struct RangeTests {
  let directory: TemporaryFolder
  static let text = String(repeating: "0123456789", count: 50)

  init() throws {
    directory = try TemporaryFolder()
    try directory.write("public/a.txt", Self.text)
    try directory.write("public/script.js", String(repeating: "let a = 1;\n", count: 100))
    try directory.touch("public/a.txt", seconds: 784_111_777)
  }

  /// Served from memory, or from disk if nothing is cached.
  func client(isKept: Bool) throws -> TestClient {
    let files = try StaticFiles(root: "\(directory.path)/public", keptFileBytes: isKept ? 1 << 20 : 0)
    var router = Router()
    router.use(Compression())
    router.on(.get, "/assets/*path", files.responder())
    return TestClient.inMemory(router)
  }

  @Test("9110 15.3.7.1 one range is 206 with its position, and all fields of the 200", arguments: [true, false])
  func single(isKept: Bool) async throws {
    let client = try client(isKept: isKept)
    let whole = try await client.send(.get, "/assets/a.txt")
    #expect(whole.fields[.acceptRanges] == "bytes" && whole.fields[.contentRange] == nil)
    for (value, place, text) in [
      ("5-12", "5-12", "56789012"), ("-3", "497-499", "789"), ("495-", "495-499", "56789"),
      ("0-999", "0-499", Self.text),
    ] {
      let part = try await client.send(.get, "/assets/a.txt", fields: ["range": "bytes=\(value)"])
      #expect(part.status == .partialContent && part.text == text)
      #expect(part.fields[.contentRange] == "bytes \(place)/500")
      for name: FieldName in [.etag, .lastModified, .cacheControl, .contentType, .acceptRanges] {
        #expect(part.fields[name] == whole.fields[name])
      }
    }
  }

  @Test("9110 15.3.7.2 several ranges are multipart/byteranges, in the requested order", arguments: [true, false])
  func several(isKept: Bool) async throws {
    let response = try await client(isKept: isKept).send(
      .get, "/assets/a.txt", fields: ["range": "bytes=10-14, -2, 0-0"])
    #expect(response.status == .partialContent)
    #expect(response.fields[.contentRange] == nil, "it stands in the parts")
    let type = try #require(response.fields[.contentType].flatMap { MediaType($0) })
    #expect(type.essence == "multipart/byteranges")
    let boundary = try #require(type.parameters["boundary"])
    let parts = response.text.split(separator: "--\(boundary)").map { $0.split(separator: "\r\n") }
    #expect(parts.count == 4 && parts[3] == ["--"])
    for (part, expected) in zip(parts, [("10-14", "01234"), ("498-499", "89"), ("0-0", "0")]) {
      #expect(
        part == ["content-type: text/plain; charset=utf-8", "content-range: bytes \(expected.0)/500", expected.1[...]])
    }
  }

  @Test("9110 15.5.17 an empty selection is 416 with the length", arguments: [true, false])
  func unsatisfiable(isKept: Bool) async throws {
    let response = try await client(isKept: isKept).send(.get, "/assets/a.txt", fields: ["range": "bytes=500-"])
    #expect(response.status == .rangeNotSatisfiable)
    #expect(response.fields[.contentRange] == "bytes */500")
  }

  @Test("9110 13.2.2 other conditions come first; If-Range decides between part and whole", arguments: [true, false])
  func conditions(isKept: Bool) async throws {
    let client = try client(isKept: isKept)
    let whole = try await client.send(.get, "/assets/a.txt")
    let (tag, date) = (try #require(whole.fields[.etag]), try #require(whole.fields[.lastModified]))
    for (name, value, status) in [
      ("if-none-match", tag, Status.notModified), ("if-match", "\"x\"", .preconditionFailed),
      ("if-range", tag, .partialContent), ("if-range", date, .partialContent), ("if-range", "\"x\"", .ok),
      ("if-range", "W/\(tag)", .ok), ("if-match", tag, .partialContent),
    ] as [(FieldName, String, Status)] {
      let response = try await client.send(.get, "/assets/a.txt", fields: ["range": "bytes=0-4", name: value])
      #expect(response.status == status, "\(name): \(value)")
    }
    let head = try await client.send(.head, "/assets/a.txt", fields: ["range": "bytes=0-4"])
    #expect(head.status == .ok && head.fields[.contentLength] == "500")
  }

  @Test("9110 14.2 a range is of the selected representation; a resumed one continues with the same")
  func representations() async throws {
    let client = try client(isKept: true)
    let gzip = try await client.send(.get, "/assets/script.js", fields: [.acceptEncoding: "gzip"])
    let part = try await client.send(
      .get, "/assets/script.js", fields: [.acceptEncoding: "gzip", "range": "bytes=2-5"])
    #expect(part.status == .partialContent && part.body == Array(gzip.body[2...5]))
    #expect(part.fields[.contentEncoding] == "gzip" && part.fields[.etag] == gzip.fields[.etag])
    let plain = try await client.send(.get, "/assets/script.js")
    let resumed = try await client.send(
      .get, "/assets/script.js",
      fields: [.acceptEncoding: "gzip", "range": "bytes=2-5", "if-range": try #require(plain.fields[.etag])])
    #expect(resumed.status == .partialContent && resumed.body == Array(plain.body[2...5]))
    #expect(resumed.fields[.contentEncoding] == nil)
  }

  @Test("several ranges of a large file are not assembled in memory: the whole file is sent")
  func manyOfALargeFile() async throws {
    try directory.write("public/large.bin", String(repeating: "x", count: 1_200_000))
    let client = try client(isKept: false)
    let response = try await client.send(
      .get, "/assets/large.bin", fields: ["range": "bytes=0-600000,600002-1199999"])
    #expect(response.status == .ok && response.body.count == 1_200_000)
    let part = try await client.send(.get, "/assets/large.bin", fields: ["range": "bytes=1-1199998"])
    #expect(part.status == .partialContent && part.body.count == 1_199_998)
  }

  @Test("responses other than 200 and event streams have no ranges")
  func others() throws {
    let request = Request(head: try TestClient.head(.get, "/", fields: ["range": "bytes=0-0"]))
    let missing = Response(status: .notFound, body: .bytes([1, 2])).selectingRanges(for: request)
    #expect(missing.status == .notFound && missing.fields[.acceptRanges] == nil)
    let stream = Response(body: .eventStream { _ in }).selectingRanges(for: request)
    #expect(stream.status == .ok && stream.fields[.acceptRanges] == nil)
    #expect(Response().selectingRanges(for: request).status == .rangeNotSatisfiable)
  }

  @Test("9110 8.8.2.1 Last-Modified is never later than Date, whatever the file system reports")
  func future() async throws {
    try directory.touch("public/a.txt", seconds: 4_000_000_000)
    let response = try await client(isKept: true).send(.get, "/assets/a.txt")
    let date = try #require(response.fields[.lastModified].flatMap { HTTPDate($0) })
    #expect(date < HTTPDate(seconds: 4_000_000_000 - 86_400))
  }
}
