import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The avatar cache")
struct AvatarCacheTests {
  private let clock = ManualClock()
  private let folder: TemporaryFolder
  private static let address = "https://avatars.githubusercontent.com/u/1?v=4"

  init() throws { folder = try TemporaryFolder(isCreated: false) }

  private func cache(
    _ transport: any Transport, _ change: (inout GitHubConfiguration) -> Void = { _ in }
  ) -> AvatarCache {
    var configuration = GitHubConfiguration()
    configuration.credential = .token("secret")
    change(&configuration)
    return AvatarCache(folder: folder.path, configuration: configuration, transport: transport, clock: clock)
  }

  private static func picture(_ bytes: [UInt8] = Pictures.png, etag: String = "\"a\"") -> TransportResponse {
    TransportResponse(status: 200, fields: ["ETag": etag, "Content-Type": "text/html"], body: bytes)
  }

  @Test("A picture is fetched once without the token, stored under a hashed name, and survives a restart", .shows("D8"))
  func keeps() async throws {
    let transport = ScriptedTransport([Self.picture()])
    let first = try await cache(transport).picture(at: Self.address, size: 70)
    let request = try #require(transport.requests.first)
    #expect(request.address.text == "https://avatars.githubusercontent.com/u/1?v=4&s=80")
    #expect(request.fields == ["User-Agent": "Hubbub", "Accept": "image/*"])
    #expect(request.bodyLimit == 1 << 20 && request.timeout == .seconds(5))
    #expect(folder.names.count == 1)
    #expect(folder.names[0].utf8.count == 64 && folder.names[0].allSatisfy(\.isHexDigit))
    let second = try await cache(ScriptedTransport([])).picture(at: Self.address, size: 80)
    #expect(second.bytes == Pictures.png && second.etag == first.etag && second.mediaType == "image/png")
    #expect(first.etag.utf8.count == 32)
  }

  @Test("The media type is detected from the bytes")
  func types() async throws {
    for (bytes, type) in [
      (Pictures.png, "image/png"), (Pictures.jpeg, "image/jpeg"), (Pictures.gif, "image/gif"),
      (Pictures.webp, "image/webp"),
    ] {
      let cache = cache(ScriptedTransport([Self.picture(bytes)]))
      let image = try await cache.picture(at: "https://avatars.githubusercontent.com/u/\(type)", size: 40)
      #expect(image.mediaType == type)
    }
  }

  @Test(
    "Only known hosts over https, and the configured GitHub itself, are contacted", .shows("control 11"),
    arguments: [
      "http://avatars.githubusercontent.com/u/1", "https://avatars.githubusercontent.com:8443/u/1",
      "https://evil.example/u/1", "https://avatars.githubusercontent.com.evil.example/u/1", "http://127.0.0.1/u/1",
      "http://169.254.169.254/latest", "file:///etc/passwd", "https://avatars.githubusercontent.com@evil.example/",
      "", "/u/1", "https://[::ffff:127.0.0.1]/u/1", "https://[::1]/u/1", "https://10.0.0.1/u/1",
      "https://localhost/u/1",
      "https://2130706433/u/1", "https://avatars.githubusercontent.com./u/1", "ftp://avatars.githubusercontent.com/u/1",
    ])
  func hosts(_ address: String) async throws {
    let cache = cache(ScriptedTransport([]))
    let error = await #expect(throws: GitHubError.self) { try await cache.picture(at: address, size: 40) }
    #expect(error?.kind == .invalid)
  }

