import Chat
import ChatTesting
import FoundationEssentials
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Cards of references")
struct CardTests {
  private let clock = ManualClock()
  private let store = MemoryNewsStore()

  private func reader(_ transport: any Transport, credential: GitHubCredential = .anonymous) -> GitHubThingReader {
    var configuration = GitHubConfiguration()
    configuration.credential = credential
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    return GitHubThingReader(client: client, store: store, clock: clock, logger: Logger(label: "test"))
  }

  /// GitHub's response for each kind of thing; those numbered 404 do not exist.
  private static func answer(_ request: TransportRequest) -> TransportResponse {
    let path = request.address.path
    if path.hasSuffix("/404") { return TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8)) }
    let body =
      if path.contains("/issues/") {
        #"{"number":\#(path.split(separator: "/").last ?? ""),"title":"T","state":"open"}"#
      } else if path.contains("/commits/") {
        #"{"sha":"abcdef0123","commit":{"message":"one"}}"#
      } else if path.hasPrefix("/users/") {
        #"{"login":"ada","id":9,"type":"User","name":"Ada"}"#
      } else {
        #"{"id":1,"full_name":"o/r","private":false}"#
      }
    return TransportResponse(status: 200, fields: ["etag": "\"1\""], body: Array(body.utf8))
  }

  private static func title(_ card: GitHubCards.Card?) -> String? {
    switch card {
    case .thing(let thing): "\(thing.kind) \(thing.number ?? 0)"
    case .person(let profile): profile.face.login
    case nil: nil
    }
  }

  @Test(
    "Cards come in the order asked, each thing requested once, and none again within the hour",
    .shows("K5"))
  func order() async throws {
    let transport = ScriptedTransport { Self.answer($0) }
    let reader = reader(transport)
    let references = [
      "@ada", "o/r#2", "nonsense", "o/r", "O/R#2", "https://github.com/o/r/pull/2", "o/r@abcdef0", "o/r#404",
    ]
    #expect(try await reader.requests(forCardsOf: references) == 5)
    let found = try await reader.cards(for: references)
    #expect(
      found.cards.map(Self.title) == [
        "ada", "issue 2", nil, "repository 0", "issue 2", "issue 2", "commit 0", nil,
      ])
    #expect(found.failure == nil && transport.requests.count == 5)
    for _ in 0..<2 {
      clock.advance(by: .seconds(1799))
      #expect(try await reader.requests(forCardsOf: references) == 0)
      #expect(try await reader.cards(for: references).cards.map(Self.title) == found.cards.map(Self.title))
    }
    #expect(transport.requests.count == 5, "what does not exist is not asked for again either")
    clock.advance(by: .seconds(2))
    transport.follow { request in
      request.fields["If-None-Match"] == nil ? Self.answer(request) : TransportResponse(status: 304)
    }
    #expect(try await reader.requests(forCardsOf: references) == 5)
    #expect(try await reader.cards(for: references).cards.map(Self.title) == found.cards.map(Self.title))
    #expect(transport.requests.count == 10)
  }

  /// GitHub's record of a file.
  private static func file(_ text: String, encoding: String = "base64") -> TransportResponse {
    let content = Data(text.utf8).base64EncodedString(options: .lineLength64Characters).replacing("\r\n", with: "\\n")
    let body =
      #"{"type":"file","encoding":"\#(encoding)","content":"\#(content)","html_url":"https://github.com/o/r/x"}"#
    return TransportResponse(status: 200, fields: ["etag": "\"1\""], body: Array(body.utf8))
  }

  private static let commit = String(repeating: "c0", count: 20)
  private static func lines(_ fragment: String) -> String {
    "https://github.com/o/r/blob/\(commit)/src/a%20b.py#\(fragment)"
  }

  @Test("A permalink's card has the lines as they are, without what could hide in them", .shows("K5"))
  func lines() async throws {
    let transport = ScriptedTransport { _ in Self.file("one\r\n\u{C}two\n\tif \u{202E}three:\n\n  five\n") }
    let reader = reader(transport)
    let found = try await reader.cards(for: [Self.lines("L2-L4"), Self.lines("L5-L99")]).cards
    guard case .thing(let first) = found[0], case .thing(let second) = found[1] else {
      Issue.record("no cards")
      return
    }
    #expect(first.text == "two\n\tif three:\n" && first.firstLine == 2 && first.title == "src/a b.py")
    #expect(first.ref == Self.commit && first.repository == "o/r" && first.url == Self.lines("L2-L4"))
    #expect(second.text == "  five" && second.firstLine == 5)
    let address = try #require(transport.requests.first?.address)
    #expect(address.path == "/repos/o/r/contents/src/a%20b.py" && address.queryValue("ref") == Self.commit)
  }

  @Test(
    "What is no text, is too long, or has no such line is no card, and the other cards come all the same",
    .shows("K5"),
    arguments: [
      file("one\u{0}two"), file("one", encoding: "none"), file("one"),
      TransportResponse(status: 200, body: Array(#"[{"type":"file"}]"#.utf8)),
      TransportResponse(status: 200, body: Array(#"{"type":"submodule"}"#.utf8)),
      TransportResponse(status: 200, body: Array(#"{"type":"file","encoding":"base64","content":"/w=="}"#.utf8)),
    ])
  func noLines(response: TransportResponse) async throws {
    let transport = ScriptedTransport { request in
      request.address.path.contains("/contents/") ? response : Self.answer(request)
    }
    let found = try await reader(transport).cards(for: [Self.lines("L2"), "o/r#2"])
    #expect(found.cards.map(Self.title) == [nil, "issue 2"] && found.failure == nil)
  }

  @Test("A file longer than a response may be is no card, and the other cards come all the same", .shows("K5"))
  func longFile() async throws {
    let transport = ScriptedTransport { request throws(TransportFailure) in
      if request.address.path.contains("/contents/") { throw .oversized }
      return Self.answer(request)
    }
    let found = try await reader(transport).cards(for: [Self.lines("L2"), "o/r#2"])
    #expect(found.cards.map(Self.title) == [nil, "issue 2"] && found.failure == nil)
  }

  @Test("At most four requests run at once for a room full of references")
  func concurrency() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { request in
      await gate.pass()
      return Self.answer(request)
    }
    let reader = reader(transport)
    let cards = Task { try await reader.cards(for: (1...40).map { "o/r#\($0)" }) }
    await transport.arrived(4)
    #expect(transport.requests.count == 4)
    gate.open()
    #expect(try await cards.value.cards.compactMap(\.self).count == 40)
    #expect(transport.requests.count == 40)
  }

  @Test("With GitHub away old cards stay; one call waits once, and the next ones not at all", .shows("K5", "N4"))
  func away() async throws {
    let transport = ScriptedTransport { Self.answer($0) }
    let reader = reader(transport)
    let references = (1...20).map { "o/r#\($0)" }
    _ = try await reader.cards(for: Array(references.prefix(10)))
    clock.advance(by: .seconds(3600))
    transport.follow { (_) throws(TransportFailure) in throw .timedOut }
    let found = try await reader.cards(for: references)
    #expect(found.cards.prefix(10).allSatisfy { $0 != nil } && found.cards.suffix(10).allSatisfy { $0 == nil })
    #expect(found.failure?.kind == .unreachable)
    let asked = transport.requests.count
    #expect(asked <= 10 + 4, "those in flight when the first failed")
    #expect(try await reader.requests(forCardsOf: references) == 0)
    #expect(try await reader.cards(for: references).failure?.kind == .unreachable)
    #expect(transport.requests.count == asked)
    clock.advance(by: GitHubThingReader.outagePause - .seconds(1))
    #expect(try await reader.cards(for: references).failure?.kind == .unreachable)
    clock.advance(by: .seconds(1))
    transport.follow { Self.answer($0) }
    let back = try await reader.cards(for: references)
    #expect(back.failure == nil && back.cards.allSatisfy { $0 != nil })
  }

  @Test(
    "With an operator's token each repository is asked once whether it is public; private things have no card",
    .shows("K5", "control 8"))
  func guarded() async throws {
    let transport = ScriptedTransport { request in
      request.address.path == "/repos/o/secret"
        ? TransportResponse(status: 200, body: Array(#"{"id":2,"full_name":"o/secret","private":true}"#.utf8))
        : Self.answer(request)
    }
    let reader = reader(transport, credential: .token("t"))
    let references = ["o/r#1", "o/r#2", "o/secret#1", "o/secret", "o/secret@abcdef0"]
    #expect(try await reader.requests(forCardsOf: references) == 6)
    let found = try await reader.cards(for: references)
    #expect(found.cards.map(Self.title) == ["issue 1", "issue 2", nil, nil, nil] && found.failure == nil)
    #expect(
      Set(transport.requests.map(\.address.path)) == [
        "/repos/o/r", "/repos/o/r/issues/1", "/repos/o/r/issues/2", "/repos/o/secret",
      ])
    // It becomes private while GitHub is away afterwards: what is stored of it is not shown.
    clock.advance(by: .seconds(3600))
    transport.follow { _ in
      TransportResponse(status: 200, body: Array(#"{"id":1,"full_name":"o/r","private":true}"#.utf8))
    }
    #expect(try await reader.cards(for: ["o/r#1"]).cards == [nil])
    clock.advance(by: .seconds(3600))
    transport.follow { (_) throws(TransportFailure) in throw .unreachable("down") }
    #expect(try await reader.cards(for: ["o/r#1"]).cards == [nil])
  }
}
