import TestSupport
import Testing

@testable import Chat

@Suite("What finds an issue")
struct IssueFilterTests {
  private func matches(_ text: String, _ number: Int, _ title: String) -> Bool {
    IssueFilter(text).matches(number: number, words: IssueFilter.words(of: title))
  }

  @Test("Digits are the start of a number", .shows("K4"), arguments: ["1", "12", "#12", "123", "#", ""])
  func numbers(text: String) {
    #expect(matches(text, 123, "Title"))
    #expect(matches(text, 213, "123 times") == text.allSatisfy { $0 == "#" }, "not of a word, nor the middle")
  }

  @Test(
    "Words are each the start of a word of the title, in any order, without case and accents", .shows("K4"),
    arguments: [
      "crash", "#crash", "CRA", "ré resume", "list", "empty the", "résumé when", "Résumé", "URL", "session",
      "urlsession", "検",
    ])
  func words(text: String) {
    #expect(matches(text, 5, "Crash of URLSession when the Resumé list is empty: 検索"))
  }

  @Test(
    "Other words, the middle of one, and punctuation alone find nothing", .shows("K4"),
    arguments: [
      "rash", "crash full", "!", "…", "12x", "#full", "- -",
    ])
  func others(text: String) {
    #expect(!matches(text, 12, "Crash of the list"))
  }

  @Test("A word with a number is a word", .shows("K4"))
  func mixed() {
    #expect(matches("12 cra", 5, "Crash in 12 ways") && !matches("12 cra", 12, "Crash"))
    #expect(matches("#12", 12, "x") && !matches("#12", 5, "Follows #12") && matches("follows #1", 5, "Follows #12"))
  }
}
