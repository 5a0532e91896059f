import Chat
import TestSupport
import Testing

@testable import ChatTesting

@Suite("Mentions")
struct MentionsTests {
  @Test(
    "A handle follows an @ at the start of a word, and consists of letters, digits, hyphens and underscores",
    .shows("R3"),
    arguments: [
      ("Hello @octocat!", ["octocat"]), ("@Ada-Lovelace, @ada-lovelace", ["ada-lovelace"]),
      ("mail me@example.org", []), ("(@a)", ["a"]), ("@a@b", ["a"]), ("@@a", []), ("@", []), ("@ a", []),
      ("end @ada-", ["ada"]), ("@--", []), ("line\n@bob_1", ["bob_1"]), ("@Zoë @ZOË", ["zoë"]), ("@李雷 你好", ["李雷"]),
      ("`@code`", ["code"]), ("ünder@score", []),
    ] as [(String, [String])])
  func handles(text: String, expected: [String]) {
    #expect(Mentions.handles(in: text) == expected)
  }

  @Test("One message mentions at most fifty people", .shows("R3"))
  func most() {
    let text = (0..<80).map { "@p\($0)" }.joined(separator: " ")
    #expect(Mentions.handles(in: text) == (0..<50).map { "p\($0)" })
  }

  @Test("A person without a login is mentioned by the letters and digits of their name", .shows("R3"))
  func handle() {
    #expect(User(id: id(1), firstName: "Ada", lastName: "King-Lovelace 2").handle == "AdaKingLovelace2")
    #expect(User(id: id(1), login: "octo-cat", firstName: "Octo").handle == "octo-cat")
    #expect(User(id: id(1), firstName: "李", lastName: "雷 🙂").handle == "李雷")
  }

  @Test(
    "A reaction is a single emoji, however it is composed", .shows("R3"),
    arguments: ["👍", "👍🏽", "❤️", "👩‍👩‍👧", "🇩🇪", "1️⃣", "✨"])
  func emoji(text: String) throws {
    #expect(try MessageRules.check(emoji: text) == text)
  }

  @Test(
    "Anything else is not a reaction", .shows("R3"),
    arguments: ["", "a", "1", "#", "👍👍", "👍 ", ":+1:", "\u{200D}", "é", String(repeating: "🏽", count: 9)])
  func noEmoji(text: String) {
    #expect(throws: ChatError.self) { try MessageRules.check(emoji: text) }
  }
}
