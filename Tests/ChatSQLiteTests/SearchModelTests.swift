import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

/// Both stores contain the same random texts in several scripts, and get the same random queries.
@Suite("Search compared with its model", .shows("Q1"), .timeLimit(.minutes(10)))
struct SearchModelTests {
  @Test("The index gives the same results for any query as inspecting every message", .shows("Q1"), arguments: 0..<3)
  func sameAsModel(run: Int) async throws {
    try await compare(seed: UInt64.random(in: 0...UInt64(UInt32.max)), queries: 200)
  }

  @Test("Queries with known seeds", .shows("Q1"), arguments: [1, 2] as [UInt64])
  func knownSeeds(seed: UInt64) async throws {
    try await compare(seed: seed, queries: 150)
  }

  private func compare(seed: UInt64, queries: Int) async throws {
    var limits = StoreLimits()
    // Some searches stop after each step, some hardly ever.
    limits.searchTime = seed % 2 == 0 ? .zero : .seconds(60)
    // Long enough for any machine: this compares results, not times.
    limits.searchWait = .seconds(30)
    let model = InMemoryStore()
    let store = try SQLiteStore(path: ":memory:", limits: limits)
    var world = SearchWords(seed: seed)
    let people = try await world.fill([model, store])
    var (nonEmpty, byParts) = (0, 0)
    for number in 0..<queries {
      let (q, user, limit) = (world.query(), people.randomElement(using: &world.random) ?? id(1), world.limit())
      let wanted = try await outcome(q, user, model, limit: 1000)
      let got = try await outcome(q, user, store, limit: limit)
      try #require(got == wanted, "seed \(seed), query \(number) by \(limit): \(q)")
      if !wanted.hits.isEmpty { nonEmpty += 1 }
      if wanted.isByParts, !wanted.hits.isEmpty { byParts += 1 }
    }
    #expect(try DatabaseCheck.report(of: store.pool, path: "").findings == [], "seed \(seed)")
    store.close()
    #expect(nonEmpty > queries / 4 && byParts > 0, "seed \(seed) found too little: \(nonEmpty), \(byParts)")
  }

  private struct Outcome: Equatable {
    var hits: [FoundMessage] = []
    var isByParts = false
    var errors: [String] = []
  }

  private func outcome(_ q: String, _ user: UserID, _ store: any ChatStore, limit: Int) async throws -> Outcome {
    var outcome = Outcome()
    do {
      let query = try SearchQueryParser.parse(.init(q: q))
      var cursor: SearchCursor?
      repeat {
        let page = try await store.messages(matching: query, for: user, after: cursor, limit: limit)
        outcome.hits += page.hits
        outcome.isByParts = page.isByParts
        cursor = page.next
      } while cursor != nil
    } catch ChatError.invalid(let errors) {
      outcome.errors = errors.map { "\($0.field) \($0.code)" }
    }
    if outcome.hits.isEmpty { outcome.isByParts = false }
    return outcome
  }
}

/// Random texts and queries from a small vocabulary, so that they match.
struct SearchWords {
  var random: SeededRandom
  private var time = Timestamp(milliseconds: 1_800_000_000_000)
  private static let stock = [
    "alpha", "Alphabet", "beta", "gamma", "Straße", "CAFÉ", "cafe\u{301}", "fooBar", "foo_bar", "HTTPServer",
    "a/b/C.swift",
    "Sources/Chat/Room.swift", "#123", "#1234", "octo/repo#12", "3f2a9c1d7e", "搜索", "搜", "索引问题", "テスト", "ガ",
    "カ\u{3099}",
    "검색", "한국어", "CI", "go", "👍", "👍🏽", "🎉", "naïve", "Ёж", "еж", "x", "y1", "don't", "@ada", "`code`",
    "https://example.org",
    "日本go語", "Ελλάδα", "ελλαδα", "हिन्दी", "…", "->", "==",
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func word() -> String { Self.stock.randomElement(using: &random) ?? "" }

  private mutating func text() -> String {
    (0..<Int.random(in: 1...7, using: &random)).map { _ in word() }.joined(separator: random.chance(90) ? " " : "-")
      + "."
  }

  mutating func limit() -> Int { Int.random(in: 1...40, using: &random) }

  /// Three people in three rooms with 120 messages, some edited, deleted, hidden or cleared.
  mutating func fill(_ stores: [any ChatStore]) async throws -> [UserID] {
    let people: [UserID] = [id(1), id(2), id(3)]
    for (person, name) in zip(people, ["Ada Lovelace", "Bob", "Adam"]) {
      let names = name.split(separator: " ").map(String.init)
      let account = NewAccount(
        id: person, email: "\(names[0])@example.org", passwordHash: "hash", firstName: names[0],
        lastName: names.count > 1 ? names[1] : "", createdAt: time)
      for store in stores { _ = try await store.createAccount(account) }
    }
    let pairs = [(people[0], people[1]), (people[0], people[2]), (people[1], people[2])]
    for (index, pair) in pairs.enumerated() {
      for store in stores {
        _ = try await store.openDirectRoom(of: pair.0, with: pair.1, newID: id(UInt64(10 + index)), at: time)
      }
    }
    var counts = [0, 0, 0]
    for number in 0..<120 {
      time = time.adding(seconds: Int64.random(in: 1...80_000, using: &random))
      let place = Int.random(in: 0..<3, using: &random)
      let (room, pair): (RoomID, _) = (id(UInt64(10 + place)), pairs[place])
      let (sender, seq) = (
        random.chance(50) ? pair.0 : pair.1, Int.random(in: 1...max(1, counts[place]), using: &random)
      )
      let (text, time, kind) = (text(), time, Int.random(in: 0..<100, using: &random))
      if kind < 80 { counts[place] += 1 }
      for store in stores {
        switch kind {
        case 0..<80:
          let message = NewMessage(
            roomID: room, senderID: sender, clientID: id(UInt64(1000 + number)), text: text, createdAt: time)
          _ = try await store.append(message)
        case 80..<88: _ = try? await store.edit(seq, in: room, by: sender, text: text, at: time)
        case 88..<94: try? await store.delete(seq, in: room, by: sender, at: time)
        case 94..<99: try? await store.hideMessage(MessageAddress(roomID: room, seq: seq), for: sender)
        default: try? await store.clear(room, for: sender)
        }
      }
    }
    return people
  }

  /// A query: whole words, words cut at either end, phrases, filters.
  mutating func query() -> String {
    var pieces: [String] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8: pieces.append(word())
      case 8..<11: pieces.append(String(word().prefix(Int.random(in: 1...6, using: &random))))
      case 11..<15: pieces.append(String(word().dropFirst(Int.random(in: 1...4, using: &random))))
      case 15: pieces.append("\"\(word()) \(word())\"")
      case 16:
        pieces.append("from:" + (["ada", "bob", "me", "Lovelace", "nobody", "ad"].randomElement(using: &random) ?? ""))
      case 17:
        pieces.append("in:" + (["ada", "bob", "Adam", "\"ada lovelace\"", "x"].randomElement(using: &random) ?? ""))
      case 18:
        let day = time.adding(seconds: -Int64.random(in: 0...4_000_000, using: &random))
        pieces.append((random.chance(50) ? "before:" : "after:") + String(day.description.prefix(10)))
      default: pieces.append("has:" + (SearchFact.allCases.randomElement(using: &random)?.rawValue ?? ""))
      }
    }
    return pieces.joined(separator: " ") + (random.chance(50) ? " " : "")
  }
}
