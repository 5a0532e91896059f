import EventLoop
import Glibc
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@Suite("Static files")
struct StaticFilesTests {
  let directory: TemporaryFolder
  let clock = Box(ContinuousClock.now)
  let seconds = 784_111_777

  init() throws {
    directory = try TemporaryFolder()
    try directory.write("public/js/app.js", "import './models/room.js'\n")
    try directory.write("public/js/models/room.js", "export {}\n")
    try directory.write("public/css/order.txt", "# first the tokens\ntokens.css\n\n  parts/list.css \n")
    try directory.write("public/css/tokens.css", "a{}")
    try directory.write("public/css/parts/list.css", "b{}\n")
    try directory.write("public/.secret", "no")
    try directory.write("public/.git/config", "no")
    try directory.write("outside.txt", "no")
    symlink("../outside.txt", "\(directory.path)/public/link.txt")
    symlink("..", "\(directory.path)/public/up")
    try directory.touch("public/js/app.js", seconds: seconds)
  }

  func files(keptFileBytes: Int = 1024 * 1024, keptBytes: Int = 1024 * 1024) throws -> StaticFiles {
    try StaticFiles(
      root: "\(directory.path)/public", bundles: ["css/app.css": "css/order.txt"], keptFileBytes: keptFileBytes,
      keptBytes: keptBytes, now: { [clock] in clock.value })
  }

  func client(_ files: StaticFiles) -> TestClient {
    var router = Router()
    router.on(.get, "\(files.prefix)/*path", files.responder())
    return TestClient.inMemory(router)
  }

  static let immutable = "public, max-age=31536000, immutable"

  @Test("a file has its type, a strong tag, its date, and must be revalidated at its plain address")
  func plain() async throws {
    let response = try await client(files()).send(.get, "/assets/js/app.js")
    #expect(response.status == .ok)
    #expect(response.text == "import './models/room.js'\n")
    #expect(response.fields[.contentType] == "text/javascript; charset=utf-8")
    #expect(response.fields[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(response.fields[.cacheControl] == "no-cache")
    #expect(try #require(response.fields[.etag]).hasPrefix("\""))
  }

  @Test("the address with the tree's hash is immutable, and relative imports inherit it")
  func hashed() async throws {
    let files = try files()
    let client = client(files)
    let address = files.address(of: "js/app.js")
    #expect(address.hasPrefix("/assets/") && address.hasSuffix("/js/app.js"))
    let response = try await client.send(.get, address)
    #expect(response.status == .ok && response.fields[.cacheControl] == Self.immutable)
    let imported = address.dropLast("app.js".count) + "models/room.js"
    #expect(imported == files.address(of: "js/models/room.js"))
    #expect(try await client.send(.get, String(imported)).fields[.cacheControl] == Self.immutable)
    let stale = try await client.send(.get, "/assets/0123456789abcdef/js/app.js")
    #expect(stale.status == .ok && stale.fields[.cacheControl] == "no-cache")
    #expect(files.address(of: "js/none.js") == "/assets/js/none.js")
  }

  @Test("?v= with the content's hash is immutable, with another it is not")
  func versioned() async throws {
    let files = try files()
    let version = try #require(files.version(of: "js/app.js"))
    let client = client(files)
    #expect(try await client.send(.get, "/assets/js/app.js?v=\(version)").fields[.cacheControl] == Self.immutable)
    #expect(try await client.send(.get, "/assets/js/app.js?v=0").fields[.cacheControl] == "no-cache")
    #expect(files.version(of: "none") == nil)
  }

