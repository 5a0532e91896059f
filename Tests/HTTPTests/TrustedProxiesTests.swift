import HTTP
import TestSupport
import Testing

@Suite("Addresses and trusted proxies")
struct TrustedProxiesTests {
  @Test(
    "addresses are parsed in every notation and written in one (RFC 4291 section 2.2, RFC 5952)",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("::FFFF:c000:201", "192.0.2.1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
      ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
      ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
      ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
      ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
    ])
  func addresses(text: String, canonical: String) {
    #expect(NetworkAddress(text)?.description == canonical)
  }

  @Test(
    "invalid addresses are refused",
    arguments: [
      "", "a", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.", "1.2.3.4 ", "1.2.3.4:80", ":", ":::", "1:::2",
      "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::", "1:", ":1", "[::1]",
      "::1%eth0", "1.2.3.4::", "::1.2.3", "unknown",
    ])
  func noAddresses(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test("a client is an IPv4 address or 64 bits of IPv6")
  func clients() throws {
    func client(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)).client }
    #expect(try client("2001:db8::1") == client("2001:db8::ffff:1"))
    #expect(try client("2001:db8::1") != client("2001:db8:0:1::1"))
    #expect(try client("192.0.2.1") != client("192.0.2.2"))
    #expect(try client("::ffff:192.0.2.1") == client("192.0.2.1"))
    #expect(try client("::1").isIPv4 == false)
  }

  @Test("networks contain what they should")
  func networks() throws {
    let proxies = try #require(TrustedProxies("127.0.0.1, 10.0.0.0/8 fd00::/8,2001:db8::/96,192.0.2.0/31"))
    for (text, isTrusted) in [
      ("127.0.0.1", true), ("127.0.0.2", false), ("10.255.0.1", true), ("11.0.0.0", false), ("fd12::1", true),
      ("fe00::1", false), ("2001:db8::ffff:1", true), ("2001:db8::1:0:0", false), ("192.0.2.1", true),
      ("192.0.2.2", false), ("::ffff:10.0.0.1", true), ("::a00:1", false),
    ] {
      #expect(proxies.contains(try #require(NetworkAddress(text))) == isTrusted, "\(text)")
    }
    #expect(try #require(TrustedProxies("0.0.0.0/0")).contains(try #require(NetworkAddress("8.8.8.8"))))
    #expect(!(try #require(TrustedProxies("0.0.0.0/0")).contains(try #require(NetworkAddress("2001:db8::1")))))
    #expect(try #require(TrustedProxies("::/0")).contains(try #require(NetworkAddress("2001:db8::1"))))
    #expect(TrustedProxies("") == TrustedProxies())
    #expect(TrustedProxies().isEmpty && !proxies.isEmpty)
    for bad in ["nginx", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/", "/8"] {
      #expect(TrustedProxies(bad) == nil, "\(bad)")
    }
  }

  /// From a proxy at 10.0.0.1, trusted by 10.0.0.0/8; then the expected address, and "s" for secure.
  @Test(
    "the nearest address that is not a trusted proxy's is the client's (RFC 7239)",
    arguments: [
      ("X: y", "10.0.0.1"),
      ("X-Forwarded-For: 192.0.2.1", "192.0.2.1"),
      ("X-Forwarded-For: 192.0.2.1:4711\r\nX-Forwarded-Proto: https", "192.0.2.1 s"),
      ("X-Forwarded-For: [2001:db8::1]:4711\r\nX-Forwarded-Proto: http", "2001:db8::1"),
      ("X-Forwarded-For: 2001:db8::1\r\nX-Forwarded-Proto: http, HTTPS", "2001:db8::1 s"),
      ("X-Forwarded-For: 6.6.6.6, 192.0.2.1", "192.0.2.1"),
      ("X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 192.0.2.1, 10.0.0.2", "192.0.2.1"),
      ("X-Forwarded-For: 10.0.0.3, 10.0.0.2", "10.0.0.3"),
      ("X-Forwarded-For: 192.0.2.1, unknown", "unknown"),
      ("X-Forwarded-For: 192.0.2.1,", "unknown"), ("X-Forwarded-For: 192.0.2.1:x", "unknown"),
      ("X-Forwarded-For: [::1", "unknown"), ("X-Forwarded-For: [::1]x", "unknown"),
      ("X-Forwarded-For:", "unknown"), ("X-Forwarded-Proto: https", "10.0.0.1 s"),
      ("X-Forwarded-Proto: ,", "10.0.0.1"),
      ("Forwarded: for=192.0.2.1", "192.0.2.1"),
      ("Forwarded: For=\"[2001:db8::1]:80\" ; proto=HTTPS;by=_hidden", "2001:db8::1 s"),
      ("Forwarded: for=6.6.6.6;proto=https, for=192.0.2.1", "192.0.2.1"),
      ("Forwarded: for=6.6.6.6, for=\"192.0.2.1:80\"\r\nForwarded: for=10.0.0.2;proto=https", "192.0.2.1 s"),
      ("Forwarded: for=192.0.2.1, for=unknown", "unknown"), ("Forwarded: for=192.0.2.1, for=_x", "unknown"),
      ("Forwarded: for=\"a,\\\"b;\", for=192.0.2.1", "192.0.2.1"), ("Forwarded: for", "unknown"),
      ("Forwarded: for=192.0.2.1;;", "192.0.2.1"), ("Forwarded: for=\"192.0.2.1", "unknown"),
      ("Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 192.0.2.1", "192.0.2.1"),
      ("Forwarded: for=6.6.6.6\r\nX-Forwarded-For: 192.0.2.1", "unknown"),
      ("Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 6.6.6.6", "unknown"),
      ("Forwarded: for=192.0.2.1;proto=https\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: http", "unknown"),
    ])
  func origins(lines: String, origin: String) throws {
    let head = try ParserVerifier().head("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
    let proxies = try #require(TrustedProxies("10.0.0.0/8"))
    let found = proxies.origin(of: head, peer: try #require(NetworkAddress("10.0.0.1")))
    #expect("\(found.address?.description ?? "unknown")\(found.isSecure ? " s" : "")" == origin)
  }

  @Test("fields from anyone else are ignored", .shows("control 6"))
  func untrusted() throws {
    let head = try ParserVerifier().head(
      "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: https\r\nForwarded: for=6.6.6.6\r\n\r\n"
    )
    let peer = try #require(NetworkAddress("192.0.2.1"))
    for proxies in [TrustedProxies(), try #require(TrustedProxies("10.0.0.0/8"))] {
      let origin = proxies.origin(of: head, peer: peer)
      #expect(origin.address == peer && !origin.isSecure)
    }
  }

  @Test("each limit has a name, a range that holds its default, and can be set by that name")
  func limits() throws {
    #expect(Limits.names.count == Mirror(reflecting: Limits()).children.count)
    for name in Limits.names {
      var limits = Limits()
      let range = try #require(Limits.range(of: name))
      #expect(range.contains(try #require(limits.value(of: name))), "\(name)")
      #expect(limits.set(name, to: range.lowerBound) && limits.value(of: name) == range.lowerBound)
      #expect(limits.set(name, to: range.upperBound) && !limits.set(name, to: range.upperBound + 1))
      #expect(limits.value(of: name) == range.upperBound)
    }
    var limits = Limits()
    #expect(!limits.set("none", to: 1) && limits.value(of: "none") == nil && Limits.range(of: "none") == nil)
    #expect(limits == Limits())
  }
}
