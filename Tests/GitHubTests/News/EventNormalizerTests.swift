import Chat
import FakeGitHub
import Foundation
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Events as news items")
struct EventNormalizerTests {
  private let normalizer = EventNormalizer(webBase: "https://github.com")
  /// Complete pages, and single events of each type.
  private static let pages = [
    "events-by-type", "events-org-for-member-2018", "events-org-public-2017", "events-public-last-page-2019",
    "events-received-2013", "events-user-public-page-1-2023",
  ]
  private static let single = ["event-gollum-2021", "event-push-after-2025-10-trim", "event-release-2024"]

  private static func recorded() throws -> [EventRecord] {
    var events: [EventRecord] = []
    for name in pages {
      events += try JSONDecoder().decode([EventRecord].self, from: Data(Recording.object(named: name)))
    }
    for name in single {
      events.append(try JSONDecoder().decode(EventRecord.self, from: Data(Recording.object(named: name))))
    }
    return events
  }

  private func item(
    _ type: String, _ payload: String, id: String = "1", repo: String = "o/r", isPublic: Bool = true
  ) throws -> NewsItem? {
    let text =
      #"{"id":"\#(id)","type":"\#(type)","actor":{"id":1,"login":"a"},"repo":{"name":"\#(repo)"},"payload":\#(payload),"#
      + #""public":\#(isPublic),"created_at":"2026-01-02T03:04:05Z"}"#
    return normalizer.item(try JSONDecoder().decode(EventRecord.self, from: Data(text.utf8)))
  }

