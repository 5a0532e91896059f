import Outbound
import Testing

@Suite("Web addresses")
struct WebAddressTests {
  @Test(
    "Anything but a plain absolute http address is refused",
    arguments: [
      "", "/users", "users", "ftp://host/", "https:", "https://", "https:///path", "https://user@host/",
      "https://user:word@host/", "https://host:0/", "https://host:65536/", "https://host:+80/", "https://host:x/",
      "https://ho st/", "https://host/a b", "https://host/{x}", "https://host/a\\b", "https://host/\"",
      "https://host/é",
      "https://host/../x", "https://host/a/./b", "https://host/%2E%2e/x", "https://host/.%2E", "https://h%6fst/",
      "javascript:alert(1)", "https://host/users{?since}",
    ])
  func refuses(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test("An address is split and reassembled without changes")
  func parts() throws {
    let address = try #require(WebAddress("HTTPS://API.Host:8443/api/v3/users?since=46&per_page=5#part"))
    #expect(address.scheme == "https")
    #expect(address.host == "api.host")
    #expect(address.port == 8443)
    #expect(address.path == "/api/v3/users")
    #expect(address.queryValue("since") == "46")
    #expect(address.queryValue("sinc") == nil)
    #expect(address.text == "https://api.host:8443/api/v3/users?since=46&per_page=5")
    #expect(address.target == "/api/v3/users?since=46&per_page=5")
    #expect(WebAddress("http://host:80")?.text == "http://host")
    #expect(WebAddress("http://host")?.target == "/")
    #expect(WebAddress("http://[::1]:8080/x")?.host == "[::1]")
    #expect(WebAddress("http://[::1]/x")?.port == 80)
  }

  @Test("A base path is kept, and matched by whole segments")
  func within() throws {
    let base = try #require(WebAddress("https://host/api/v3"))
    func lies(_ text: String) -> Bool { WebAddress(text)?.lies(within: base) == true }
    #expect(lies("https://host/api/v3/users?since=1"))
    #expect(lies("https://host:443/api/v3"))
    #expect(!lies("https://host/api/v3x/users"))
    #expect(!lies("https://host/users"))
    #expect(!lies("http://host/api/v3/users"))
    #expect(!lies("https://host:444/api/v3/users"))
    #expect(!lies("https://host.evil/api/v3/users"))
    #expect(!lies("https://host/api/v3/../../login"))
  }

  @Test("A size is added once to a query that is full, empty or missing")
  func query() {
    #expect(WebAddress("https://h/u/1?v=4")?.replacingQuery("s", with: "80").text == "https://h/u/1?v=4&s=80")
    #expect(WebAddress("https://h/u/1?")?.replacingQuery("s", with: "80").text == "https://h/u/1?s=80")
    #expect(WebAddress("https://h/u/1")?.replacingQuery("s", with: "80").text == "https://h/u/1?s=80")
    #expect(WebAddress("https://h/u/1?s=9&v=4")?.replacingQuery("s", with: "80").text == "https://h/u/1?v=4&s=80")
    #expect(WebAddress("https://h/u/1?s=9")?.replacingQuery("s", with: nil).text == "https://h/u/1")
  }

  @Test("A Location is absolute or a path on the same origin")
  func location() {
    let here = WebAddress("https://host:8443/a/b")
    #expect(here?.resolving(location: "/c?d=1")?.text == "https://host:8443/c?d=1")
    #expect(here?.resolving(location: "https://other/c")?.text == "https://other/c")
    #expect(here?.resolving(location: "//other/c") == nil)
    #expect(here?.resolving(location: "c") == nil)
  }
}
