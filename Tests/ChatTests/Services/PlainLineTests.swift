import Chat
import Foundation
import TestSupport
import Testing

@Suite("Plain lines", .shows("K5"))
struct PlainLineTests {
  /// The examples that the browser's lines are held to as well: by subject, texts and their lines.
  private static let examples: [String: [[String]]] = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    guard let data = try? Data(contentsOf: folder.appending(path: "Fixtures/plain-lines.json")) else { return [:] }
    return (try? JSONDecoder().decode([String: [[String]]].self, from: data)) ?? [:]
  }()

  @Test("The marks of Markdown go, the text stays; the browser makes the same lines", .shows("K5", "T1"))
  func examples() {
    #expect(Self.examples.values.joined().count > 450)
    for (subject, examples) in Self.examples {
      for example in examples {
        #expect(PlainLine.of(example[0]) == example[1], "\(subject): \(example[0].debugDescription)")
      }
    }
  }

  @Test("A line is never longer than its text, has no line breaks and is not empty, whatever the text is", .shows("K5"))
  func random() {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "*", "**", "_", "~~", "`", "```", "[", "](", ")", "![", "\\", "<", ">", "- ", "[x] ", "# ", "|", "|-|", "---",
      "\n", "\n\n", " ", "a", "word", "7", "é", "漢", "🎉", "\u{301}", "\u{0}", "https://x.y/", "@", "!", "\"", "(", "=",
      "\t", "\u{2028}", "\r\n",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...20, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
      let line = PlainLine.of(text)
      #expect(line.unicodeScalars.count <= text.unicodeScalars.count, "\(text.debugDescription)")
      #expect(!line.unicodeScalars.contains { $0 == "\n" || $0 == "\t" }, "\(text.debugDescription)")
      #expect(line.isEmpty == text.unicodeScalars.allSatisfy(\.properties.isWhitespace), "\(text.debugDescription)")
    }
  }

  @Test(
    "The longest texts of marks take no more than a moment", .shows("X6"),
    arguments: [
      "*", "_", "*a_", "`", "` `` ", "[", "![", "](", "[a](<", "[a](b \"", "[a](b(c", "<a", "<a@", "> ", "- ", "- [x] ",
      "# ", "|", "\\", "http://", "http://*", " ", "\n", "a*", "*a **b ", "[x] ", "-", "=", "~~~\n", "|-\n", "h",
    ])
  func pathological(piece: String) {
    // Twice the text takes about twice the time; quadratic time would be minutes. The lines say that it was read.
    for _ in 0..<20 {
      let text = String(String(repeating: piece, count: 10_000).prefix(PlainLine.longestSource))
      #expect(PlainLine.of(text).unicodeScalars.count <= PlainLine.longestSource)
    }
    #expect(PlainLine.of(String(repeating: "x", count: 20_000)).count == PlainLine.longestSource)
  }
}
