import Base
import HTTP
import TestSupport
import Testing

@Suite("Paths, queries and percent-encoding")
struct RequestHeadTests {
  func head(_ target: String) throws -> RequestHead {
    try ParserVerifier().head("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
  }

  @Test("the path is decoded once, its segments individually")
  func path() throws {
    let head = try head("/a%20b/c%2Fd/%252e%252E/%C3%A9?x")
    #expect(head.path == "/a b/c/d/%2e%2E/é")
    #expect(head.pathSegments == ["a b", "c/d", "%2e%2E", "é"])
    #expect(String(decoding: head.encodedPath, as: UTF8.self) == "/a%20b/c%2Fd/%252e%252E/%C3%A9")
    #expect(try self.head("/").pathSegments == [""])
    #expect(try self.head("/rooms/7/").pathSegments == ["rooms", "7", ""])
  }

  @Test("the asterisk form stands for the server: its path is /")
  func asterisk() throws {
    let head = try ParserVerifier().head("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(head.path == "/")
    #expect(head.targetForm == .asterisk)
    #expect(head.query.isEmpty)
  }

  @Test("query values are decoded, the first of a name wins, all are available (URL Standard, section 5.1)")
  func query() throws {
    let query = try head("/?limit=50&q=a+b%26c&q=&flag&n%61me=v&bad=100%&=x&&é=ü&half=%4".asciiEscaped).query
    #expect(query["limit"] == "50")
    #expect(query["q"] == "a b&c")
    #expect(query.all("q") == ["a b&c", ""])
    #expect(query["flag"] == "")
    #expect(query["name"] == "v")
    #expect(query["bad"] == "100%")
    #expect(query["half"] == "%4")
    #expect(query["é"] == "ü")
    #expect(query["none"] == nil)
    #expect(query.items.count == 9)
    #expect(Query("a=1").raw == "a=1")
    #expect(try head("/x?").query.isEmpty)
  }

  @Test("percent-encoding round-trips, malformed input is refused (RFC 3986 section 2.1)")
  func percentEncoding() {
    #expect(PercentEncoding.encode("aZ0-._~ /ü?") == "aZ0-._~%20%2F%C3%BC%3F")
    #expect(PercentEncoding.decode("aZ0-._~%20%2f%C3%bC%3F") == "aZ0-._~ /ü?")
    #expect(PercentEncoding.decode("%") == nil)
    #expect(PercentEncoding.decode("%1") == nil)
    #expect(PercentEncoding.decode("%1g") == nil)
    #expect(PercentEncoding.decode("%FF") == nil)
    #expect(PercentEncoding.decode("%FF".utf8) == [0xFF])
  }

  @Test("methods: tokens only, known and safe ones")
  func methods() {
    #expect(Method("GET") == .get)
    #expect(Method("get") != .get)
    #expect(Method("") == nil)
    #expect(Method("A B") == nil)
    let known: [HTTP.Method] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
    #expect(known.filter { !$0.isKnown }.isEmpty)
    #expect(known.filter(\.isSafe) == [.get, .head, .options, .trace])
    #expect(Method("PURGE")?.isKnown == false)
    #expect(Method.patch.description == "PATCH")
  }

  @Test("statuses: their phrases, and which have no body")
  func statuses() {
    #expect(Status.ok.description == "200 OK")
    #expect(Status(599).reason == "")
    #expect(Status.uriTooLong.reason == "URI Too Long")
    #expect(Status.continue.isBodiless && Status.noContent.isBodiless && Status.notModified.isBodiless)
    #expect(!Status.ok.isBodiless)
  }

  @Test("cookies: by exact name, over several lines, quotes removed (RFC 6265 section 4.2)")
  func cookies() throws {
    let head = try ParserVerifier().head(
      "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; ab=2;b=\"3\" ; c; d=x=y; e=\r\ncookie: f=6; a=7\r\n\r\n")
    let cookies = Cookies(head)
    #expect(cookies["a"] == "1")
    #expect(cookies["ab"] == "2")
    #expect(cookies["b"] == "3")
    #expect(cookies["c"] == nil)
    #expect(cookies["d"] == "x=y")
    #expect(cookies["e"] == "")
    #expect(cookies["f"] == "6")
    #expect(cookies["A"] == nil)
  }

  @Test("Set-Cookie: HttpOnly, SameSite=Lax, Path=/ by default", .shows("control 1"))
  func setCookie() {
    var cookie = SetCookie(name: "hubbub_session", value: "abc", maxAge: 60, isSecure: true)
    #expect(cookie.description == "hubbub_session=abc; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax")
    cookie = SetCookie(name: "a", value: "")
    cookie.sameSite = .strict
    cookie.isHTTPOnly = false
    cookie.path = "/x"
    #expect(cookie.description == "a=; Path=/x; SameSite=Strict")
  }

  @Test("media types: essence, parameters, quoted strings (RFC 9110 section 8.3.1)")
  func mediaTypes() {
    #expect(MediaType("Application/JSON; Charset=\"UTF-8\"")?.essence == "application/json")
    #expect(MediaType("text/html;charset=UTF-8")?.charset == "utf-8")
    #expect(MediaType("a/b ; x=\"q \\\" r\";; y=1")?.parameters == ["x": "q \" r", "y": "1"])
    #expect(MediaType("a/b; x=1; X=2")?.parameters == ["x": "1"])
    #expect(MediaType("a/b; y=1; x=\"q \\\" r\"")?.description == "a/b;x=\"q \\\" r\";y=1")
    for bad in ["", "a", "a/", "/b", "a/b c", "a/b;x", "a/b;x=", "a/b; x=\"y", "a/b;=1", "a/b,c/d", "a/b;x=\"\\"] {
      #expect(MediaType(bad) == nil, "\(bad)")
    }
  }
}

extension String {
  /// The text with all non-ASCII characters percent-encoded.
  fileprivate var asciiEscaped: String {
    unicodeScalars.map { $0.isASCII ? String($0) : PercentEncoding.encode(String($0)) }.joined()
  }
}
