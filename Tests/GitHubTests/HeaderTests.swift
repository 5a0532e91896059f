import Chat
import HTTP
import Outbound
import Testing

@testable import GitHub

@Suite("Header fields of GitHub's responses")
struct HeaderTests {
  @Test("next is found next to a URI template, in any order, with commas in targets and quotes")
  func link() {
    let users = LinkHeader(
      #"<https://api.github.com/users{?since,per_page}>; rel="first", <https://api.github.com/users?since=46>; rel="next""#
    )
    #expect(users["next"] == "https://api.github.com/users?since=46")
    #expect(users["first"] == "https://api.github.com/users{?since,per_page}")
    #expect(users["last"] == nil)
    let odd = LinkHeader(#"<https://h/a>; title="x, y <z>"; REL=next , <https://h/b>;rel="prev last""#)
    #expect(odd["next"] == "https://h/a")
    #expect(odd["prev"] == "https://h/b")
    #expect(odd["last"] == "https://h/b")
  }

  @Test(
    "A malformed field is ignored", arguments: ["", "nonsense", "<", "<https://h/", "<>", "<x>; rel", ",,,<"])
  func broken(_ value: String) {
    #expect(LinkHeader(value)["next"] == nil)
  }

  @Test("Dates and delays are parsed in both forms")
  func times() throws {
    let start = try #require(TransportResponse(status: 200, fields: ["Date": "Mon, 07 Oct 2019 19:26:35 GMT"]).date)
    #expect(start.seconds == 1_570_476_395)
    for text in ["Mon, 7 October 2019", ""] {
      #expect(TransportResponse(status: 200, fields: ["Date": text]).date == nil)
    }
    func wait(_ text: String) -> Int64? {
      TransportResponse(status: 429, fields: ["Retry-After": text]).retryAfter(now: start)
    }
    #expect(wait("8") == 8 && wait("-1") == nil && wait("soon") == nil)
    #expect(wait("Mon, 07 Oct 2019 19:26:43 GMT") == 8)
    #expect(wait("Mon, 07 Oct 2019 19:26:00 GMT") == 0)
  }

  @Test("A cursor is a number that advances, and nothing else")
  func cursor() throws {
    #expect(PageCursor("", for: .users) == .first)
    #expect(PageCursor("46", for: .users) == .since(46))
    #expect(PageCursor("2", for: .followers(of: "a")) == .page(2))
    for text in ["0", "-1", "1x", "046", " 5", "https://h", "9999999999999999999", "2&q=x", "٣"] {
      #expect(PageCursor(text, for: .users) == nil, "\(text)")
    }
    for text in ["1", "100001"] { #expect(PageCursor(text, for: .search("x")) == nil, "\(text)") }
    let next = WebAddress("https://h/users?per_page=5&since=46")
    #expect(PageCursor.first.next(from: next, in: .users) == .since(46))
    #expect(PageCursor.since(46).next(from: next, in: .users) == nil)
    #expect(PageCursor.first.next(from: next, in: .members(of: "x")) == nil)
    #expect(PageCursor.first.next(from: nil, in: .users) == nil)
    #expect(PageCursor.page(3).next(from: WebAddress("https://h/x?page=4"), in: .search("x"))?.text == "4")
  }
}
