import Chat
import GRDB

/// A row of `messages`.
struct StoredMessage {
  var seq: Int
  var sender: Int64
  var clientID: ClientMessageID
  var text: String
  var replyTo: Int?
  var createdAt: Timestamp
  var editedAt: Timestamp?
  var deletedAt: Timestamp?
  /// The digest of the text as it was first sent, once that has been edited away.
  var sentDigest: Int64?
  var forwardedFrom: Int64?

  /// What `init` decodes, from `messages s`.
  static let columns = """
    s.seq, s.sender, s.client_id, s.text, s.reply_to, s.created_at, s.edited_at, s.deleted_at, s.sent_digest,
    s.forwarded_from
    """
  static let columnCount = 10

  init(_ row: ResultRow, from start: Int = 0) {
    seq = row[start]
    sender = row[start + 1]
    clientID = row.id(start + 2)
    text = row[start + 3]
    replyTo = row[start + 4]
    createdAt = row.time(start + 5)
    editedAt = row.timeIfAny(start + 6)
    deletedAt = row.timeIfAny(start + 7)
    sentDigest = row[start + 8]
    forwardedFrom = row[start + 9]
  }

  /// Whether `other` is this message sent again: by the text that was sent, not by what an edit made of it. Of a
  /// deleted message nothing is kept that could tell, so the sender's word is taken; of a forwarded one it is known only
  /// that it was one, since the text it came from may have changed.
  func isRepeated(by other: NewMessage) -> Bool {
    guard replyTo == other.replyTo else { return false }
    if deletedAt != nil { return true }
    if other.forward != nil { return forwardedFrom != nil }
    if let sentDigest { return sentDigest == other.text.digest }
    return text == other.text
  }
}

extension Database {
  private static let messageBySeq = "SELECT \(StoredMessage.columns) FROM messages s WHERE s.room = ? AND s.seq = ?"
  private static let messagesByRange = """
    SELECT \(StoredMessage.columns) FROM messages s WHERE s.room = ? AND s.seq BETWEEN ? AND ? ORDER BY s.seq
    """
  private static let messageByClientID = """
    SELECT \(StoredMessage.columns), s.room FROM messages s WHERE s.sender = ? AND s.client_id = ?
    """
  private static let timeOfMessage = "SELECT created_at FROM messages WHERE room = ? AND seq = ?"
  private static let hiddenMessage = "SELECT 1 FROM hidden_messages WHERE member = ? AND room = ? AND seq = ?"
  private static let hiddenMessages = """
    SELECT seq FROM hidden_messages WHERE member = ? AND room = ? AND seq >= ? ORDER BY seq
    """

  /// A message that the member can see, or `.notFound`.
  func message(_ seq: Int, visibleTo membership: Membership) throws -> StoredMessage {
    guard (membership.firstSeq...max(membership.firstSeq, membership.lastSeq)).contains(seq),
      let message = try first(Self.messageBySeq, [membership.room, seq], { StoredMessage($0) }),
      try !exists(Self.hiddenMessage, [membership.member, membership.room, seq])
    else { throw ChatError.notFound }
    return message
  }

  /// A message as a member sees it, or `.notFound`.
  func message(_ seq: Int, in room: RoomID, for membership: Membership) throws -> Message {
    var people = PeopleSeen()
    var messages = [try message(message(seq, visibleTo: membership), in: room, &people)]
    try complete(&messages, membership)
    return messages[0]
  }

  /// The message that a sender gave this id, and the room it stands in.
  func message(of sender: Int64, clientID: ClientMessageID) throws -> (message: StoredMessage, room: Int64)? {
    try first(Self.messageByClientID, [sender, clientID]) { (StoredMessage($0), $0[StoredMessage.columnCount]) }
  }

  /// A part of what the member can see. Numbers have no gaps, so a page is a range of them, whatever the room's size.
  func messages(_ range: MessageRange, in room: RoomID, visibleTo membership: Membership) throws -> MessagePage {
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
    let stored = try all(Self.messagesByRange, [membership.room, from, to]) { StoredMessage($0) }
    var people = PeopleSeen()
    page.messages = try stored.filter { !visible.hides($0.seq) }.map { try message($0, in: room, &people) }
    try complete(&page.messages, membership)
    return page
  }

  /// A stored message as the core knows it, but for mentions and marks.
  func message(_ stored: StoredMessage, in room: RoomID, _ people: inout PeopleSeen) throws -> Message {
    Message(
      roomID: room, seq: stored.seq, clientID: stored.clientID, sender: try people.user(stored.sender, in: self),
      text: stored.text, replyTo: stored.replyTo, createdAt: stored.createdAt, editedAt: stored.editedAt,
      deletedAt: stored.deletedAt,
      forwardedFrom: try stored.forwardedFrom.map { try people.user($0, in: self) })
  }

  /// The first number whose message was stored at or after `date`, else the last: by halving, since times grow with the
  /// numbers. Where a clock was put back it finds one of the places at which the time passes `date`.
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
