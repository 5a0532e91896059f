import Chat
import TestSupport
import Testing

@Suite("Search snippets", .shows("Q1"))
struct SearchSnippetTests {
  /// The pieces as one text, hits in brackets.
  private func snippet(_ text: String, _ q: String, isByParts: Bool = false) throws -> String {
    let query = try SearchQueryParser.parse(.init(q: q))
    return SearchSnippet.pieces(of: text, for: query, isByParts: isByParts)
      .map { $0.isHit ? "[\($0.text)]" : $0.text }.joined()
  }

  @Test(
    "Hits are highlighted as matched: folded, by prefix, phrase, part and number", .shows("Q1"),
    arguments: [
      ("Fix the Café, please", "cafe ", "Fix the [Café], please"), ("Searching", "sea", "[Searching]"),
      ("Searching", "sea ", "Searching"), ("a fooBar here", "bar ", "a foo[Bar] here"),
      ("one two one two three", "\"two three\"", "one two one [two three]"),
      ("see Sources/Chat/Room.swift now", "chat/room.sw", "see Sources/[Chat/Room.swift] now"),
      ("我们搜索问题搜", "搜索", "我们[搜索]问题搜"), ("#12 and 12 and #123", "#12", "[#12] and 12 and #123"),
      ("line\nbreak\there", "break ", "line [break] here"), ("nothing", "other ", "nothing"),
      ("<b>bold</b> & \"x\"", "bold ", "<b>[bold]</b> & \"x\""), ("a b a b", "a b ", "[a] [b] [a] [b]"),
      ("xx", "has:link", "xx"), ("a a a a b", "\"a a b\"", "a a [a a b]"), ("ab ab act", "\"ab ac", "ab [ab act]"),
    ])
  func marks(text: String, q: String, expected: String) throws {
    #expect(try snippet(text, q) == expected)
  }

  @Test(
    "A snippet is a plain line, with hits across marks; what only the marks have is shown as it is written",
    .shows("Q1", "K5"),
    arguments: [
      ("the **parser** `reads` bytes", "\"parser reads\"", "the [parser reads] bytes"),
      ("# Release\n- [x] **re**lease it", "release ", "[Release] [release] it"),
      ("[docs](https://example.org) here", "docs ", "[docs] here"),
      ("[docs](https://example.org) **here**", "example ", "[docs](https://[example].org) **here**"),
      ("```swift\nlet a\n```", "swift ", "```[swift] let a ```"), ("**a** b", "has:link", "a b"),
      ("**a** b", "other ", "a b"),
    ])
  func plain(text: String, q: String, expected: String) throws {
    #expect(try snippet(text, q) == expected)
  }

  @Test(
    "Parts of words are highlighted if they were searched for", .shows("Q1"),
    arguments: [
      ("the MessageStore", "essagesto", "the [MessageStore]"), ("Resources/Chat/x", "sources/ch", "[Resources/Chat]/x"),
      ("abc", "\"bc\"", "abc"), ("xbc bc", "\"bc\" ", "xbc [bc]"), ("searching", "ar", "searching"),
      ("xa b-cd", "a-b-c", "xa b-cd"),
      ("a b cd", "a-b-c", "[a b cd]"),
    ])
  func parts(text: String, q: String, expected: String) throws {
    #expect(try snippet(text, q, isByParts: true) == expected)
  }

  @Test("A snippet has about 160 characters, starts and ends at words, and contains the first hit", .shows("Q1"))
  func cuts() throws {
    let long = String(repeating: "lorem ipsum ", count: 50)
    let text = long + "needle " + long
    let shown = try snippet(text, "needle ")
    #expect(shown.contains("[needle]") && shown.hasPrefix("…") && shown.hasSuffix("…"))
    #expect((100...170).contains(shown.unicodeScalars.count))
    #expect(
      shown.split(separator: " ").dropFirst().dropLast().allSatisfy { ["lorem", "ipsum", "[needle]"].contains($0) })
    #expect(try snippet(text, "has:code").hasPrefix("lorem ipsum"))
    let dense = String(repeating: "搜", count: 1000)
    #expect(try snippet(dense, "搜").unicodeScalars.count == SearchSnippet.length + 3)
    #expect(try snippet(String(repeating: "x", count: 3000), "y ").unicodeScalars.count == SearchSnippet.length + 1)
    #expect(try snippet(long + "end", "end").hasSuffix("[end]"))
  }
}
