import HTTP
import TestSupport
import Testing

@Suite("Field section (RFC 9112 section 5), whole, byte by byte, and cut everywhere", .shows("H1"))
struct FieldSectionTests {
  let verifier = ParserVerifier()

  @Test("values are trimmed and keep inner white space; names are case-insensitive")
  func values() throws {
    let head = try verifier.head(
      "GET / HTTP/1.1\r\nhOST:a\r\nX-One:  \t two  words \t\r\nx-one:\r\nX-Long-Name: ü 0123456789012345\r\n\r\n")
    #expect(head["x-one"] == "two  words")
    #expect(head.all("X-ONE") == ["two  words", ""])
    #expect(head["x-long-name"] == "ü 0123456789012345")
    #expect(head["x-none"] == nil)
    #expect(head.all("x-none") == [])
    #expect(head.fieldLines.map(\.name) == ["hOST", "X-One", "x-one", "X-Long-Name"])
  }

  @Test(
    "invalid field lines are 400",
    arguments: [
      ("X : y", "9112 5.1 space before the colon"),
      ("X\t: y", "9112 5.1 tab before the colon"),
      (": y", "9110 5.1 empty name"),
      ("X", "9112 5 no colon"),
      ("X y: z", "9110 5.1 names are tokens"),
      ("X(y): z", "9110 5.1 names are tokens"),
      ("Ü: z", "9110 5.1 names are tokens"),
      ("X: y\r\n z", "9112 5.2 obs-fold"),
      ("X: y\r\n\tz", "9112 5.2 obs-fold"),
      ("X: y\rz", "9112 2.2 bare CR in a value"),
      ("X\r: y", "9112 2.2 bare CR in a name"),
      ("X: y\r\rZ: z", "9112 2.2 bare CR for a line's end"),
      ("X: y\nZ: z", "9112 2.2 bare LF for a line's end"),
      ("X: y\n", "9112 2.2 bare LF for a line's end"),
      ("X: a\u{0}b", "9110 5.5 NUL"),
      ("X: a\u{1}b", "9110 5.5 control"),
      ("X: a\u{1B}[0m", "9110 5.5 control"),
      ("X: a\u{7F}b", "9110 5.5 DEL"),
    ])
  func invalid(line: String, rule: String) {
    let outcome = verifier.outcome("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
    #expect(outcome.status == 400, "\(rule): \(outcome)")
  }

  @Test("white space before the first field line is 400 (RFC 9112 section 2.2)")
  func leadingSpace() {
    #expect(verifier.outcome("GET / HTTP/1.1\r\n Host: a\r\n\r\n").status == 400)
    #expect(verifier.outcome("GET / HTTP/1.1\r\nHost: a\r\n\rX").status == 400)
    #expect(verifier.outcome("GET / HTTP/1.1\nHost: a\n\n").status == 400)
  }

  @Test(
    "Host: exactly one valid value in HTTP/1.1 (RFC 9112 section 3.2)",
    arguments: [
      ("1.1", "Host: a.example", 0), ("1.1", "Host: a.example:80", 0), ("1.1", "Host: a.example:", 0),
      ("1.1", "Host: 127.0.0.1:8080", 0), ("1.1", "Host: [::1]", 0), ("1.1", "Host: [v1.x:y]:1", 0),
      ("1.1", "Host: a%20b", 0), ("1.1", "X: y", 400), ("1.1", "Host:", 400), ("1.1", "Host: :80", 400),
      ("1.1", "Host: a\r\nHost: a", 400), ("1.1", "Host: a b", 400), ("1.1", "Host: a,b", 0),
      ("1.1", "Host: a/b", 400), ("1.1", "Host: u@a", 400), ("1.1", "Host: a:8x", 400), ("1.1", "Host: [::1", 400),
      ("1.1", "Host: []", 400), ("1.1", "Host: [::1]x", 400), ("1.1", "Host: a%2", 400), ("1.1", "Host: ü", 400),
      ("1.0", "X: y", 0), ("1.0", "Host: a", 0), ("1.0", "Host: a b", 400), ("1.0", "Host: a\r\nHost: b", 400),
    ])
  func host(version: String, lines: String, status: Int) {
    let outcome = verifier.outcome("GET / HTTP/\(version)\r\n\(lines)\r\n\r\n")
    #expect(outcome.status ?? 0 == status, "\(outcome)")
    #expect(outcome != .incomplete)
  }

  @Test("the absolute form's authority overrides Host, which is still required (RFC 9112 section 3.2.2)")
  func absoluteForm() throws {
    let head = try verifier.head("GET http://b.example:81/p%20q?r=s HTTP/1.1\r\nHost: a.example\r\n\r\n")
    #expect(head.host == "b.example:81")
    #expect(head["host"] == "a.example")
    #expect(head.targetForm == .absolute)
    #expect(head.path == "/p q")
    #expect(head.query["r"] == "s")
    let bare = try verifier.head("GET http://b.example?r HTTP/1.1\r\nHost: a.example\r\n\r\n")
    #expect(bare.path == "/" && bare.query["r"] == "")
    #expect(verifier.outcome("GET http://b.example/ HTTP/1.1\r\n\r\n").status == 400)
    #expect(try verifier.head("GET / HTTP/1.0\r\n\r\n").host == nil)
  }

  @Test(
    "Content-Length and Transfer-Encoding (RFC 9112 sections 6.1 to 6.3)",
    arguments: [
      ("Content-Length: 0", BodyFraming.length(0), 0), ("Content-Length: 5", .length(5), 0),
      ("Content-Length: 007", .length(7), 0), ("Content-Length: 9223372036854775807", .length(.max), 0),
      ("Content-Length: 9223372036854775808", .none, 413),
      ("Content-Length: 99999999999999999999999999", .none, 413), ("Content-Length:", .none, 400),
      ("Content-Length: +5", .none, 400), ("Content-Length: -5", .none, 400), ("Content-Length: 5.0", .none, 400),
      ("Content-Length: 0x5", .none, 400), ("Content-Length: 5 5", .none, 400), ("Content-Length: 5,5", .none, 400),
      ("Content-Length: 5, 6", .none, 400), ("Content-Length: 5\r\nContent-Length: 5", .none, 400),
      ("Content-Length: 5\r\nContent-Length: 6", .none, 400), ("Content-Length: ٥", .none, 400),
      ("Transfer-Encoding: chunked", .chunked, 0), ("transfer-encoding: \t ChunKed ", .chunked, 0),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", .none, 400),
      ("Content-Length: 5\r\nTransfer-Encoding: chunked", .none, 400),
      ("Transfer-Encoding: gzip, chunked", .none, 501),
      ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", .none, 501),
      ("Transfer-Encoding: gzip;q=1, chunked", .none, 501), ("Transfer-Encoding: gzip", .none, 400),
      ("Transfer-Encoding: identity", .none, 400), ("Transfer-Encoding: chunked, gzip", .none, 400),
      ("Transfer-Encoding: chunked, chunked", .none, 400),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .none, 400),
      ("Transfer-Encoding: gzip, chunked, gzip", .none, 400), ("Transfer-Encoding: chunked;x=y", .none, 400),
      ("Transfer-Encoding: xchunked", .none, 400), ("Transfer-Encoding: \"chunked\"", .none, 400),
      ("Transfer-Encoding:", .none, 400), ("Transfer-Encoding: ,chunked", .none, 400),
      ("Transfer-Encoding: chunked,", .none, 400), ("Transfer-Encoding: chunked\u{B}", .none, 400),
      ("Transfer-Encoding : chunked", .none, 400), ("X: y", .none, 0),
    ])
  func framing(lines: String, framing: BodyFraming, status: Int) throws {
    let text = "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n"
    let outcome = verifier.outcome(text)
    #expect(outcome.status ?? 0 == status, "\(outcome)")
    if status == 0 { #expect(try verifier.head(text).framing == framing) }
  }

  @Test("HTTP/1.0 has Content-Length and no Transfer-Encoding (RFC 9112 section 6.1)")
  func framingOfHTTP10() throws {
    #expect(try verifier.head("POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\n").framing == .length(3))
    #expect(verifier.outcome("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n").status == 400)
  }

  @Test(
    "persistence depends on version and options (RFC 9112 section 9.3)",
    arguments: [
      ("1.1", "X: y", true), ("1.1", "Connection: close", false), ("1.1", "Connection: CLOSE", false),
      ("1.1", "Connection: upgrade , close", false), ("1.1", "Connection: keep-alive\r\nConnection: close", false),
      ("1.1", "Connection: closed", true), ("1.1", "Connection: ,,", true), ("1.1", "Connection:", true),
      ("1.0", "X: y", false), ("1.0", "Connection: Keep-Alive", true), ("1.0", "Connection: keep-alive, close", false),
      ("1.9", "X: y", true),
    ])
  func persistence(version: String, lines: String, isKept: Bool) throws {
    #expect(try verifier.head("GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n").keepAlive == isKept)
  }

  @Test("Expect: 100-continue matters with a body in HTTP/1.1; other expectations are 417 (RFC 9110 section 10.1.1)")
  func expect() throws {
    func head(_ version: String, _ lines: String) throws -> RequestHead {
      try verifier.head("POST / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n")
    }
    #expect(try head("1.1", "Expect: 100-Continue\r\nContent-Length: 5").expectsContinue)
    #expect(try head("1.1", "Expect: 100-continue\r\nTransfer-Encoding: chunked").expectsContinue)
    #expect(try !head("1.1", "Expect: 100-continue\r\nContent-Length: 0").expectsContinue)
    #expect(try !head("1.1", "Expect: 100-continue").expectsContinue)
    #expect(try !head("1.1", "Content-Length: 5").expectsContinue)
    #expect(try !head("1.0", "Expect: 100-continue\r\nContent-Length: 5").expectsContinue)
    #expect(try !head("1.0", "Expect: other").expectsContinue)
    #expect(try head("1.1", "Expect: , 100-continue,\r\nContent-Length: 5").expectsContinue)
    #expect(try !head("1.1", "Expect:\r\nContent-Length: 5").expectsContinue)
    #expect(verifier.outcome("POST / HTTP/1.1\r\nHost: a\r\nExpect: other\r\n\r\n").status == 417)
    #expect(verifier.outcome("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, x\r\n\r\n").status == 417)
  }

  @Test("limits: 414, 431 and 501 exactly beyond the limit, whole and in pieces")
  func limits() {
    var limits = Limits()
    limits.targetBytes = 10
    limits.fieldBytes = 40
    limits.fieldCount = 3
    limits.methodBytes = 5
    let small = ParserVerifier(limits: limits)
    func status(_ line: String, _ fields: String) -> Int? {
      let outcome = small.outcome("\(line) HTTP/1.1\r\n\(fields)\r\n\r\n")
      #expect(outcome != .incomplete)
      return outcome.status
    }
    #expect(status("PATCH /23456789A", "Host: a") == nil)
    #expect(status("PATCHX /", "Host: a") == 501)
    #expect(status("GET /23456789AB", "Host: a") == 414)
    #expect(status("GET /", "Host: a\r\nB: c\r\nD: e") == nil)
    #expect(status("GET /", "Host: a\r\nB: c\r\nD: e\r\nF: g") == 431)
    // 9 bytes for Host, 2 for the empty line, and a line of 29 or 30.
    #expect(status("GET /", "Host: a\r\nB: " + String(repeating: "c", count: 24)) == nil)
    #expect(status("GET /", "Host: a\r\nB: " + String(repeating: "c", count: 25)) == 431)
    // What can no longer fit is refused before it ends.
    #expect(small.outcome("GET /23456789AB").status == 414)
    #expect(small.outcome("GETTER").status == 501)
    #expect(small.outcome("GET / HTTP/1.1\r\n" + String(repeating: "c", count: 40)).status == 431)
    #expect(small.outcome("GET / HTTP/1.1\r\nX:" + String(repeating: "c", count: 38)).status == 431)
  }

  @Test("pipelined heads are read one after another by one parser (RFC 9112 section 9.3.2)")
  func pipelining() {
    let requests = (0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    var rest = Array(requests.utf8)[...]
    var parser = RequestParser()
    var paths: [String] = []
    while case .parsed(let head, let consumed) = parser.parse(Array(rest).span) {
      paths.append(head.path)
      rest = rest.dropFirst(consumed)
    }
    #expect(paths == (0..<1000).map { "/\($0)" })
    #expect(rest.isEmpty)
  }
}
