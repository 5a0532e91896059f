import Chat
import GRDB

/// A search of the messages that a person may see, newest first.
///
/// It searches the newest epoch, then older ones in growing steps, until the page is full, the end is reached, or the
/// time is up.
struct MessageSearch {
  let database: Database
  let faces: Faces
  let member: Int64
  let query: SearchQuery
  let limit: Int
  let time: Duration
  /// Whether nobody waits for the result any more.
  let isAbandoned: @Sendable () -> Bool

  /// Up to this many rooms, the index is queried for each of them; beyond, it is queried for all rooms and the rows are
  /// filtered.
  static let fewRooms = 32
  /// The maximum number of epochs in one step, which also bounds its token lookups.
  private static let longestStep: Int64 = 16
  private static let widestStep = 128
  /// The maximum number of words expanded from a part of a word.
  static let mostReadings = 24

  /// The part of the index to search.
  private struct Scope {
    var expression: SearchExpression
    /// Whether rows of other rooms must be skipped.
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
      // Restart from the newest epoch: no message matches.
      guard let whole = try self.scope() else { return FoundMessages() }
      scope = whole
    }
    scope.expression.terms = try query.terms.map { try readings(of: $0) }
    let parts = try page(scope, until: end, isByParts: true)
    return FoundMessages(
      hits: parts.hits, next: parts.next.map { SearchCursor(number: $0, mode: .parts) }, isByParts: true)
  }

  // MARK: What to go through

  /// Nil if nothing can match.
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

  /// The words that contain this term, or that a phrase's first and last word may end or start.
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
    \(VisibleMessage.ofRow) WHERE i.search_index MATCH ?1 AND i.rowid BETWEEN ?2 AND ?3 ORDER BY i.rowid DESC
    """
  private static let wideRows = """
    \(VisibleMessage.ofRow) WHERE i.search_index MATCH ?1 AND i.rowid BETWEEN ?2 AND ?3
    AND (i.rowid & \(SearchIndex.roomMask)) IN (SELECT room & \(SearchIndex.roomMask) FROM memberships WHERE member = ?4)
    ORDER BY i.rowid DESC
    """

  /// The next hits, and the number below which to continue; nil at the end.
  private func page(
    _ scope: Scope, until end: ContinuousClock.Instant, isByParts: Bool = false
  ) throws -> (hits: [FoundMessage], next: Int64?) {
    var page = HitPage(limit: limit, faces, query: query, isByParts: isByParts)
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
        if let found = VisibleMessage(row, member: member), query.covers(found.message.createdAt) {
          // One hit more than fits shows that there is a next page, which starts with it.
          if page.isFull { return (page.hits, number + 1) }
          try page.add(found, from: database)
        }
        // Rows may be cleared by the member, thousands of them.
        if ContinuousClock.now >= end, number > scope.lowest { return (page.hits, number) }
      }
      highest = lowest - 1
      let now = ContinuousClock.now
      if now >= end, highest >= scope.lowest { return (page.hits, lowest) }
      if now - start < time / 8 { step = min(step * 2, longest) } else { step = max(1, step / 2) }
    }
    return (page.hits, nil)
  }

  /// The matching rows in a range of numbers, newest first.
  private func rows(_ scope: Scope, _ numbers: ClosedRange<Int64>) throws -> ResultCursor {
    let (low, high) = (SearchIndex.epoch(of: numbers.lowerBound), SearchIndex.epoch(of: numbers.upperBound))
    let arguments: Arguments = [
      scope.expression.text(epochs: (low...high).reversed()), SearchIndex.rowid(numbers.lowerBound, room: 0),
      SearchIndex.rowid(numbers.upperBound, room: SearchIndex.roomMask), member,
    ]
    return try database.cursor(scope.isWide ? Self.wideRows : Self.narrowRows, arguments)
  }
}

/// The hits of one page while they are collected.
private struct HitPage {
  let limit: Int
  let query: SearchQuery
  let isByParts: Bool
  private(set) var hits: [FoundMessage] = []
  private let faces: Faces
  private var bytes = 0
  private var names: [RoomID: String] = [:]

  var isFull: Bool { hits.count >= limit || bytes >= PageRules.bytes }

  init(limit: Int, _ faces: Faces, query: SearchQuery, isByParts: Bool) {
    (self.limit, self.faces, self.query, self.isByParts) = (limit, faces, query, isByParts)
  }

  mutating func add(_ found: VisibleMessage, from database: Database) throws {
    var message = try database.message(found.message, in: found.room, faces)
    message.marks = MessageMarks()
    if found.hasMore {
      var messages = [message]
      try database.complete(&messages, found.membership)
      message = messages[0]
    }
    bytes += message.text.utf8.count + PageRules.bytesAroundText
    hits.append(
      FoundMessage(
        message: message, snippet: SearchSnippet.pieces(of: message.text, for: query, isByParts: isByParts),
        roomName: try name(of: found, in: database), roomKind: found.membership.kind))
  }

  /// The group's name, or the peer's.
  private mutating func name(of found: VisibleMessage, in database: Database) throws -> String {
    guard let peer = found.peer else { return found.name }
    if let known = names[found.room] { return known }
    let name = try faces.face(peer, in: database).name
    names[found.room] = name
    return name
  }
}
