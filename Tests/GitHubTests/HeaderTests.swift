import Chat
import Outbound
import Testing

@testable import GitHub

@Suite("Header fields of GitHub's answers")
struct HeaderTests {
  @Test("next is found beside a URI template, in any order, with commas in targets and quotes")
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
    "A field that is none costs nothing", arguments: ["", "nonsense", "<", "<https://h/", "<>", "<x>; rel", ",,,<"])
  func broken(_ value: String) {
    #expect(LinkHeader(value)["next"] == nil)
  }

  @Test("Dates and waits are read in both forms")
  func times() {
    let now = ServerTime.parse("Mon, 07 Oct 2019 19:26:35 GMT")
    #expect(now?.description == "2019-10-07T19:26:35.000Z")
    #expect(ServerTime.parse("Mon, 7 October 2019") == nil)
    #expect(ServerTime.parse("") == nil)
    let start = now ?? Timestamp(milliseconds: 0)
    #expect(ServerTime.retryAfter("8", now: start) == 8)
    #expect(ServerTime.retryAfter("Mon, 07 Oct 2019 19:26:43 GMT", now: start) == 8)
    #expect(ServerTime.retryAfter("Mon, 07 Oct 2019 19:26:00 GMT", now: start) == 0)
    #expect(ServerTime.retryAfter("-1", now: start) == nil)
    #expect(ServerTime.retryAfter("soon", now: start) == nil)
  }

  @Test("A cursor is a number that leads on, and nothing else")
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
