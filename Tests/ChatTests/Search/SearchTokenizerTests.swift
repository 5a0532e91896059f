import Chat
import Glibc
import TestSupport
import Testing

@Suite("Search tokens", .shows("Q1"))
struct SearchTokenizerTests {
  private func words(_ text: String) -> String { SearchTokenizer.words(of: text).joined(separator: "|") }

  private func parts(_ text: String) -> String {
    SearchTokenizer.tokens(of: text).filter(\.isPart).map(\.text).joined(separator: "|")
  }

  @Test(
    "Words end at space and punctuation; case, accents and width are ignored, in any script", .shows("Q1"),
    arguments: [
      ("Hello, world!", "hello|world"), ("", ""), (" \n\t.,;-_/ ", ""), ("don't", "don|t"),
      ("Grüße aus ŁÓDŹ und Ærøskøbing", "grusse|aus|lodz|und|aeroskobing"), ("CAFÉ cafe\u{301}", "cafe|cafe"),
      ("Ἀθήνα ΑΘΗΝΑΣ", "αθηνα|αθηνασ"), ("Ёлка ЕЛКА й и\u{306}", "елка|елка|и|и"), ("tiếng Việt", "tieng|viet"),
      ("ＡＢＣ１２３", "abc123"), ("شَمْس شمس", "شمس|شمس"), ("हिन्दी भाषा", "हिन्दी|भाषा"), ("ﬁne", "ﬁne"),
      ("İstanbul ıstanbul", "istanbul|istanbul"), ("co\u{AD}operate", "cooperate"), ("zero\u{200B}width", "zero|width"),
      ("CI go", "ci|go"), ("2026-03-14T10:00", "2026|03|14t10|00"),
    ])
  func folds(text: String, expected: String) {
    #expect(words(text) == expected)
  }

  @Test(
    "Scripts without spaces have one token per character, composed or not", .shows("Q1"),
    arguments: [
      ("搜索abc测试", "搜|索|abc|测|试"), ("テスト。", "テ|ス|ト"), ("カ\u{3099}ウ\u{3099}ハ\u{309A}", "ガ|ヴ|パ"),
      ("한국어", "한|국|어"), ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한|국"), ("สวัส", "ส|ว|ั|ส"),
      ("々〆", "々|〆"), ("𠮷野", "𠮷|野"), ("か\u{3099}\u{3099}", "が|\u{3099}"),
    ])
  func ideographs(text: String, expected: String) {
    #expect(words(text) == expected)
  }

  @Test(
    "Numbers, code, paths, ids and emoji", .shows("Q1"),
    arguments: [
      ("see #123.", "see|#123", "123"), ("owner/repo#12,#3", "owner|repo|#12|#3", "12|3"), ("#12ab #x #", "12ab|x", ""),
      ("fooBar HTTPServer foo_bar iOS16", "foobar|httpserver|foo|bar|ios16", "foo|bar|http|server|i|os16"),
      ("Sources/Chat/Room.swift", "sources|chat|room|swift", ""), ("ÉcoleÉté", "ecoleete", "ecole|ete"),
      ("a1b2c3d4e5", "a1b2c3d4e5", ""), ("👍🏽❤️👩‍💻🇩🇪 1️⃣", "👍|❤|👩|💻|🇩|🇪|1", ""), ("a→b ≠", "a|→|b|≠", ""),
      ("#123456789012345678901234567890", "123456789012345678901234567890", ""),
    ])
  func code(text: String, expected: String, expectedParts: String) {
    #expect(words(text) == expected)
    #expect(parts(text) == expectedParts)
  }

  @Test("Each token has its range in the original", .shows("Q1"))
  func ranges() {
    let text = "Der GroßeFuß: ガ #7 cafe\u{301}!"
    let tokens = SearchTokenizer.tokens(of: text)
    let ranges = tokens.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    #expect(ranges == ["Der", "GroßeFuß", "Große", "Fuß", "ガ", "#7", "7", "cafe\u{301}"])
    #expect(tokens.map(\.text) == ["der", "grossefuss", "grosse", "fuss", "ガ", "#7", "7", "cafe"])
  }

  @Test("A token has at most 64 scalars; a longer word continues in the next", .shows("Q1"))
  func longWords() {
    let tokens = SearchTokenizer.words(of: String(repeating: "x", count: 150))
    #expect(tokens.map(\.unicodeScalars.count) == [64, 64, 22])
    let sharp = SearchTokenizer.words(of: String(repeating: "ß", count: 64))
    #expect(sharp.joined() == String(repeating: "s", count: 128))
  }

  @Test(
    "A message's facts are derived from its text", .shows("Q1"),
    arguments: [
      ("see https://example.org", [SearchFact.link]), ("HTTP://x", [.link]), ("http:// https:/", []),
      ("gopher://x", []),
      ("`code`", [.code]), ("one ` tick", []), ("@ada", [.mention]), ("(@ada)", [.mention]),
      ("ada@example.org @ ada", []),
      ("@ada: `x` at http://a.b", [.link, .code, .mention]), ("://", []), ("@", []),
    ] as [(String, Set<SearchFact>)])
  func facts(text: String, expected: Set<SearchFact>) {
    #expect(SearchFact.facts(of: text) == expected)
  }

  @Test(
    "The cost grows with the length alone: tokens, facts, query, snippet", .shows("control 10"),
    arguments: [
      "word ", "aB", "x", "#1", "搜", "か\u{3099}", "e\u{301}", "\"", "`@http://", "👩‍💻", "a:", "from:x ",
    ])
  func linear(unit: String) throws {
    let short = String(repeating: unit, count: 4_000 / unit.utf8.count)
    let query = try SearchQueryParser.parse(.init(q: "\"a a a a a a a a b\" word x 搜 か"))
    func cost(_ text: String) -> Int {
      (0..<3).map { _ in
        let start = threadNanoseconds()
        _ = SearchTokenizer.tokens(of: text)
        _ = SearchFact.facts(of: text)
        _ = SearchSnippet.pieces(of: text, for: query, isByParts: true)
        _ = try? SearchQueryParser.parse(.init(q: text))
        return threadNanoseconds() - start
      }.min() ?? 0
    }
    // The CPU time of this thread, the minimum of several runs, so that other load on the machine does not count. What
    // grows with the square of the length costs 64 times as much.
    #expect(cost(String(repeating: short, count: 8)) <= 24 * cost(short))
  }

  private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
