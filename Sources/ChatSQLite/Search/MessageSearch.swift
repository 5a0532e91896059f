import Chat
import GRDB

/// One search among the messages that a person may see, newest first.
///
/// It looks into the newest epoch, and on into older ones, in steps that grow while they are short, until the page is
/// full, the end is reached, or the time is up.
struct MessageSearch {
  let database: Database
  let member: Int64
  let query: SearchQuery
  let limit: Int
  let time: Duration
  /// Whether nobody waits for the answer any more.
  let isAbandoned: @Sendable () -> Bool

  /// In so few rooms the index is asked for each of them; in more, for all, and the rooms are told by the rows.
  static let fewRooms = 32
  /// The most epochs of one step, and the most tokens that it looks up.
  private static let longestStep: Int64 = 16
  private static let widestStep = 128
  /// The most words in which a part of a word is looked for.
  static let mostReadings = 24

  /// What the search goes through.
  private struct Scope {
    var expression: SearchExpression
    /// Whether the rows of other rooms must be passed over.
    var isWide: Bool
    var lowest: Int64
    var highest: Int64
  }

  func run(after cursor: SearchCursor?) throws -> FoundMessages {
    guard query.asksForMessages, var scope = try scope() else { return FoundMessages() }
    let end = ContinuousClock.now + time
    if let cursor { scope.highest = min(scope.highest, cursor.number - 1) }
    if cursor?.mode != .parts {
      let words = try page(scope, until: end)
      let hasFound = !words.hits.isEmpty || cursor?.mode == .foundWords
      if let number = words.next {
        let next = SearchCursor(number: number, mode: hasFound ? .foundWords : .words)
        return FoundMessages(hits: words.hits, next: next)
      }
      guard !hasFound, query.terms.contains(where: \.mayBePart) else { return FoundMessages(hits: words.hits) }
      // From the newest again: there is not one message with the words.
      guard let whole = try self.scope() else { return FoundMessages() }
      scope = whole
    }
    scope.expression.terms = try query.terms.map { try readings(of: $0) }
    let parts = try page(scope, until: end)
    return FoundMessages(
      hits: parts.hits, next: parts.next.map { SearchCursor(number: $0, mode: .parts) }, isByParts: true)
  }

  // MARK: What to go through

  /// Nil where nothing can be found.
  private func scope() throws -> Scope? {
    var facts: [[String]] = query.facts.map { [SearchIndex.fact($0)] }
    if !query.senders.isEmpty {
      facts.append(try database.people(named: query.senders, asker: member).map(SearchIndex.senderFact))
    }
    let named = query.rooms.isEmpty ? nil : try database.rooms(named: query.rooms, of: member)
    let rooms = try named ?? database.roomKeys(of: member, limit: MessageSearch.fewRooms + 1)
    guard !rooms.isEmpty else { return nil }
    let isWide = rooms.count > MessageSearch.fewRooms
    if !isWide { facts.append(rooms.map(SearchIndex.roomFact)) }
    if facts.isEmpty, query.terms.isEmpty { facts.append([SearchIndex.anyFact]) }
    let terms = query.terms.map { SearchExpression.Alternatives(readings: [$0]) }
    return Scope(
      expression: SearchExpression(terms: terms, facts: facts), isWide: isWide,
      lowest: try query.after.map { try database.firstNumber(since: $0) } ?? 1,
      highest: try query.before.map { try database.firstNumber(since: $0) - 1 } ?? database.lastNumber())
  }

  /// The words that have this one as a part, or whose end and beginning a phrase may begin and end in.
  private func readings(of term: SearchQuery.Term) throws -> SearchExpression.Alternatives {
    guard term.mayBePart else { return SearchExpression.Alternatives(readings: [term]) }
    let first = term.tokens[0]
    if term.tokens.count == 1 {
      let words = try database.terms(containing: first, atEnd: false, limit: MessageSearch.mostReadings)
      return SearchExpression.Alternatives(
        readings: ([first] + words.filter { $0 != first }).map { SearchQuery.Term(tokens: [$0]) })
    }
    var words: [String] = []
    if first.unicodeScalars.count >= SearchQuery.Term.shortestPart {
      words = try database.terms(containing: first, atEnd: true, limit: MessageSearch.mostReadings)
    }
    return SearchExpression.Alternatives(
      readings: ([first] + words.filter { $0 != first }).map {
        SearchQuery.Term(tokens: [$0] + term.tokens.dropFirst(), isPrefix: true)
      })
  }

