import HTTP
import Testing

@Suite("Responses, event streams, dates and conditions")
struct ResponseTests {
  func encoded(
    _ head: ResponseHead, _ framing: ResponseHead.Framing, _ persistence: ResponseHead.Persistence = .implied,
    requestID: String? = nil, common: [UInt8] = []
  ) -> String {
    var bytes = Array("before|".utf8)
    head.encode(into: &bytes, framing: framing, persistence: persistence, requestID: requestID, common: common)
    return String(decoding: bytes.dropFirst(7), as: UTF8.self)
  }

  @Test("a head is status line, common lines, request id, fields, framing, persistence (RFC 9112 section 4)")
  func head() {
    let head = ResponseHead(status: .ok, fields: ["Content-Type": "text/plain", "x-a": "b"])
    #expect(
      encoded(head, .length(1203), .close, requestID: "r-1", common: HTTPDate(seconds: 784_111_777).fieldLine)
        == "HTTP/1.1 200 OK\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\nx-request-id: r-1\r\n"
        + "content-type: text/plain\r\nx-a: b\r\ncontent-length: 1203\r\nconnection: close\r\n\r\n")
    #expect(
      encoded(head, .chunked, .keepAlive).hasSuffix("transfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n"))
    #expect(encoded(head, .untilClose).hasSuffix("x-a: b\r\n\r\n"))
  }

  @Test("status lines", arguments: [200, 201, 204, 304, 404, 418, 422, 505])
  func statusLine(code: Int) {
    let status = Status(code)
    #expect(encoded(ResponseHead(status: status), .untilClose) == "HTTP/1.1 \(code) \(status.reason)\r\n\r\n")
  }

  @Test("no Content-Length with 1xx, 204 and 304; 0 is sent (RFC 9110 section 8.6)")
  func contentLength() {
    #expect(encoded(ResponseHead(status: .noContent), .length(0)) == "HTTP/1.1 204 No Content\r\n\r\n")
    #expect(encoded(ResponseHead(status: .notModified), .length(7)) == "HTTP/1.1 304 Not Modified\r\n\r\n")
    #expect(encoded(ResponseHead(status: .ok), .length(0)) == "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
    #expect(encoded(ResponseHead(status: .ok), .length(1_000_000)).contains("content-length: 1000000\r\n"))
    #expect(ResponseHead.continueBytes == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  @Test("handlers cannot contradict the framing")
  func ownFields() {
    let head = ResponseHead(
      status: .ok,
      fields: ["content-length": "9", "transfer-encoding": "x", "connection": "y", "date": "z", "keep-alive": "1"])
    #expect(encoded(head, .length(2)) == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n")
    var lines: [UInt8] = []
    Fields(dictionaryLiteral: ("a", "b"), ("c", "d")).encode(into: &lines)
    #expect(lines == Array("a: b\r\nc: d\r\n".utf8))
  }

  @Test("event streams: each line of data, no line end in name or id (HTML Living Standard, section 9.2.6)")
  func eventStream() {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    #expect(
      text(EventStreamEncoding.event(name: "message", id: "42", data: "{}")) == "id: 42\nevent: message\ndata: {}\n\n")
    #expect(text(EventStreamEncoding.event(data: "a\nb\r\nc\rd\n")) == "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
    #expect(text(EventStreamEncoding.event(data: "a\r\r\nb\n\n")) == "data: a\ndata: \ndata: b\ndata: \ndata: \n\n")
    #expect(text(EventStreamEncoding.event(name: "a\nb", id: "1\r\u{0}2", data: "")) == "id: 12\nevent: ab\ndata: \n\n")
    #expect(text(EventStreamEncoding.comment()) == ": \n\n")
    #expect(text(EventStreamEncoding.comment("a\nb")) == ": a\n: b\n\n")
    #expect(text(EventStreamEncoding.retry(milliseconds: 1500)) == "retry: 1500\n\n")
    #expect(EventStreamEncoding.mediaType == "text/event-stream")
  }

  @Test(
    "dates in the three forms (RFC 9110 section 5.6.7)",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tuesday, 01-Jan-30 00:00:00 GMT", 1_893_456_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ])
  func dates(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
  }

  @Test("9110 5.6.7 a two-digit year is at most 50 years ahead, otherwise in the past")
  func shortYears() {
    // 21 November 2026
    let now = HTTPDate(seconds: 1_795_219_200)
    for (year, full) in [(0, 2000), (26, 2026), (70, 2070), (75, 2075), (77, 1977), (99, 1999)] {
      let text = "Sunday, 06-Nov-\(year < 10 ? "0" : "")\(year) 08:49:37 GMT"
      #expect(HTTPDate(text, now: now)?.description.contains("Nov \(full) ") == true, "\(year)")
    }
    #expect(HTTPDate("Saturday, 21-Nov-76 00:00:00 GMT", now: now)?.description.contains("2076") == true)
    #expect(HTTPDate("Sunday, 22-Nov-76 00:00:00 GMT", now: now)?.description.contains("1976") == true)
    #expect(HTTPDate(now.description, now: now) == now)
  }

  @Test(
    "invalid dates are refused",
    arguments: [
      "", "yesterday", "Thu, 30 Feb 2024 00:00:00 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 0x Nov 1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
    ])
  func badDates(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test("every day from 1600 to 2400 round-trips, with consecutive weekdays")
  func allDays() {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    var seconds = -11_676_096_000  // Saturday, 1 January 1600
    var weekday = 5
    var wrong = 0
    while seconds < 13_569_465_600 {
      let text = HTTPDate(seconds: seconds + 3_661).description
      if HTTPDate(text)?.seconds != seconds + 3_661 || !text.hasPrefix(names[weekday]) { wrong += 1 }
      seconds += 86_400 * 3
      weekday = (weekday + 3) % 7
    }
    #expect(wrong == 0)
    #expect(HTTPDate(seconds: -11_676_096_000).description == "Sat, 01 Jan 1600 00:00:00 GMT")
    #expect(HTTPDate(seconds: 1) < HTTPDate(seconds: 2))
  }

  @Test("entity tags compare strongly and weakly (RFC 9110 section 8.8.3.2)")
  func etags() {
    let strong = ETag("1")
    let weak = ETag("1", isWeak: true)
    #expect(strong.description == "\"1\"" && weak.description == "W/\"1\"")
    #expect(strong.matchesStrongly(strong) && !strong.matchesStrongly(weak) && !weak.matchesStrongly(weak))
    #expect(strong.matchesWeakly(weak) && weak.matchesWeakly(weak) && !strong.matchesWeakly(ETag("2")))
  }

  static let early = "Sun, 06 Nov 1994 08:49:36 GMT"
  static let exact = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(
    "conditions in their order (RFC 9110 section 13.2.2)",
    arguments: [
      ("GET", "X: y", Conditions.Outcome.proceed),
      ("GET", "If-None-Match: \"v\"", .notModified), ("HEAD", "If-None-Match: W/\"v\"", .notModified),
      ("PUT", "If-None-Match: \"v\"", .preconditionFailed), ("GET", "If-None-Match: \"w\"", .proceed),
      ("GET", "If-None-Match: \"a,b\" , , W/\"v\"", .notModified), ("GET", "If-None-Match: *", .notModified),
      ("GET", "If-None-Match: \"w\"\r\nIf-None-Match: \"v\"", .notModified),
      ("PUT", "If-None-Match: *", .preconditionFailed), ("GET", "If-None-Match: v", .proceed),
      ("GET", "If-None-Match: \"v", .proceed), ("GET", "If-None-Match: \"v\" \"w\"", .proceed),
      ("PUT", "If-Match: \"v\"", .proceed), ("PUT", "If-Match: W/\"v\"", .preconditionFailed),
      ("PUT", "If-Match: \"w\", \"v\"", .proceed), ("PUT", "If-Match: \"w\"", .preconditionFailed),
      ("PUT", "If-Match: *", .proceed), ("GET", "If-Match: \"w\"", .preconditionFailed),
      ("GET", "If-Modified-Since: \(exact)", .notModified), ("GET", "If-Modified-Since: \(early)", .proceed),
      ("PUT", "If-Modified-Since: \(exact)", .proceed), ("GET", "If-Modified-Since: never", .proceed),
      ("GET", "If-None-Match: \"w\"\r\nIf-Modified-Since: \(exact)", .proceed),
      ("PUT", "If-Unmodified-Since: \(exact)", .proceed), ("PUT", "If-Unmodified-Since: \(early)", .preconditionFailed),
      ("PUT", "If-Match: \"v\"\r\nIf-Unmodified-Since: \(early)", .proceed),
      ("PUT", "If-Match: \"v\"\r\nIf-None-Match: \"v\"", .preconditionFailed),
      ("GET", "If-Modified-Since: \(exact)\r\nIf-Modified-Since: \(exact)", .proceed),
      ("GET", "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT", .notModified),
      ("PUT", "If-Unmodified-Since: \(early)\r\nIf-Unmodified-Since: \(early)", .proceed),
      ("PUT", "If-Unmodified-Since: never", .proceed), ("GET", "If-Unmodified-Since: \(early)", .preconditionFailed),
      ("OPTIONS", "If-Match: \"w\"", .proceed), ("TRACE", "If-None-Match: *", .proceed),
    ])
  func conditions(method: String, lines: String, outcome: Conditions.Outcome) throws {
    let head = try ParserVerifier().head("\(method) / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
    #expect(Conditions.evaluate(head, etag: ETag("v"), lastModified: HTTPDate(Self.exact)) == outcome)
  }

  @Test("* means that the resource exists")
  func star() throws {
    func evaluate(_ line: String) throws -> Conditions.Outcome {
      let head = try ParserVerifier().head("PUT / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
      return Conditions.evaluate(head, etag: nil, exists: false)
    }
    #expect(try evaluate("If-None-Match: *") == .proceed)
    #expect(try evaluate("If-Match: *") == .preconditionFailed)
    #expect(try evaluate("If-Match: \"v\"") == .preconditionFailed)
    #expect(try evaluate("If-None-Match: \"v\"") == .proceed)
  }

  @Test("9110 13.1.3, 13.1.4 dates are ignored if the resource has none")
  func undated() throws {
    for line in ["If-Modified-Since: \(Self.exact)", "If-Unmodified-Since: \(Self.early)"] {
      let head = try ParserVerifier().head("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
      #expect(Conditions.evaluate(head, etag: ETag("v")) == .proceed)
    }
  }
}
