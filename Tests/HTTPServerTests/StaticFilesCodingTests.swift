import EventLoop
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Static files in gzip")
struct StaticFilesCodingTests {
  let directory: TemporaryFolder
  let clock = Box(ContinuousClock.now)
  static let script = String(repeating: "export const answer = 42;\n", count: 100)
  static let gzip: Fields = [.acceptEncoding: "gzip, deflate, br"]
  static let path = "/assets/app.js"

  init() throws {
    directory = try TemporaryFolder()
    try directory.write("public/app.js", Self.script)
    try directory.write("public/small.js", String(repeating: "a", count: 511))
    try directory.write("public/picture.png", Self.script)
    try directory.write("public/css/order.txt", "a.css\nb.css\n")
    try directory.write("public/css/a.css", String(repeating: "a{}\n", count: 100))
    try directory.write("public/css/b.css", String(repeating: "b{}\n", count: 100))
  }

  func files(keptFileBytes: Int = 1024 * 1024, keptBytes: Int = 1024 * 1024) throws -> StaticFiles {
    try StaticFiles(
      root: "\(directory.path)/public", bundles: ["css/app.css": "css/order.txt"], keptFileBytes: keptFileBytes,
      keptBytes: keptBytes, now: { [clock] in clock.value })
  }

  func client(_ files: StaticFiles) -> TestClient {
    var router = Router()
    router.use(Compression())
    router.on(.get, "\(files.prefix)/*path", files.responder())
    return TestClient.inMemory(router)
  }

  static func coded(_ text: String) -> [UInt8]? { Gzip.encode(Array(text.utf8), effort: .thorough) }

  @Test("a text has two representations, each with its own strong tag, and both have Vary (RFC 9110 section 8.8.3)")
  func representations() async throws {
    let client = try client(files())
    let coded = try await client.send(.get, Self.path, fields: Self.gzip)
    #expect(coded.body == Self.coded(Self.script) && coded.fields[.contentEncoding] == "gzip")
    let plain = try await client.send(.get, Self.path)
    #expect(plain.text == Self.script && plain.fields[.contentEncoding] == nil)
    #expect(coded.fields[.etag] != plain.fields[.etag])
    for response in [coded, plain] {
      #expect(response.fields.all(.vary) == ["accept-encoding"])
      #expect(try #require(response.fields[.etag]).hasPrefix("\""))
      #expect(response.fields[.contentType] == "text/javascript; charset=utf-8")
      #expect(response.fields[.contentLength] == String(response.body.count))
    }
    let head = try await client.send(.head, Self.path, fields: Self.gzip)
    #expect(head.body.isEmpty && head.fields == coded.fields)
    let plainHead = try await client.send(.head, Self.path)
    #expect(plainHead.body.isEmpty && plainHead.fields == plain.fields)
  }

  @Test("under the hashed address either representation is immutable, and so are its parts")
  func immutable() async throws {
    let files = try files()
    var fields = Self.gzip
    fields.add("range", "bytes=0-9")
    let response = try await client(files).send(.get, files.address(of: "app.js"), fields: fields)
    #expect(response.status == .partialContent && response.body == Self.coded(Self.script).map { Array($0[..<10]) })
    #expect(response.fields[.cacheControl] == StaticFilesTests.immutable)
  }

