import HTTP
import TestSupport
import Testing

@Suite("Request line (RFC 9112 section 3), whole, byte by byte, and cut everywhere", .shows("H1"))
struct RequestLineTests {
  let verifier = ParserVerifier()

  @Test("the three parts and their values are found")
  func parts() throws {
    let head = try verifier.head("POST /a/b?x=1&y=2 HTTP/1.1\r\nHost: chat.example:8080\r\n\r\nBODY")
    #expect(head.method == .post)
    #expect(head.target == "/a/b?x=1&y=2")
    #expect(head.path == "/a/b")
    #expect(head.query["y"] == "2")
    #expect(head.version == .http11)
    #expect(head.host == "chat.example:8080")
    #expect(head.framing == .none)
    #expect(
      verifier.outcome("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET ")
        == verifier.outcome("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
  }

  @Test(
    "valid request lines",
    arguments: [
      ("OPTIONS * HTTP/1.1", "9112 3.2.4 asterisk form"),
      ("GET http://other.example/p?q HTTP/1.1", "9112 3.2.2 absolute form"),
      ("GET HTTPS://other.example HTTP/1.1", "9112 3.2.2 absolute form with an empty path"),
      ("GET http://[::1]:80/ HTTP/1.1", "3986 3.2.2 IP literal"),
      ("PURGE / HTTP/1.1", "9110 9.1 a method unknown to us"),
      ("M!#$%&'*+-.^_`|~9 / HTTP/1.1", "9110 5.6.2 every tchar"),
      ("GET /a;b=c/~d!$&'()*+,:@e HTTP/1.1", "3986 3.3 every pchar"),
      ("GET /a[b]|c?d={e}^`\\f HTTP/1.1", "URL Standard 4.4: browsers send these as they are"),
      ("GET /.well-known/x HTTP/1.1", "a segment that begins with a dot is no dot segment"),
      ("GET /a/... HTTP/1.1", "three dots are no dot segment"),
      ("GET /a?/../x HTTP/1.1", "dots in the query are not the path's"),
      ("GET /%C3%A9 HTTP/1.1", "3986 2.1 percent-encoding"),
      ("GET /a?100% HTTP/1.1", "URL Standard 5.1: a lone % in the query"),
      ("GET / HTTP/1.0", "9110 2.5 HTTP/1.0"),
      ("GET / HTTP/1.7", "9110 2.5 a higher minor version"),
    ])
  func valid(line: String, rule: String) {
    let outcome = verifier.outcome("\(line)\r\nHost: a\r\n\r\n")
    #expect(outcome.status == nil && outcome != .incomplete, "\(rule): \(outcome)")
  }

  @Test(
    "invalid request lines",
    arguments: [
      ("GET  / HTTP/1.1", 400, "9112 3 single spaces"),
      ("GET /  HTTP/1.1", 400, "9112 3 single spaces"),
      (" GET / HTTP/1.1", 400, "9112 2.2 space before the line"),
      ("GET\t/ HTTP/1.1", 400, "9112 3 a tab is no space"),
      ("GET / HTTP/1.1 ", 400, "9112 3 space behind the version"),
      ("G@T / HTTP/1.1", 400, "9110 9.1 methods are tokens"),
      ("GÉT / HTTP/1.1", 400, "9110 9.1 methods are tokens"),
      ("", 400, "9112 2.2 the second empty line"),
      ("GET /", 400, "9112 2.3 no version"),
      ("GET", 400, "9112 3 no target"),
      ("GET / http/1.1", 400, "9112 2.3 case"),
      ("GET / HTTP/1,1", 400, "9112 2.3 form"),
      ("GET / HTTP/11.1", 400, "9112 2.3 one digit"),
      ("GET / HTTP/1.10", 400, "9112 2.3 one digit"),
      ("GET / HTTP/x.1", 400, "9112 2.3 digits"),
      ("GET / HTTP/1.x", 400, "9112 2.3 digits"),
      ("GET / HTTPS/1.1", 400, "9112 2.3 name"),
      ("GET / HTTP/2.0", 505, "9110 15.6.6"),
      ("GET / HTTP/0.9", 505, "9110 15.6.6"),
      ("PRI * HTTP/2.0", 505, "9113 3.4 the HTTP/2 preface"),
      ("GET * HTTP/1.1", 400, "9112 3.2.4 asterisk is for OPTIONS"),
      ("OPTIONS ** HTTP/1.1", 400, "9112 3.2.4 asterisk alone"),
      ("GET a.example:80 HTTP/1.1", 400, "9112 3.2.3 authority form"),
      ("CONNECT a.example:80 HTTP/1.1", 501, "9110 9.3.6 CONNECT"),
      ("GET a/b HTTP/1.1", 400, "9112 3.2 a relative path"),
      ("GET ?q HTTP/1.1", 400, "9112 3.2.1 the path must not be empty"),
      ("GET ftp://a/ HTTP/1.1", 400, "another scheme"),
      ("GET http:/// HTTP/1.1", 400, "9110 4.2.1 an empty host"),
      ("GET http:// HTTP/1.1", 400, "9110 4.2.1 an empty host"),
      ("GET http://u:p@a/ HTTP/1.1", 400, "9110 4.2.4 user information"),
      ("GET http://a:b/ HTTP/1.1", 400, "3986 3.2.3 port"),
      ("GET /#f HTTP/1.1", 400, "9112 3.2.1 no fragment"),
      ("GET /\" HTTP/1.1", 400, "3986 2 character"),
      ("GET /<> HTTP/1.1", 400, "3986 2 character"),
      ("GET /a\\b HTTP/1.1", 400, "3986 2 character"),
      ("GET /é HTTP/1.1", 400, "3986 2 beyond ASCII"),
      ("GET /\u{7F} HTTP/1.1", 400, "3986 2 control"),
      ("GET /a\u{0} HTTP/1.1", 400, "NUL"),
      ("GET /a%00b HTTP/1.1", 400, "encoded NUL"),
      ("GET /a%0Ab HTTP/1.1", 400, "encoded line feed"),
      ("GET /a%7f HTTP/1.1", 400, "encoded DEL"),
      ("GET /% HTTP/1.1", 400, "3986 2.1 malformed escape"),
      ("GET /%4 HTTP/1.1", 400, "3986 2.1 malformed escape"),
      ("GET /%zz HTTP/1.1", 400, "3986 2.1 malformed escape"),
      ("GET /%C3 HTTP/1.1", 400, "not UTF-8"),
      ("GET /%C0%AE%C0%AE/ HTTP/1.1", 400, "overlong dots are not UTF-8"),
      ("GET /.. HTTP/1.1", 400, "dot segment"),
      ("GET /../etc HTTP/1.1", 400, "dot segment"),
      ("GET /a/./b HTTP/1.1", 400, "dot segment"),
      ("GET /a/.?q HTTP/1.1", 400, "dot segment before a query"),
      ("GET /%2e%2E/etc HTTP/1.1", 400, "encoded dots"),
      ("GET /.%2e/etc HTTP/1.1", 400, "half encoded dots"),
      ("GET /a%2f..%2fb HTTP/1.1", 400, "dots between encoded slashes"),
      ("GET /a%5C..%5Cb HTTP/1.1", 400, "dots between encoded backslashes"),
      ("GET http://a/.. HTTP/1.1", 400, "dot segment in the absolute form"),
    ])
  func invalid(line: String, status: Int, rule: String) {
    let outcome = verifier.outcome("\r\n\(line)\r\nHost: a\r\n\r\n")
    #expect(outcome.status == status, "\(rule): \(outcome)")
  }

  @Test("each of 256 bytes is allowed in method, path, query, field name and value as in the grammar")
  func everyByte() {
    let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    let pathExtras = Set("/?;=:@,()[]{}".utf8)
    for byte in UInt8.min...UInt8.max {
      func isParsed(_ before: String, _ after: String) -> Bool {
        let bytes = Array(before.utf8) + [byte] + Array(after.utf8)
        if case .parsed = verifier.outcome(bytes, everySplit: false) { return true }
        return false
      }
      let end = " HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(isParsed("A", "B / HTTP/1.1\r\nHost: a\r\n\r\n") == (token.contains(byte)))
      let inTarget = token.union(pathExtras).subtracting(Set("#".utf8)).contains(byte)
      #expect(isParsed("GET /a?", "b" + end) == (inTarget || byte == UInt8(ascii: "\\")))
      let isPercent = byte == UInt8(ascii: "%")
      #expect(isParsed("GET /a", "gb" + end) == (inTarget && !isPercent))
      #expect(isParsed("GET / HTTP/1.1\r\nHost: a\r\nx", "y: z\r\n\r\n") == (token.contains(byte) || byte == 0x3A))
      #expect(
        isParsed("GET / HTTP/1.1\r\nHost: a\r\nx: y", "z\r\n\r\n")
          == (byte == 9 || (byte >= 0x20 && byte != 0x7F)))
      #expect(
        isParsed("GET / HTTP/1.1\r\nHost: a\r\nx: 0123456789", "0123456789\r\n\r\n")
          == (byte == 9 || (byte >= 0x20 && byte != 0x7F)))
    }
  }

  @Test("one empty line before the request line is skipped and counted, another is refused (RFC 9112 section 2.2)")
  func emptyLine() {
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    guard case .parsed(_, let consumed) = verifier.outcome("\r\n\(request)") else {
      Issue.record("not parsed")
      return
    }
    #expect(consumed == request.utf8.count + 2)
    #expect(verifier.outcome("\r\n\r\n\(request)").status == 400)
    #expect(verifier.outcome("\n\(request)").status == 400)
    #expect(verifier.outcome("\rGET / HTTP/1.1\r\n").status == 400)
  }

  @Test("each prefix of a valid head is incomplete")
  func prefixes() {
    let request = Array("\r\nGET /a%20b?c HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n".utf8)
    for count in 0..<request.count {
      #expect(verifier.outcome(Array(request[..<count]), everySplit: false) == .incomplete)
    }
  }
}