  @Test("Every recorded event becomes an item with a subject and links, here and on GitHub", .shows("N1"))
  func recordings() throws {
    let events = try Self.recorded()
    #expect(events.count > 70)
    var kinds: [String: Set<NewsSubject.Kind>] = [:]
    for event in events {
      let item = normalizer.item(event)
      guard event.isPublic else {
        #expect(item == nil)
        continue
      }
      let found = try #require(item, "\(event.id)")
      #expect(found.id == event.id && found.type == event.type && found.repository?.text == event.repository?.name)
      #expect(found.createdAt == event.createdAt && found.actor.id == event.actor?.id)
      #expect(found.url.hasPrefix("https://github.com/") && WebAddress(found.url) != nil, "\(found.url)")
      #expect(found.subject.path?.hasPrefix("/github/") == true || found.subject.kind == .person, "\(found)")
      kinds[event.type, default: []].insert(found.subject.kind)
    }
    #expect(
      kinds == [
        "CommitCommentEvent": [.commit], "CreateEvent": [.branch, .tag, .repository], "DeleteEvent": [.branch, .tag],
        "ForkEvent": [.repository], "GollumEvent": [.page], "IssueCommentEvent": [.pull],
        "IssuesEvent": [.issue], "MemberEvent": [.person], "PullRequestEvent": [.pull],
        "PullRequestReviewEvent": [.pull], "PullRequestReviewCommentEvent": [.pull], "PushEvent": [.branch],
        "ReleaseEvent": [.release], "WatchEvent": [.repository],
      ])
  }

  @Test("Full and trimmed payloads: titles and counts if present, links in either case", .shows("N1"))
  func payloads() throws {
    let full = try #require(
      try item(
        "PullRequestEvent",
        #"{"action":"closed","number":7,"pull_request":{"number":7,"title":"T","merged":true,"state":"closed","body":"B"}}"#
      ))
    #expect(full.action == "merged" && full.subject.state == "merged" && full.subject.title == "T")
    #expect(full.subject.text == "B" && full.subject.path == "/github/o/r/pulls/7")
    #expect(full.url == "https://github.com/o/r/pull/7")
    let trimmed = try #require(
      try item(
        "PullRequestEvent", #"{"action":"opened","pull_request":{"number":7,"id":1,"url":"https://evil.example"}}"#))
    #expect(trimmed.subject == NewsSubject(kind: .pull, path: "/github/o/r/pulls/7", number: 7))
    let draft = try #require(
      try item("PullRequestEvent", #"{"number":7,"pull_request":{"draft":true,"state":"open"}}"#))
    #expect(draft.subject.state == "draft")
    let review = try #require(
      try item("PullRequestReviewEvent", #"{"review":{"state":"APPROVED","body":"lgtm"},"pull_request":{"number":7}}"#))
    #expect(review.subject.state == "approved" && review.subject.text == "lgtm" && review.subject.number == 7)
    let push = try #require(
      try item(
        "PushEvent",
        #"{"ref":"refs/heads/a/b c","size":2,"head":"6cf735603a20b71c3ca05681e091b62dcbfd7527","commits":[{"message":"one\nmore"},{"message":"two"}]}"#
      ))
    #expect(push.subject.ref == "a/b c" && push.subject.count == 2 && push.subject.text == "two\none")
    #expect(push.subject.path == "/github/o/r/commits/6cf735603a20b71c3ca05681e091b62dcbfd7527")
    let bare = try #require(try item("PushEvent", #"{"ref":"refs/heads/main","head":"6cf7356","before":"x"}"#))
    #expect(bare.subject.count == nil && bare.subject.ref == "main" && bare.url.hasSuffix("/o/r/commit/6cf7356"))
    let gone = try #require(
      try item("PushEvent", #"{"ref":"refs/tags/v1","head":"0000000000000000000000000000000000000000"}"#))
    #expect(gone.subject.kind == .tag && gone.subject.path == "/github/o/r" && gone.url.hasSuffix("/o/r/tree/v1"))
  }

  @Test("Types beyond the recordings, and unknown ones", .shows("N1"))
  func unknownTypes() throws {
    let discussion = try #require(
      try item("DiscussionEvent", #"{"action":"created","discussion":{"number":3,"title":"T","body":"B"}}"#))
    #expect(discussion.subject.kind == .other && discussion.subject.number == 3 && discussion.subject.text == "B")
    #expect(discussion.url == "https://github.com/o/r/discussions/3" && discussion.subject.path == "/github/o/r")
    let sponsor = try #require(
      try item("SponsorshipEvent", #"{"action":"created","sponsorship":{"sponsorable":{"login":"ada"}}}"#))
    #expect(sponsor.subject.kind == .person && sponsor.subject.path == "/people/ada")
    #expect(try item("SponsorshipEvent", "{}")?.subject.kind == .other)
    let published = try #require(try item("PublicEvent", "{}"))
    #expect(published.subject.kind == .repository && published.url == "https://github.com/o/r")
    let thread = try #require(
      try item("PullRequestReviewThreadEvent", #"{"action":"resolved","pull_request":{"number":4}}"#))
    #expect(thread.subject.path == "/github/o/r/pulls/4" && thread.action == "resolved")
    let unknown = try #require(try item("MarsLandingEvent", #"{"action":"landed","issue":5}"#))
    #expect(unknown.type == "MarsLandingEvent" && unknown.action == "landed" && unknown.subject.kind == .other)
    #expect(unknown.subject.path == "/github/o/r" && unknown.url == "https://github.com/o/r")
    #expect(try item("Two Words", "{}")?.type == "Event")
    #expect(try item("WatchEvent", "{}", repo: "nonsense")?.url == "https://github.com/a")
    #expect(try item("WatchEvent", "{}", repo: "../x")?.repository == nil)
    let issue = try #require(
      try item(
        "IssuesEvent", #"{"action":"closed","issue":{"number":4,"state":"closed","state_reason":"not_planned"}}"#))
    #expect(issue.subject.state == "not_planned" && issue.subject.path == "/github/o/r/issues/4")
    let pull = try #require(
      try item("IssueCommentEvent", #"{"issue":{"number":4,"pull_request":{"merged_at":"2026-01-01T00:00:00Z"}}}"#))
    #expect(pull.subject.kind == .pull && pull.subject.state == "merged")
    let pages = try #require(
      try item(
        "GollumEvent", #"{"pages":[{"page_name":"A b","title":"A b","action":"edited","summary":null},{}]}"#))
    #expect(pages.action == "edited" && pages.subject.count == 2 && pages.url == "https://github.com/o/r/wiki/A%20b")
    let release = try #require(
      try item("ReleaseEvent", #"{"action":"published","release":{"tag_name":"v1/2","prerelease":true,"name":""}}"#))
    #expect(release.subject.path == "/github/o/r/releases/v1%2F2" && release.subject.title == "v1/2")
    #expect(release.url == "https://github.com/o/r/releases/tag/v1/2" && release.subject.state == "prerelease")
  }

  @Test(
    "Events that are not public or incomplete are not shown; payloads' own links are ignored",
    .shows("control 8", "control 10"))
  func refused() throws {
    #expect(try item("WatchEvent", "{}", isPublic: false) == nil)
    #expect(try item("WatchEvent", "{}", id: String(repeating: "1", count: 65)) == nil)
    #expect(try item("WatchEvent", "{}", id: "1 2") == nil)
    for text in [
      #"{"id":"1","type":"WatchEvent","public":true,"created_at":"2026-01-02T03:04:05Z"}"#,
      #"{"id":"1","actor":{"id":1,"login":"a"},"public":true,"created_at":"yesterday"}"#,
    ] {
      #expect(normalizer.item(try JSONDecoder().decode(EventRecord.self, from: Data(text.utf8))) == nil)
    }
    let evil = try #require(
      try item(
        "ForkEvent", #"{"forkee":{"full_name":"a/b/../../c","html_url":"javascript:alert(1)","description":"d"}}"#))
    #expect(evil.url == "https://github.com/o/r" && evil.subject.path == "/github/o/r" && evil.subject.title == nil)
    let member = try #require(try item("MemberEvent", #"{"member":{"login":"a/../b","html_url":"https://evil"}}"#))
    #expect(member.url == "https://github.com/o/r")
    let comment = try #require(try item("CommitCommentEvent", #"{"comment":{"commit_id":"../../x","body":"b"}}"#))
    #expect(comment.subject.ref == nil && comment.subject.path == "/github/o/r")
  }

  @Test(
    "Texts are cut, and lose control and bidirectional characters; lines are kept", .shows("N1", "control 10"))
  func texts() {
    #expect(PlainText.line("  a\u{0}\u{202E}b \n c\t") == "ab c")
    #expect(PlainText.line(" \n ") == nil && PlainText.line(nil) == nil)
    #expect(PlainText.line(String(repeating: "x", count: 300))?.unicodeScalars.count == 250)
    #expect(PlainText.line(String(repeating: "x", count: 300))?.last == "…")
    #expect(PlainText.paragraphs("a \r\n\r\n\r\n\tb\u{7}\n\n") == "a\n\n  b")
    #expect(PlainText.paragraphs("\n\n") == nil && PlainText.paragraphs(nil) == nil)
    let long = PlainText.paragraphs(String(repeating: "\u{202E}x\n", count: 100_000), limit: 50)
    #expect(long.map { $0.unicodeScalars.count <= 50 } == true)
    // One letter with a thousand marks shows that characters have no bounded size.
    let marked = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(PlainText.line(marked, limit: 20)?.utf8.count ?? 0 < 80)
  }
}
