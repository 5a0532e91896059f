import Base
import Chat
import Foundation
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Return addresses after sign-in")
struct ReturnAddressTests {
  @Test(
    "Addresses that could lead to another site, or in a loop, are refused", .shows("control 14"),
    arguments: [
      "//evil.example", "/\\evil.example", "\\\\evil.example", "/\\/evil.example", "///evil.example",
      "https://evil.example", "javascript:alert(1)", "evil.example", "", " /chats", "/ /evil", "/chats\n", "/\t/evil",
      "/\r\nSet-Cookie: a=b", "/chats\u{0}", "/chats\u{7F}", "/%2F/evil.example", "/%2Fevil.example", "/%2f%2fevil",
      "/%5Cevil.example", "/%255Cevil.example", "/%25252Fevil", "/%0d%0aevil", "/..//evil.example", "/a/..//evil",
      "/%2e%2e//evil", "/./chats", "/chats/../evil", "/%2E/evil", "/chats//evil", "/chats#//evil", "/ünïcode",
      "/chats%", "/chats%zz", "/auth/github", "/auth/github/callback?code=x", "/api/v1/session", "?x", "/'x", "/\"x",
      "/<script>", "/%09/evil", "/\u{2028}",
    ])
  func refused(wanted: String) {
    #expect(ReturnAddress(wanted) == nil)
  }

  @Test(
    "Every page of ours is kept as it is", .shows("control 14"),
    arguments: [
      "/chats", "/", "/chats/0192-abc", "/chats/0192?at=5", "/people/octo-cat/followers", "/orgs/swiftlang",
      "/search?q=a%20b&in=c%2Fd", "/invite/abc_DEF-123", "/settings?github=denied", "/news?page=2", "/chats/",
      "/search?q=%C3%BC", "/authors", "/apis",
    ])
  func kept(wanted: String) {
    #expect(ReturnAddress(wanted)?.path == wanted)
  }

  @Test("Addresses too long for a cookie are refused, and so is a missing one", .shows("control 14"))
  func length() {
    #expect(ReturnAddress("/" + String(repeating: "a", count: 1023)) != nil)
    #expect(ReturnAddress("/" + String(repeating: "a", count: 1024)) == nil)
    #expect(ReturnAddress(nil) == nil)
  }

  @Test("For any generated input, an accepted address leads to this host for every URL parser", .shows("control 14"))
  func property() throws {
    var random = SeededRandom(seed: 14)
    let pieces = [
      "/", "/", "\\", ".", "..", "%2f", "%5c", "%2e", "%25", "%00", "%0a", "//", "evil.example", "chats", "?", "&", "#",
      ":", "@", "a", "\t", "\n", " ", "ü", "https:", "%", ";", "=",
    ]
    let base = try #require(URL(string: "https://hub.example/auth/github/callback?code=1"))
    var kept = 0
    for _ in 0..<200_000 {
      let count = Int.random(in: 0...7, using: &random)
      let wanted = "/" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let address = ReturnAddress(wanted) else { continue }
      kept += 1
      let url = try #require(URL(string: address.path, relativeTo: base)?.absoluteURL, "\(wanted)")
      #expect(url.host() == "hub.example" && url.scheme == "https", "\(wanted)")
      #expect(url.path(percentEncoded: true) == String(wanted.prefix { $0 != "?" }), "\(wanted)")
      #expect(!url.standardized.path().hasPrefix("//"), "\(wanted)")
      #expect(!wanted.contains("\\") && wanted.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(wanted)")
    }
    #expect(kept > 1000)
  }

  @Test("A flow round-trips as text; a modified one is refused", .shows("A1"))
  func flow() throws {
    let page = try #require(ReturnAddress("/search?q=a.b%20c"))
    for purpose in [GitHubFlow.Purpose.signIn(invitation: nil), .signIn(invitation: "a-B_9"), .link(binding: "ab12")] {
      let flow = GitHubFlow(
        purpose: { _ in purpose }, returnTo: page, at: .init(milliseconds: 1_790_000_000_000))
      #expect(GitHubFlow(text: flow.text) == flow)
      // All but the address, whose prefix may be an address too.
      let whole = flow.text.count - PercentEncoding.encode(page.path).count
      for cut in 0..<whole { #expect(GitHubFlow(text: String(flow.text.prefix(cut))) == nil) }
    }
    for text in ["", ".....", "a.b.1.s..%2Fchats"] { #expect(GitHubFlow(text: text) == nil) }
    let flow = GitHubFlow(
      purpose: { _ in .signIn(invitation: nil) }, returnTo: .chats, at: .init(milliseconds: 1_000_000))
    #expect(GitHubFlow(text: flow.text.replacing("%2Fchats", with: "%2F%2Fevil")) == nil)
    #expect(GitHubFlow(text: flow.text.replacing(".s.", with: ".x.")) == nil)
    // Setting the clock back ends it.
    #expect(flow.isGood(at: .init(milliseconds: 1_600_000)) && !flow.isGood(at: .init(milliseconds: 1_600_001)))
    #expect(!flow.isGood(at: .init(milliseconds: 999_999)))
  }
}
