import HTTP
import TestSupport
import Testing

@Suite("Accept-Language")
struct AcceptLanguageTests {
  @Test(
    "The language is found by weight, then by position, then by parent range", .shows("H4"),
    arguments: [
      ("de", "de"), ("de-AT", "de"), ("DE-at-1996;q=0.3", "de"), ("en-GB,de;q=0.9", "en"), ("en;q=0.8, de;q=0.9", "de"),
      ("fr,de", "de"), ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"), ("de;q=0, en;q=0.1", "en"),
      ("de;q=0", nil), ("*", nil), ("*;q=0.5, de;q=0.4", nil), ("", nil), ("fr", nil), ("de;q=2", nil),
      ("d e, en", "en"),
      ("den", nil), ("de-", "de"), (String(repeating: "fr-", count: 2000) + ",de", "de"),
      (String(repeating: "fr,", count: 31) + "de", "de"), (String(repeating: "fr,", count: 32) + "de", nil),
    ])
  func lookup(value: String, expected: String?) {
    #expect(AcceptLanguage(value).best(of: ["en", "de"]) == expected)
  }
}
