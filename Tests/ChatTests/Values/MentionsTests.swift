import Chat
import Testing

@testable import ChatTesting

@Suite("Mentions")
struct MentionsTests {
  @Test(
    "R3 A handle follows an @ that begins a word, and ends where letters, digits, hyphens and underscores end",
    arguments: [
      ("Hello @octocat!", ["octocat"]), ("@Ada-Lovelace, @ada-lovelace", ["ada-lovelace"]),
      ("mail me@example.org", []), ("(@a)", ["a"]), ("@a@b", ["a"]), ("@@a", []), ("@", []), ("@ a", []),
      ("end @ada-", ["ada"]), ("@--", []), ("line\n@bob_1", ["bob_1"]), ("@Zoë @ZOË", ["zoë"]), ("@李雷 你好", ["李雷"]),
      ("`@code`", ["code"]), ("ünder@score", []),
    ] as [(String, [String])])
  func handles(text: String, expected: [String]) {
    #expect(Mentions.handles(in: text) == expected)
  }

  @Test("R3 No more than fifty people are mentioned by one message")
  func most() {
    let text = (0..<80).map { "@p\($0)" }.joined(separator: " ")
    #expect(Mentions.handles(in: text) == (0..<50).map { "p\($0)" })
  }

  @Test("R3 Who has no login is mentioned by the letters and digits of the name")
  func handle() {
    #expect(User(id: id(1), firstName: "Ada", lastName: "King-Lovelace 2").handle == "AdaKingLovelace2")
    #expect(User(id: id(1), login: "octo-cat", firstName: "Octo").handle == "octo-cat")
    #expect(User(id: id(1), firstName: "李", lastName: "雷 🙂").handle == "李雷")
  }

  @Test(
    "R3 A reaction is one emoji, however it is composed",
    arguments: ["👍", "👍🏽", "❤️", "👩‍👩‍👧", "🇩🇪", "1️⃣", "✨"])
  func emoji(text: String) throws {
    #expect(try ViewRules.check(emoji: text) == text)
  }

  @Test(
    "R3 Anything else is no reaction",
    arguments: ["", "a", "1", "#", "👍👍", "👍 ", ":+1:", "\u{200D}", "é", String(repeating: "🏽", count: 9)])
  func noEmoji(text: String) {
    #expect(throws: ChatError.self) { try ViewRules.check(emoji: text) }
  }
}
