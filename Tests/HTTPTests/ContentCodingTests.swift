import CZlib
import Testing

@testable import HTTP

@Suite("Content codings")
struct ContentCodingTests {
  @Test(
    "the coding is chosen by weight, gzip unless refused (RFC 9110 section 12.5.3)",
    arguments: [
      ("", .identity), ("gzip", .gzip), ("GZip", .gzip), ("x-gzip", .gzip), ("gzip, deflate, br, zstd", .gzip),
      ("br", .identity), ("identity", .identity), ("*", .gzip), ("*;q=0", .identity), ("*;q=0.5", .gzip),
      ("gzip;q=0", .identity), ("gzip;q=0.000", .identity), ("gzip;q=0.001", .gzip), ("gzip;q=0, *", .identity),
      ("gzip;q=0.5", .gzip), ("gzip;q=0.5, identity;q=0.5", .gzip), ("gzip;q=0.5, identity", .identity),
      ("gzip;q=0.5, *", .identity), ("gzip, identity;q=0", .gzip), ("identity;q=0", .identity),
      ("identity;q=0, *;q=0.1", .gzip), ("br, *;q=0.1", .gzip), ("*;q=0, gzip", .gzip), ("gzip;q=1.000", .gzip),
      (" gzip\t;  Q=0.8 ,, br", .gzip), ("x-gzip;q=0, gzip", .identity),
      // Malformed members are ignored.
      ("gzip;q=2", .identity), ("gzip;q=1.001", .identity), ("gzip;q=0.1234", .identity), ("gzip;q=", .identity),
      ("gzip;q=-1", .identity), ("gzip;level=9", .identity), ("gzip br", .identity), ("gzip;q=.5", .identity),
      ("gzip;q=1x", .identity), (";q=1", .identity), ("gzip;q=0x, gzip", .gzip), ("gzip;", .identity),
    ] as [(String, ContentCoding)])
  func negotiation(value: String, expected: ContentCoding) {
    #expect(AcceptEncoding(value).preferred == expected)
  }

  @Test("identity is acceptable unless refused, gzip only if named")
  func acceptability() {
    #expect(AcceptEncoding("").accepts(.identity) && !AcceptEncoding("").accepts(.gzip))
    #expect(AcceptEncoding("br").accepts(.identity))
    #expect(!AcceptEncoding("identity;q=0").accepts(.identity))
    #expect(!AcceptEncoding("gzip, *;q=0").accepts(.identity) && AcceptEncoding("gzip, *;q=0").accepts(.gzip))
    #expect(AcceptEncoding("*;q=0, identity;q=0.1").accepts(.identity))
  }

  @Test("several field lines are one list, and a request without the field accepts identity only")
  func lines() throws {
    func head(_ lines: String) throws -> RequestHead {
      var parser = RequestParser(limits: Limits())
      let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)
      guard case .parsed(let head, _) = parser.parse(bytes.span) else {
        throw ProtocolError(.badRequest, "not parsed")
      }
      return head
    }
    #expect(AcceptEncoding(try head("")).preferred == .identity)
    #expect(AcceptEncoding(try head("Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n")).preferred == .gzip)
    #expect(AcceptEncoding(try head("Accept-Encoding: gzip;q=0\r\nAccept-Encoding: *\r\n")).preferred == .identity)
  }

  @Test(
    "texts are worth compressing, event streams and pictures are not",
    arguments: [
      ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/problem+json", true),
      ("text/html; charset=utf-8", true), ("text/css", true), ("text/javascript", true), ("image/svg+xml", true),
      ("application/manifest+json", true), ("application/javascript", true), ("application/xml", true),
      ("text/event-stream", false), ("text/event-stream; charset=utf-8", false), ("image/png", false),
      ("font/woff2", false), ("application/octet-stream", false), ("", false), ("nonsense", false),
    ])
  func types(type: String, expected: Bool) {
    #expect(ContentCoding.isWorthwhile(for: type) == expected)
  }

  /// The state of a linear congruential generator: incompressible bytes, the same in every run.
  static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  @Test(
    "zlib restores what was encoded, whatever its size",
    arguments: [0, 1, 511, 65_535, 65_536, 65_537, 300_000, 3_000_000], [Gzip.Effort.quick, .thorough])
  func roundTrip(count: Int, effort: Gzip.Effort) throws {
    for content in [Self.noise(count), (0..<count).map { UInt8($0 % 61) }] {
      let coded = try #require(Gzip.encode(content, effort: effort))
      #expect(coded.starts(with: [0x1F, 0x8B, 0x08]))
      #expect(try inflated(coded, count: count) == content)
      #expect(Gzip.encode(content, effort: effort) == coded)
    }
    let text = try #require(Gzip.encode((0..<count).map { UInt8($0 % 61) }, effort: effort))
    #expect(count < 511 || text.count < count / 2)
  }

  /// Inflates one complete gzip member; at the stream's end zlib checks its checksum and length.
  private func inflated(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    try #require(inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(stream) }
    var input = bytes
    // One byte more than expected, to detect excess output.
    return try input.withUnsafeMutableBufferPointer { input in
      try [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(count + 1)
        try #require(inflate(stream, Z_FINISH) == Z_STREAM_END)
        #expect(stream.pointee.avail_in == 0)
        written = count + 1 - Int(stream.pointee.avail_out)
      }
    }
  }

  @Test("a name is added to Vary once, and * stays")
  func vary() {
    var fields: Fields = [:]
    fields.addVary(.acceptEncoding)
    #expect(fields.all(.vary) == ["accept-encoding"])
    fields = [.vary: "Cookie", .vary: "Origin"]
    fields.addVary(.acceptEncoding)
    fields.addVary(.acceptEncoding)
    #expect(fields.all(.vary) == ["Cookie, Origin, accept-encoding"])
    fields = [.vary: "Accept-Encoding"]
    fields.addVary(.acceptEncoding)
    #expect(fields.all(.vary) == ["Accept-Encoding"])
    fields = [.vary: "*"]
    fields.addVary(.acceptEncoding)
    #expect(fields.all(.vary) == ["*"])
  }

  @Test("a single entity tag round-trips, anything else is refused")
  func tag() {
    #expect(ETag(parsing: "\"a\"") == ETag("a"))
    #expect(ETag(parsing: "W/\"a\"") == ETag("a", isWeak: true))
    for text in ["", "a", "\"a\", \"b\"", "*"] { #expect(ETag(parsing: text) == nil) }
  }
}
