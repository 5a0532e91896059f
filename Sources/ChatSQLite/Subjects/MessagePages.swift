import Chat
import GRDB

extension SQLiteStore {
  package func messages(
    in room: RoomID, for user: UserID, _ range: MessageRange
  ) async throws -> Snapshot<MessagePage> {
    try read { database in
      let faces = Faces(caches)
      let membership = try database.membership(in: room, of: user)
      return try database.snapshot(database.messages(range, in: room, visibleTo: membership, faces))
    }
  }
}

extension Database {
  private static let messagesByRange = """
    SELECT \(StoredMessage.columns) FROM messages s WHERE s.room = ? AND s.seq BETWEEN ? AND ? ORDER BY s.seq
    """
  private static let hiddenMessages = """
    SELECT seq FROM hidden_messages WHERE member = ? AND room = ? AND seq >= ? ORDER BY seq
    """
  private static let timeOfMessage = "SELECT created_at FROM messages WHERE room = ? AND seq = ?"

  /// A page of the messages visible to the member. `seq` has no gaps, so a page is a key range and costs the same in any
  /// room.
  func messages(
    _ range: MessageRange, in room: RoomID, visibleTo membership: Membership, _ faces: Faces
  ) throws -> MessagePage {
    let hidden = try all(Self.hiddenMessages, [membership.member, membership.room, membership.firstSeq]) {
      $0[0] as Int
    }
    let visible = VisibleNumbers(low: membership.firstSeq, high: membership.lastSeq, hidden: hidden)
    var start = 0
    if case .on(let date, _) = range { start = try firstMessage(since: date, membership) }
    let places = visible.places(of: range, start: start)
    var page = MessagePage(messages: [], hasEarlier: places.lowerBound > 0, hasLater: places.upperBound < visible.count)
    guard !places.isEmpty else { return page }
    let (from, to) = (visible.number(at: places.lowerBound), visible.number(at: places.upperBound - 1))
    let stored = try fitting(from...to, range, start: start, membership.room, visible)
    page.hasEarlier = page.hasEarlier || stored.first.map { $0.seq > from } ?? false
    page.hasLater = page.hasLater || stored.last.map { $0.seq < to } ?? false
    page.messages = try stored.map { try message($0, in: room, faces) }
    try complete(&page.messages, membership)
    return page
  }

  /// As many of these messages as fit into a page, ascending: those nearest to where the range begins, which for a time
  /// is `start`. At least one.
  private func fitting(
    _ numbers: ClosedRange<Int>, _ range: MessageRange, start: Int, _ room: Int64, _ visible: VisibleNumbers
  ) throws -> [StoredMessage] {
    var bytes = 0
    func take(_ sql: String, _ from: Int, _ to: Int, until limit: Int) throws -> [StoredMessage] {
      guard from <= to else { return [] }
      var rows = try cursor(sql, [room, from, to])
      var taken: [StoredMessage] = []
      while let row = try rows.next() {
        let message = StoredMessage(row)
        if visible.hides(message.seq) { continue }
        let size = message.text.utf8.count + PageRules.bytesAroundText
        if bytes > 0, bytes + size > limit { break }
        bytes += size
        taken.append(message)
      }
      return taken
    }
    let (middle, before) =
      switch range {
      case .newest, .before: (numbers.upperBound, PageRules.bytes)
      case .after: (numbers.lowerBound - 1, 0)
      case .around(let seq, _): (numbers.clamped(seq), PageRules.bytes / 2)
      case .on: (numbers.clamped(start), PageRules.bytes / 2)
      }
    let earlier = try take(Self.messagesByRange + " DESC", numbers.lowerBound, middle, until: before)
    let later = try take(Self.messagesByRange, middle + 1, numbers.upperBound, until: PageRules.bytes)
    return earlier.reversed() + later
  }

  /// The first number whose message was stored at or after `date`, otherwise the last; by binary search, since times
  /// increase with numbers. If the clock was set back, it finds one of the places where the time passes `date`.
  private func firstMessage(since date: Timestamp, _ membership: Membership) throws -> Int {
    var (low, high) = (membership.firstSeq, membership.lastSeq)
    while low < high {
      let middle = low + (high - low) / 2
      let time = try first(Self.timeOfMessage, [membership.room, middle]) { $0.time(0) }
      if let time, time < date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ClosedRange<Int> {
  /// The number within the range that is nearest to `number`.
  fileprivate func clamped(_ number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
