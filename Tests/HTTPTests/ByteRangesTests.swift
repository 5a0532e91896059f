import HTTP
import Testing

@Suite("Byte ranges (RFC 9110 section 14)")
struct ByteRangesTests {
  static let modified = HTTPDate(seconds: 784_111_777)
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  func select(_ lines: String, method: String = "GET", count: Int = 100, now: Int? = 800_000_000) throws
    -> ByteRanges.Selection
  {
    let head = try ParserVerifier().head("\(method) / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
    return ByteRanges.select(
      head, count: count, etag: ETag("v"), lastModified: Self.modified, now: now.map { HTTPDate(seconds: $0) })
  }

  @Test(
    "9110 14.1.2 single, open, suffix and several ranges of 100 bytes",
    arguments: [
      ("0-0", [0..<1]), ("0-99", [0..<100]), ("10-19", [10..<20]), ("90-", [90..<100]), ("-1", [99..<100]),
      ("-100", [0..<100]), ("-500", [0..<100]), ("50-500", [50..<100]), ("99-99", [99..<100]),
      ("0-0,-1", [0..<1, 99..<100]), (" 20-29 , 5-9", [20..<30, 5..<10]), (",0-4,,10-14,", [0..<5, 10..<15]),
      ("0-9,5-14", [0..<15]), ("0-9,10-19", [0..<20]), ("0-9,0-9", [0..<10]), ("50-59,0-9,55-69", [0..<10, 50..<70]),
      ("0-4,200-300", [0..<5]), ("0-99999999999999999999", [0..<100]), ("-99999999999999999999", [0..<100]),
    ])
  func satisfiable(value: String, parts: [Range<Int>]) throws {
    #expect(try select("Range: bytes=\(value)") == .parts(parts))
  }

  @Test(
    "9110 15.5.17 ranges beyond the end are unsatisfiable",
    arguments: ["100-", "100-200", "-0", "99999999999999999999-", "100-,200-", "-0,100-"])
  func unsatisfiable(value: String) throws {
    #expect(try select("Range: bytes=\(value)") == .unsatisfiable)
  }

  @Test(
    "9110 14.2 malformed ranges, other units and too many ranges are ignored",
    arguments: [
      "X: y", "Range: items=0-1", "Range: bytes", "Range: bytes=", "Range: bytes=,", "Range: bytes=-",
      "Range: bytes=9-0",
      "Range: bytes=a-b", "Range: bytes=0-1;x", "Range: bytes=0 - 1", "Range: bytes=+1-2", "Range: bytes=1-2-3",
      "Range: bytes=--1", "Range: 0-1", "Range: bytes=0-1\r\nRange: bytes=2-3", "Range: bytes =0-1",
      "Range: bytes=0-1,x",
      "Range: bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20,22-22,24-24,26-26,28-28,30-30,32-32",
    ])
  func ignored(lines: String) throws {
    #expect(try select(lines) == .whole)
  }

  @Test("9110 14.2 ranges are for GET only, and the unit is case-insensitive", arguments: ["HEAD", "POST", "PUT", "X"])
  func methods(method: String) throws {
    #expect(try select("Range: bytes=0-1", method: method) == .whole)
    #expect(try select("Range: BYTES=0-1") == .parts([0..<2]))
  }

  @Test("9110 14.1.2 an empty representation has no ranges")
  func empty() throws {
    #expect(try select("Range: bytes=0-", count: 0) == .unsatisfiable)
    #expect(try select("Range: bytes=-5", count: 0) == .whole)
    #expect(try select("Range: bytes=-0", count: 0) == .unsatisfiable)
  }

  @Test(
    "9110 13.1.5 If-Range: a strong tag or the exact date, otherwise everything",
    arguments: [
      ("\"v\"", true), ("\"w\"", false), ("W/\"v\"", false), ("\"v\", \"w\"", false), ("\"v", false), ("v", false),
      (date, true), ("Sun, 06 Nov 1994 08:49:38 GMT", false), ("Sun, 06 Nov 1994 08:49:36 GMT", false),
      ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("", false),
    ])
  func condition(value: String, holds: Bool) throws {
    #expect(try select("Range: bytes=0-1\r\nIf-Range: \(value)") == (holds ? .parts([0..<2]) : .whole))
  }

  @Test("9110 8.8.2.2 a date of the current second is weak, and so is one without a clock")
  func weakDate() throws {
    let lines = "Range: bytes=0-1\r\nIf-Range: \(Self.date)"
    #expect(try select(lines, now: Self.modified.seconds) == .whole)
    #expect(try select(lines, now: nil) == .whole)
    #expect(try select(lines, now: Self.modified.seconds + 1) == .parts([0..<2]))
  }

  @Test("9110 14.6 several parts have the type and their position, between boundaries")
  func multipart() {
    let body = MultipartByteRanges(boundary: "B", contentType: "text/plain", count: 10)
    #expect(body.mediaType == "multipart/byteranges; boundary=B")
    let text = body.head(of: 0..<1, isFirst: true) + Array("x".utf8) + body.head(of: 8..<10, isFirst: false)
    #expect(
      String(decoding: text + Array("yz".utf8) + body.end, as: UTF8.self)
        == "--B\r\ncontent-type: text/plain\r\ncontent-range: bytes 0-0/10\r\n\r\nx"
        + "\r\n--B\r\ncontent-type: text/plain\r\ncontent-range: bytes 8-9/10\r\n\r\nyz\r\n--B--\r\n")
    let bare = MultipartByteRanges(boundary: "B", contentType: nil, count: 1).head(of: 0..<1, isFirst: true)
    #expect(!String(decoding: bare, as: UTF8.self).contains("content-type"))
    #expect(ByteRanges.unsatisfiedRange(of: 10) == "bytes */10")
  }
}