  @Test("304 names the representation that the client has and accepts (RFC 9110 section 15.4.5)")
  func conditions() async throws {
    let client = try client(files())
    let coded = try #require(try await client.send(.get, Self.path, fields: Self.gzip).fields[.etag])
    let plain = try #require(try await client.send(.get, Self.path).fields[.etag])
    for (accepted, known, expected) in [
      ("gzip", coded, coded), ("gzip", plain, plain), ("", plain, plain), ("", "\(plain), \(coded)", plain),
      ("gzip", "\(plain), \(coded)", coded), ("gzip", "*", coded), ("", "*", plain),
      ("identity, gzip;q=0.5", coded, coded),
    ] {
      let response = try await client.send(
        .get, Self.path, fields: [.acceptEncoding: accepted, .ifNoneMatch: known])
      #expect(response.status == .notModified && response.body.isEmpty, "\(accepted) \(known)")
      #expect(response.fields[.etag] == expected && response.fields[.vary] == "accept-encoding")
      #expect(response.fields[.contentEncoding] == nil && response.fields[.contentType] == nil)
    }
    // A 304 would tell it to use a representation that it cannot decode or does not accept.
    for (accepted, known) in [("", coded), ("gzip;q=0", coded), ("gzip, identity;q=0", plain)] {
      let response = try await client.send(
        .get, Self.path, fields: [.acceptEncoding: accepted, .ifNoneMatch: known])
      #expect(response.status == .ok && !response.body.isEmpty, "\(accepted) \(known)")
    }
    for tag in [coded, plain] {
      #expect(
        try await client.send(.get, Self.path, fields: [.acceptEncoding: "gzip", .ifMatch: tag]).status == .ok)
    }
    #expect(
      try await client.send(.get, Self.path, fields: [.acceptEncoding: "gzip", .ifMatch: "\"x\""]).status
        == .preconditionFailed)
  }

  @Test("small files, pictures and incompressible files have one representation", arguments: ["gzip", ""])
  func identityOnly(accepted: String) async throws {
    let client = try client(files())
    for name in ["small.js", "picture.png"] {
      let response = try await client.send(.get, "/assets/\(name)", fields: [.acceptEncoding: accepted])
      #expect(response.status == .ok && response.fields[.contentEncoding] == nil && response.fields[.vary] == nil)
      #expect(response.text.utf8.count == (name == "small.js" ? 511 : Self.script.utf8.count))
    }
  }

  @Test("a bundle has a gzip representation of its whole content")
  func bundle() async throws {
    let client = try client(files())
    let plain = try await client.send(.get, "/assets/css/app.css")
    let coded = try await client.send(.get, "/assets/css/app.css", fields: Self.gzip)
    #expect(plain.body.count == 800 && coded.body == Self.coded(plain.text))
    #expect(coded.fields[.contentType] == "text/css; charset=utf-8")
  }

  @Test("a file changed on the disk gets a new gzip representation, an unchanged one keeps its own")
  func reload() async throws {
    let client = try client(files())
    let before = try await client.send(.get, Self.path, fields: Self.gzip)
    let style = try await client.send(.get, "/assets/css/app.css", fields: Self.gzip)
    let changed = Self.script + "// changed\n"
    try directory.write("public/app.js", changed)
    clock.value += .seconds(1)
    let after = try await client.send(.get, Self.path, fields: Self.gzip)
    #expect(after.body == Self.coded(changed) && after.fields[.etag] != before.fields[.etag])
    let tag = try #require(before.fields[.etag])
    #expect(
      try await client.send(.get, Self.path, fields: [.acceptEncoding: "gzip", .ifNoneMatch: tag]).status == .ok)
    #expect(try await client.send(.get, "/assets/css/app.css", fields: Self.gzip).fields == style.fields)
  }

  @Test("memory is bounded: a text with two representations counts twice, and uncached files are not compressed")
  func budget() async throws {
    try directory.write("few/a.txt", String(repeating: "a", count: 300))
    try directory.write("few/b.js", String(repeating: "b", count: 600))
    // 300 bytes once and 600 twice; in the first round one byte too few.
    for (kept, coding) in [(1499, nil), (1500, "gzip")] {
      let few = try StaticFiles(root: "\(directory.path)/few", keptBytes: kept)
      let response = try await client(few).send(.get, "/assets/b.js", fields: Self.gzip)
      #expect(response.status == .ok && response.fields[.contentEncoding] == coding)
      #expect(response.fields.contains(.vary) == (coding != nil))
    }
    let large = try await client(files(keptFileBytes: 500)).send(.get, Self.path, fields: Self.gzip)
    #expect(large.text == Self.script && large.fields[.contentEncoding] == nil)
  }
}