  // MARK: Going through

  private static let narrowRows = """
    SELECT rowid FROM search_index WHERE search_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC
    """
  private static let wideRows = """
    SELECT rowid FROM search_index WHERE search_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3
    AND (rowid & \(SearchIndex.roomMask)) IN (SELECT room & \(SearchIndex.roomMask) FROM memberships WHERE member = ?4)
    ORDER BY rowid DESC
    """

  /// The next hits, and the number below which to go on; nil at the end.
  private func page(_ scope: Scope, until end: ContinuousClock.Instant) throws -> (hits: [FoundMessage], next: Int64?) {
    var page = HitPage(limit: limit)
    var highest = scope.highest
    var step: Int64 = 1
    let longest = max(1, min(MessageSearch.longestStep, Int64(MessageSearch.widestStep / scope.expression.width)))
    while highest >= scope.lowest {
      if isAbandoned() { throw CancellationError() }
      let start = ContinuousClock.now
      let lowest = max(scope.lowest, max(0, SearchIndex.epoch(of: highest) - step + 1) << SearchIndex.epochBits)
      var rows = try rows(scope, lowest...highest)
      while let row = try rows.next() {
        let number = SearchIndex.number(of: row[0])
        if let found = try database.visibleMessage(number, to: member), query.covers(found.message.createdAt) {
          // One more than fits tells that there is a next page, which begins with it.
          if page.isFull { return (page.hits, number + 1) }
          try page.add(found, from: database)
        }
        // Rows may be of what the member has cleared, thousands of them.
        if ContinuousClock.now >= end, number > scope.lowest { return (page.hits, number) }
      }
      highest = lowest - 1
      let now = ContinuousClock.now
      if now >= end, highest >= scope.lowest { return (page.hits, lowest) }
      if now - start < time / 8 { step = min(step * 2, longest) } else { step = max(1, step / 2) }
    }
    return (page.hits, nil)
  }

  /// The rows of some numbers that match, newest first.
  private func rows(_ scope: Scope, _ numbers: ClosedRange<Int64>) throws -> ResultCursor {
    let (low, high) = (SearchIndex.epoch(of: numbers.lowerBound), SearchIndex.epoch(of: numbers.upperBound))
    let arguments: Arguments = [
      scope.expression.text(epochs: (low...high).reversed()), SearchIndex.rowid(numbers.lowerBound, room: 0),
      SearchIndex.rowid(numbers.upperBound, room: SearchIndex.roomMask),
    ]
    return try scope.isWide
      ? database.cursor(Self.wideRows, arguments + [member]) : database.cursor(Self.narrowRows, arguments)
  }
}

/// The hits of one page while they are gathered.
private struct HitPage {
  let limit: Int
  private(set) var hits: [FoundMessage] = []
  private var people = PeopleSeen()
  private var names: [RoomID: String] = [:]

  var isFull: Bool { hits.count >= limit }

  init(limit: Int) { self.limit = limit }

  mutating func add(_ found: VisibleMessage, from database: Database) throws {
    var messages = [try database.message(found.message, in: found.room, &people)]
    try database.complete(&messages, found.membership)
    hits.append(
      FoundMessage(message: messages[0], roomName: try name(of: found, in: database), roomKind: found.membership.kind))
  }

  /// A group's name, or the peer's.
  private mutating func name(of found: VisibleMessage, in database: Database) throws -> String {
    guard let peer = found.peer else { return found.name }
    if let known = names[found.room] { return known }
    let name = try people.user(peer, in: database).name
    names[found.room] = name
    return name
  }
}
