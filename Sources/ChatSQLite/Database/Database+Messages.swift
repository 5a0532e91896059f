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

  /// What `init` decodes, from `messages s`.
  static let columns =
    "s.seq, s.sender, s.client_id, s.text, s.reply_to, s.created_at, s.edited_at, s.deleted_at, s.sent_digest"

  init(_ row: Row, from start: Int = 0) {
    seq = row[start]
    sender = row[start + 1]
    clientID = row.id(start + 2)
    text = row[start + 3]
    replyTo = row[start + 4]
    createdAt = row.time(start + 5)
    editedAt = row.timeIfAny(start + 6)
    deletedAt = row.timeIfAny(start + 7)
    sentDigest = row[start + 8]
  }

  /// The message as the core knows it.
  func message(in room: RoomID, from sender: User) -> Message {
    Message(
      roomID: room, seq: seq, clientID: clientID, sender: sender, text: text, replyTo: replyTo, createdAt: createdAt,
      editedAt: editedAt, deletedAt: deletedAt)
  }

  /// Whether `other` is this message sent again: by the text that was sent, not by what an edit made of it. Of a
  /// deleted message nothing is kept that could tell, so the sender's word is taken.
  func isRepeated(by other: NewMessage) -> Bool {
    guard replyTo == other.replyTo else { return false }
    if deletedAt != nil { return true }
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

  /// A message that the member can see, or `.notFound`.
  func message(_ seq: Int, visibleTo membership: Membership) throws -> StoredMessage {
    guard (membership.firstSeq...max(membership.firstSeq, membership.lastSeq)).contains(seq),
      let message = try first(Self.messageBySeq, [membership.room, seq], { StoredMessage($0) })
    else { throw ChatError.notFound }
    return message
  }

  /// The message that a sender gave this id, and the room it stands in.
  func message(of sender: Int64, clientID: ClientMessageID) throws -> (message: StoredMessage, room: Int64)? {
    try first(Self.messageByClientID, [sender, clientID.blob]) { (StoredMessage($0), $0[9]) }
  }

  /// A part of what the member can see. Numbers have no gaps, so a page is a range of them, whatever the room's size.
  func messages(_ range: MessageRange, in room: RoomID, visibleTo membership: Membership) throws -> MessagePage {
    let (low, high) = (membership.firstSeq, membership.lastSeq)
    let bounds = try bounds(of: range, low: low, high: high, room: membership.room)
    guard bounds.from <= bounds.to else {
      // Nothing there: all that can be seen lies on the other side of the cursor.
      return MessagePage(
        messages: [], hasEarlier: low <= min(high, bounds.to), hasLater: max(low, bounds.from) <= high)
    }
    var people = PeopleSeen()
    let stored = try all(Self.messagesByRange, [membership.room, bounds.from, bounds.to]) { StoredMessage($0) }
    let messages = try stored.map { $0.message(in: room, from: try people.user($0.sender, in: self)) }
    return MessagePage(messages: messages, hasEarlier: bounds.from > low, hasLater: bounds.to < high)
  }

  /// The numbers that a range asks for, within what can be seen (`low...high`); `from > to` where that is nothing.
  private func bounds(
    of range: MessageRange, low: Int, high: Int, room: Int64
  ) throws -> (from: Int, to: Int) {
    switch range {
    case .newest(let limit):
      return (max(low, high - checked(limit) + 1), high)
    case .before(let seq, let limit):
      let to = min(max(seq, low), high + 1) - 1
      return (max(low, to - checked(limit) + 1), to)
    case .after(let seq, let limit):
      let from = min(max(seq, low - 1), high) + 1
      return (from, min(high, from + checked(limit) - 1))
    case .around(let seq, let limit):
      return window(around: seq, checked(limit), low: low, high: high)
    case .on(let date, let limit):
      let first = try firstMessage(since: date, room: room, low: low, high: high)
      return window(around: first, checked(limit), low: low, high: high)
    }
  }

  private func checked(_ limit: Int) -> Int { min(max(limit, 1), 200) }

  /// `limit` numbers with `seq` in the middle, moved to where there are that many.
  private func window(around seq: Int, _ limit: Int, low: Int, high: Int) -> (from: Int, to: Int) {
    let start = min(max(seq, low), max(low, high)) - limit / 2
    let from = max(low, min(start, high - limit + 1))
    return (from, min(high, from + limit - 1))
  }

  /// The first number whose message was stored at or after `date`, else the last: by halving, since times grow with the
  /// numbers. Where a clock was put back it finds one of the places at which the time passes `date`.
  private func firstMessage(since date: Timestamp, room: Int64, low: Int, high: Int) throws -> Int {
    var (low, high) = (low, high)
    while low < high {
      let middle = low + (high - low) / 2
      let time = try first("SELECT created_at FROM messages WHERE room = ? AND seq = ?", [room, middle]) { $0.time(0) }
      if let time, time < date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