  @Test("conditions: 304 with what caches need, 412, and HEAD like GET (RFC 9110 sections 13 and 15.4.5)")
  func conditions() async throws {
    let client = try client(files())
    let full = try await client.send(.get, "/assets/js/app.js")
    let etag = try #require(full.fields[.etag])
    let unchanged = try await client.send(.get, "/assets/js/app.js", fields: [.ifNoneMatch: "W/\(etag)"])
    #expect(unchanged.status == .notModified && unchanged.body.isEmpty)
    #expect(unchanged.fields[.etag] == etag && unchanged.fields[.cacheControl] == "no-cache")
    #expect(unchanged.fields[.contentType] == nil)
    let date = try #require(full.fields[.lastModified])
    #expect(try await client.send(.get, "/assets/js/app.js", fields: [.ifModifiedSince: date]).status == .notModified)
    #expect(try await client.send(.get, "/assets/js/app.js", fields: [.ifNoneMatch: "\"x\""]).status == .ok)
    #expect(
      try await client.send(.get, "/assets/js/app.js", fields: [.ifMatch: "\"x\""]).status == .preconditionFailed)
    // RFC 9110 section 13.2.1: conditions are ignored if the response would not be a success without them.
    for fields: Fields in [[.ifNoneMatch: "*"], [.ifMatch: "*"], [.range: "bytes=0-"]] {
      #expect(try await client.send(.get, "/assets/none.js", fields: fields).status == .notFound)
    }
    let head = try await client.send(.head, "/assets/js/app.js")
    #expect(head.body.isEmpty && head.fields == full.fields)
  }

  @Test(
    "no spelling of a path leads outside the tree", .shows("control 3"),
    arguments: [
      "/assets/../outside.txt", "/assets/%2e%2e/outside.txt", "/assets/..%2foutside.txt",
      "/assets/js/..%2f..%2f..%2foutside.txt", "/assets/..%5coutside.txt", "/assets//etc/passwd",
      "/assets/%2fetc/passwd", "/assets/%252e%252e/outside.txt", "/assets/link.txt", "/assets/up/outside.txt",
      "/assets/.secret", "/assets/%2esecret", "/assets/.git/config", "/assets/js", "/assets/js/", "/assets/",
      "/assets/js/app.js/", "/assets/js//app.js", "/assets/js/app.js%00.png", "/assets/JS/app.js", "/assets",
      "/assets/none.js",
    ])
  func traversal(path: String) async throws {
    let response = try await client(files()).send(.get, path)
    #expect(response.status == .notFound || response.status == .badRequest)
    #expect(!response.text.contains("no\n") && response.text != "no")
  }

  @Test("a virtual file consists of its parts in the list's order, and has its own address")
  func bundle() async throws {
    let files = try files()
    let response = try await client(files).send(.get, files.address(of: "css/app.css"))
    #expect(response.text == "a{}\nb{}\n")
    #expect(response.fields[.contentType] == "text/css; charset=utf-8")
    #expect(response.fields[.cacheControl] == Self.immutable)
    #expect(
      files.paths == [
        "css/app.css", "css/order.txt", "css/parts/list.css", "css/tokens.css", "js/app.js", "js/models/room.js",
      ])
  }

  @Test("a list that names a missing file is an error at start-up")
  func brokenBundle() throws {
    try directory.write("public/css/order.txt", "tokens.css\nnone.css\n")
    #expect(throws: StaticFiles.Failure.missingPart("css/none.css", of: "css/app.css")) { try files() }
    try directory.write("public/css/order.txt", "../../outside.txt\n")
    #expect(throws: StaticFiles.Failure.missingPart("css/../../outside.txt", of: "css/app.css")) { try files() }
  }

  @Test("a change is visible after the next check: content, tag and addresses; a broken one is not")
  func reload() async throws {
    let files = try files()
    let client = client(files)
    let before = files.address(of: "js/models/room.js")
    try directory.write("public/js/app.js", "changed")
    try directory.write("public/css/tokens.css", "c{}\n")
    try directory.write("public/new.txt", "new")
    #expect(try await client.send(.get, "/assets/js/app.js").text.hasPrefix("import"))
    #expect(try await client.send(.get, "/assets/new.txt").status == .notFound)
    clock.value += .seconds(1)
    #expect(try await client.send(.get, "/assets/js/app.js").text == "changed")
    #expect(try await client.send(.get, "/assets/css/app.css").text == "c{}\nb{}\n")
    #expect(try await client.send(.get, "/assets/new.txt").text == "new")
    #expect(files.address(of: "js/models/room.js") != before)
    #expect(try await client.send(.get, before).fields[.cacheControl] == "no-cache")

    unlink("\(directory.path)/public/css/tokens.css")
    clock.value += .seconds(1)
    #expect(try await client.send(.get, "/assets/css/app.css").text == "c{}\nb{}\n")
    try directory.write("public/css/tokens.css", "d{}")
    unlink("\(directory.path)/public/new.txt")
    clock.value += .seconds(1)
    #expect(try await client.send(.get, "/assets/css/app.css").text == "d{}\nb{}\n")
    #expect(try await client.send(.get, "/assets/new.txt").status == .notFound)
  }

  @Test("the same tree has the same addresses in every run")
  func stable() throws {
    #expect(try files().address(of: "js/app.js") == files().address(of: "js/app.js"))
    let files = try files()
    let before = files.address(of: "js/app.js")
    clock.value += .seconds(1)
    #expect(files.address(of: "js/app.js") == before)
  }

  @Test("a file too large to cache is sent from disk, and never with an outdated tag")
  func large() async throws {
    let text = String(repeating: "0123456789abcdef", count: 40_000)
    try directory.write("public/large.bin", text)
    try directory.touch("public/large.bin", seconds: seconds)
    let files = try files(keptFileBytes: 1024)
    let response = try await client(files).send(.get, "/assets/large.bin")
    #expect(response.text == text)
    #expect(response.fields[.contentType] == "application/octet-stream")
    let kept = try await client(self.files()).send(.get, "/assets/large.bin")
    #expect(kept.fields[.etag] == response.fields[.etag])
    try directory.write("public/large.bin", "short")
    #expect(try await client(files).send(.get, "/assets/large.bin").status == .notFound)
    clock.value += .seconds(1)
    #expect(try await client(files).send(.get, "/assets/large.bin").text == "short")
  }

  @Test("total memory is bounded: files that do not fit are sent from disk")
  func budget() async throws {
    try directory.write("public/a.txt", String(repeating: "a", count: 600))
    try directory.write("public/b.txt", String(repeating: "b", count: 600))
    let client = try client(files(keptBytes: 1000))
    #expect(try await client.send(.get, "/assets/a.txt").body.count == 600)
    #expect(try await client.send(.get, "/assets/b.txt").body.count == 600)
  }

  @Test(
    "content types by extension",
    arguments: [
      ("a.css", "text/css; charset=utf-8"), ("a.svg", "image/svg+xml"), ("a.png", "image/png"),
      ("a.ico", "image/x-icon"), ("a.webmanifest", "application/manifest+json"), ("a.HTML", "text/html; charset=utf-8"),
      ("a.json", "application/json"), ("a.woff2", "font/woff2"), ("a.txt", "text/plain; charset=utf-8"),
      ("a.jpg", "image/jpeg"), ("a.gif", "image/gif"), ("a.webp", "image/webp"),
      ("a.d/none", "application/octet-stream"),
      ("none", "application/octet-stream"),
    ])
  func types(name: String, type: String) async throws {
    try directory.write("public/\(name)", "x")
    #expect(try await client(files()).send(.get, "/assets/\(name)").fields[.contentType] == type)
  }

  @Test("a missing root is an error")
  func noRoot() {
    #expect(throws: SystemError.self) { try StaticFiles(root: "\(directory.path)/none") }
  }
}