  @Test("A redirect is checked like the first address, three at most", .shows("control 11"))
  func redirects() async throws {
    @Sendable func moved(_ location: String) -> TransportResponse {
      TransportResponse(status: 302, fields: ["Location": location])
    }
    let good = ScriptedTransport([moved("https://avatars0.githubusercontent.com/u/1"), Self.picture()])
    _ = try await cache(good).picture(at: Self.address, size: 40)
    for (number, location) in [
      "http://127.0.0.1/", "https://evil.example/x", "u/2", "//evil.example/u/1",
      "http://avatars.githubusercontent.com/u/1",
      "https://avatars.githubusercontent.com@127.0.0.1/", "https://[::ffff:10.0.0.1]/", "file:///etc/passwd",
      "https://avatars.githubusercontent.com:22/u/1",
    ].enumerated() {
      let transport = ScriptedTransport([moved(location)])
      let other = cache(transport)
      await #expect(throws: GitHubError.self) {
        try await other.picture(at: "https://avatars.githubusercontent.com/u/\(number + 100)", size: 40)
      }
      #expect(transport.requests.count == 1)
    }
    let circle = ScriptedTransport { _ in moved("/u/9") }
    let other = cache(circle)
    await #expect(throws: GitHubError.self) {
      try await other.picture(at: "https://avatars.githubusercontent.com/u/9", size: 40)
    }
    #expect(circle.requests.count == 4)
  }

  @Test("After six hours the old picture is served at once and revalidated in the background", .shows("D8"))
  func revalidates() async throws {
    let transport = ScriptedTransport([Self.picture()])
    let cache = cache(transport)
    _ = try await cache.picture(at: Self.address, size: 40)
    clock.advance(by: .seconds(21_599))
    _ = try await cache.picture(at: Self.address, size: 40)
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 304) }
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png)
    await transport.arrived(2)
    #expect(transport.requests[1].fields["If-None-Match"] == "\"a\"")
    let name = folder.names[0]
    let now = clock.now.milliseconds
    try await eventually { AvatarFile(file: folder.contents(of: name))?.checkedAt == now }
    _ = try await cache.picture(at: Self.address, size: 40)
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(21_600))
    transport.follow { _ in Self.picture(Pictures.otherPNG, etag: "\"b\"") }
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png)
    try await eventually { try await cache.picture(at: Self.address, size: 40).bytes == Pictures.otherPNG }
  }

  @Test(
    "A changed picture is shown within a day; an unresponsive host delays readers by at most a second",
    .shows("D8"))
  func withinADay() async throws {
    let transport = ScriptedTransport([Self.picture()])
    let cache = cache(transport)
    _ = try await cache.picture(at: Self.address, size: 40)
    clock.advance(by: .seconds(82_800))
    transport.follow { _ in Self.picture(Pictures.otherPNG, etag: "\"b\"") }
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.otherPNG, "at the first look")
    clock.advance(by: .seconds(82_800))
    let gate = Gate()
    transport.follow { (_) throws(TransportFailure) in
      await gate.pass()
      throw .timedOut
    }
    let look = Task { try await cache.picture(at: Self.address, size: 40) }
    await transport.arrived(3)
    try await eventually { clock.waiting > 0 }
    clock.advance(by: .seconds(1))
    #expect(try await look.value.bytes == Pictures.otherPNG)
    gate.open()
    // While the host is known not to respond, cached pictures are served at once, other pictures too.
    _ = try? await cache.picture(at: "https://avatars.githubusercontent.com/u/2", size: 40)
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.otherPNG)
  }

  @Test(
    "The old picture is kept if GitHub fails or sends something else, and is not requested again at once", .shows("D8"))
  func keepsOld() async throws {
    let transport = ScriptedTransport([Self.picture()])
    let cache = cache(transport)
    _ = try await cache.picture(at: Self.address, size: 40)
    clock.advance(by: .seconds(90_000))
    transport.follow { _ in Self.picture(Array("<html>".utf8)) }
    _ = try await cache.picture(at: Self.address, size: 40)
    try await eventually {
      // Once the failure is recorded, no more requests are sent.
      let before = transport.requests.count
      let image = try await cache.picture(at: Self.address, size: 40)
      return image.bytes == Pictures.png && before >= 2 && transport.requests.count == before
    }
    transport.follow { (_) throws(TransportFailure) in throw .timedOut }
    clock.advance(by: .seconds(31))
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png)
  }

  @Test("A failure is cached: a missing picture for ten minutes, others for half a minute")
  func remembersFailures() async throws {
    let transport = ScriptedTransport { _ in TransportResponse(status: 404) }
    let cache = cache(transport)
    for _ in 0..<3 {
      let error = await #expect(throws: GitHubError.self) { try await cache.picture(at: Self.address, size: 40) }
      #expect(error?.kind == .notFound)
    }
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(600))
    for (status, kind) in [(503, GitHubError.Kind.server), (403, .forbidden), (200, .malformed), (304, .malformed)] {
      transport.follow { _ in TransportResponse(status: status) }
      let error = await #expect(throws: GitHubError.self) { try await cache.picture(at: Self.address, size: 40) }
      #expect(error?.kind == kind)
      clock.advance(by: .seconds(30))
    }
    transport.follow { (_) throws(TransportFailure) in throw .oversized }
    let error = await #expect(throws: GitHubError.self) { try await cache.picture(at: Self.address, size: 40) }
    #expect(error?.kind == .oversized)
  }

  @Test("A torn or changed file counts as missing; a draft left by a crash is removed", .shows("D8"))
  func torn() async throws {
    _ = try await cache(ScriptedTransport([Self.picture()])).picture(at: Self.address, size: 40)
    let name = folder.names[0]
    let whole = folder.contents(of: name)
    for length in 0..<whole.count { #expect(AvatarFile(file: Array(whole.prefix(length))) == nil) }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 0x40
      #expect(AvatarFile(file: changed) == nil, "byte \(index)")
    }
    try folder.write(name, Array(whole.dropLast()))
    try folder.write(name + ".7.new", whole)
    let transport = ScriptedTransport([Self.picture(Pictures.otherPNG)])
    #expect(try await cache(transport).picture(at: Self.address, size: 40).bytes == Pictures.otherPNG)
    #expect(folder.names == [name])
  }

  @Test("The folder stays within its limit; the least recently used are evicted first, also after a restart")
  func evicts() async throws {
    let one = AvatarFile(checkedAt: 0, etag: "\"a\"", bytes: Pictures.png).encoded.count
    let transport = ScriptedTransport { _ in Self.picture() }
    func fresh() -> AvatarCache { cache(transport) { $0.avatarCacheBytes = one * 10 } }
    func ask(_ number: Int, of cache: AvatarCache) async throws {
      _ = try await cache.picture(at: "https://avatars.githubusercontent.com/u/\(number)", size: 40)
    }
    let first = fresh()
    for number in 0..<10 {
      try await ask(number, of: first)
      clock.advance(by: .seconds(60))
    }
    #expect(folder.names.count == 10)
    try await ask(0, of: first)
    let second = fresh()
    clock.advance(by: .seconds(60))
    try await ask(1, of: second)
    let third = fresh()
    try await ask(10, of: third)
    #expect(folder.names.count == 9)
    let before = transport.requests.count
    for number in [0, 1, 4, 10] { try await ask(number, of: third) }
    #expect(transport.requests.count == before, "what was looked at is there")
    for number in [2, 3] { try await ask(number, of: third) }
    #expect(transport.requests.count == before + 2, "and what was not is gone")
  }

  @Test("A popular picture is read from disk once, and its use is recorded once a minute")
  func hot() async throws {
    let cache = cache(ScriptedTransport([Self.picture()]))
    _ = try await cache.picture(at: Self.address, size: 40)
    try folder.write(folder.names[0], "torn")
    for _ in 0..<100 { #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png) }
  }

  @Test("Only their owner can read pictures", .shows("control 16"))
  func permissions() async throws {
    _ = try await cache(ScriptedTransport([Self.picture()])).picture(at: Self.address, size: 40)
    #expect(folder.mode(of: "") == 0o700 && folder.mode(of: folder.names[0]) == 0o600)
  }

  @Test("A file that is not a picture, or has too many pixels, is not cached", .shows("control 11"))
  func tooLarge() async throws {
    for (number, bytes) in [
      Pictures.png(2049, 1), Pictures.png(1, 60_000), Pictures.png(0, 4), Array(Pictures.png.prefix(20)), Pictures.svg,
    ].enumerated() {
      let cache = cache(ScriptedTransport([Self.picture(bytes)]))
      let error = await #expect(throws: GitHubError.self) {
        try await cache.picture(at: "https://avatars.githubusercontent.com/u/\(number)", size: 40)
      }
      #expect(error?.kind == .malformed)
    }
    #expect(folder.names == [])
    let largest = cache(ScriptedTransport([Self.picture(Pictures.png(2048, 2048))]))
    _ = try await largest.picture(at: "https://avatars.githubusercontent.com/u/99", size: 40)
  }

  @Test("If the folder is not writable, pictures are served without caching")
  func unwritable() async throws {
    let cache = AvatarCache(
      folder: "/dev/null/avatars", configuration: GitHubConfiguration(),
      transport: ScriptedTransport { _ in Self.picture() },
      clock: clock)
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png)
    #expect(try await cache.picture(at: Self.address, size: 40).bytes == Pictures.png)
  }

  @Test("Six pictures are fetched at once; a request without waiters leaves the queue", .shows("D8"))
  func bounded() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return Self.picture()
    }
    let cache = cache(transport)
    @Sendable func ask(_ number: Int) -> Task<AvatarImage, any Error> {
      Task { try await cache.picture(at: "https://avatars.githubusercontent.com/u/\(number)", size: 40) }
    }
    let shown = (0..<6).map(ask)
    await transport.arrived(6)
    let scrolledAway = (6..<20).map(ask)
    for task in scrolledAway { task.cancel() }
    for task in scrolledAway { await #expect(throws: CancellationError.self) { try await task.value } }
    gate.open()
    for task in shown { _ = try await task.value }
    #expect(transport.requests.count == 6)
  }
}
