import Chat
import TestSupport
import Testing

@Suite("Parsing the search field", .shows("Q1"))
struct SearchQueryParserTests {
  private func parse(_ q: String) throws -> SearchQuery { try SearchQueryParser.parse(.init(q: q)) }

  /// A short notation for terms: `*` for a prefix, quotes for a phrase.
  private func terms(_ q: String) throws -> [String] {
    try parse(q).terms.map { term in
      let text = term.tokens.joined(separator: " ") + (term.isPrefix ? "*" : "")
      return term.isQuoted ? "\"\(text)\"" : text
    }
  }

  private func errors(_ input: SearchQueryParser.Input) -> [String] {
    do {
      _ = try SearchQueryParser.parse(input)
      return []
    } catch ChatError.invalid(let errors) {
      return errors.map { $0.field + ":" + $0.code }
    } catch {
      return ["\(error)"]
    }
  }

  @Test(
    "Words, phrases, and the word still being typed", .shows("Q1"),
    arguments: [
      ("hello world", ["hello", "world*"]), ("hello world ", ["hello", "world"]),
      ("\"Hello, World\" x", ["\"hello world\"", "x"]),
      ("\"hello wor", ["\"hello wor*\""]), ("“Grüße” „an“ alle ", ["\"grusse\"", "\"an\"", "alle"]),
      ("Sources/Chat/Ro", ["sources chat ro*"]), ("foo_bar ", ["foo bar"]), ("fooBar ", ["foobar"]), ("#12", ["#12"]),
      ("搜索", ["搜 索"]), ("go", ["go*"]), ("a", ["a"]), ("c.", ["c"]), ("word!", ["word"]), ("-- ++", []), ("👍", ["👍"]),
      ("http://example.org", ["http example org*"]), ("fromage:x", ["fromage x"]), ("foo\"bar\" ", ["foo bar"]),
      ("from", ["from*"]),
    ])
  func words(q: String, expected: [String]) throws {
    #expect(try terms(q) == expected)
  }

  @Test("from: in: before: after: has: can be mixed with words, in any case and with quotes", .shows("Q1"))
  func filters() throws {
    let query = try parse(
      "FROM:octocat fix in:\"The Lounge\" before:2026-03-14 after:2026-03-01T12:00:00+02:00 has:code HAS:Link bug ")
    #expect(
      query.senders == [.init(text: "octocat", field: "q")] && query.rooms == [.init(text: "The Lounge", field: "q")])
    #expect(query.before == Timestamp("2026-03-14T00:00:00Z") && query.after == Timestamp("2026-03-01T10:00:00Z"))
    #expect(query.facts == [.code, .link] && query.words == "fix bug" && query.hasFilters)
    #expect(query.terms.map(\.tokens) == [["fix"], ["bug"]])
    #expect(query.covers(query.after!) && !query.covers(query.before!))
    #expect(!query.covers(Timestamp(milliseconds: query.after!.milliseconds - 1)))
  }

  @Test("Parameters are equivalent to filters, and both apply", .shows("Q1"))
  func parameters() throws {
    let query = try SearchQueryParser.parse(
      .init(
        q: "before:2026-05-01 after:2026-01-01", from: " ada ", room: "id", before: "2026-04-01",
        after: "2026-02-01", has: "code, mention"))
    #expect(query.senders == [.init(text: "ada", field: "from")] && query.rooms == [.init(text: "id", field: "in")])
    #expect(query.before == Timestamp("2026-04-01T00:00:00Z") && query.after == Timestamp("2026-02-01T00:00:00Z"))
    #expect(query.facts == [.code, .mention] && query.terms.isEmpty && query.asksForMessages)
    #expect(try !parse("?!").asksForMessages)
  }

  @Test("Errors are reported at q or at the parameter", .shows("Q1"))
  func refusals() {
    #expect(errors(.init()) == ["q:required"] && errors(.init(q: " \n")) == ["q:required"])
    #expect(errors(.init(q: String(repeating: "x", count: 200))) == [])
    #expect(errors(.init(q: String(repeating: "x", count: 201))) == ["q:too_long"])
    #expect(errors(.init(q: String(repeating: "搜", count: 32))) == [])
    #expect(errors(.init(q: String(repeating: "搜", count: 33))) == ["q:too_long"])
    #expect(errors(.init(q: "from: x")) == ["q:required"])
    #expect(errors(.init(q: "before:yesterday has:dogs in:")) == ["q:invalid", "q:invalid", "q:required"])
    #expect(errors(.init(q: "after:2026-02-30")) == ["q:invalid"])
    #expect(
      errors(.init(q: "x", from: "", room: " ", before: "1", after: "x", has: "code,")) == [
        "from:required", "in:required", "before:invalid", "after:invalid", "has:required",
      ])
    #expect(errors(.init(q: "x", from: String(repeating: "x", count: 201))) == ["from:too_long"])
    #expect(errors(.init(q: String(repeating: "in:x ", count: 20))) == [])
    #expect(errors(.init(q: String(repeating: "in:x ", count: 25))) == ["q:too_long"])
  }
}
