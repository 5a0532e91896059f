import Chat
import GRDB

/// What stands around messages: whom they mention, who reacted, what is pinned.
extension Database {
  private static let mentionsOfMessages = """
    SELECT n.seq, u.id FROM mentions n INDEXED BY mentions_by_message JOIN users u ON u.key = n.member
    WHERE n.room = ? AND n.seq BETWEEN ? AND ? ORDER BY u.id
    """
  private static let reactionsToMessages = """
    SELECT seq, emoji, count(*), max(member = ?1) FROM reactions WHERE room = ?2 AND seq BETWEEN ?3 AND ?4
    GROUP BY seq, emoji ORDER BY seq, min(event)
    """
  private static let pinnedMessages = """
    SELECT \(StoredMessage.columns) FROM pins p JOIN messages s ON s.room = p.room AND s.seq = p.seq
    WHERE p.room = ?1 AND p.seq > ?2 AND NOT EXISTS (
      SELECT 1 FROM hidden_messages h WHERE h.member = ?3 AND h.room = p.room AND h.seq = p.seq)
    ORDER BY p.event DESC
    """
  private static let pinsOfMessages = "SELECT seq, pinned_at FROM pins WHERE room = ? AND seq BETWEEN ? AND ?"

  /// Adds mentions and marks to messages of one room, ascending by number.
  func complete(_ messages: inout [Message], _ membership: Membership) throws {
    guard let low = messages.first?.seq, let high = messages.last?.seq else { return }
    let mentions = try mentions(membership.room, low...high)
    var marks: [Int: MessageMarks] = [:]
    try each(Self.reactionsToMessages, [membership.member, membership.room, low, high]) { row in
      marks[row[0], default: MessageMarks()].reactions.append(
        MessageMarks.Reaction(emoji: row[1], count: row[2], isMine: row[3]))
    }
    try each(Self.pinsOfMessages, [membership.room, low, high]) { row in
      marks[row[0], default: MessageMarks()].pinnedAt = row.time(1)
    }
    for index in messages.indices {
      let seq = messages[index].seq
      messages[index].mentions = mentions[seq] ?? []
      messages[index].marks = marks[seq] ?? MessageMarks()
    }
  }

  /// Whom the messages mention, by number; people in the order of their ids.
  func mentions(_ room: Int64, _ seqs: ClosedRange<Int>) throws -> [Int: [UserID]] {
    var mentions: [Int: [UserID]] = [:]
    try each(Self.mentionsOfMessages, [room, seqs.lowerBound, seqs.upperBound]) { row in
      mentions[row[0], default: []].append(row.id(1))
    }
    return mentions
  }

  /// Who reacted to a message with what; emoji and people in the order in which they came.
  func reactions(to seq: Int, _ room: Int64) throws -> [(emoji: String, users: [User])] {
    let rows = try all("SELECT emoji, member FROM reactions WHERE room = ? AND seq = ? ORDER BY event", [room, seq]) {
      (emoji: $0[0] as String, member: $0[1] as Int64)
    }
    var people = PeopleSeen()
    var found: [(emoji: String, users: [User])] = []
    for row in rows {
      let user = try people.user(row.member, in: self)
      if let index = found.firstIndex(where: { $0.emoji == row.emoji }) {
        found[index].users.append(user)
      } else {
        found.append((row.emoji, [user]))
      }
    }
    return found
  }

  /// The pinned messages that a member can see, last pinned first.
  func pins(_ membership: Membership, _ room: RoomID) throws -> [Message] {
    let stored = try all(Self.pinnedMessages, [membership.room, membership.clearedSeq, membership.member]) {
      StoredMessage($0)
    }
    var people = PeopleSeen()
    return try stored.map { stored in
      var messages = [try message(stored, in: room, &people)]
      try complete(&messages, membership)
      return messages[0]
    }
  }

  /// From the few who are called so to the room: the other way round goes through all its members.
  static let membersByHandle = """
    SELECT u.key, u.id FROM users u INDEXED BY users_by_handle CROSS JOIN memberships m ON m.room = ?1 AND m.member = u.key
    WHERE u.handle_key = ?2 AND u.key <> ?3
    """

  /// The members of a room whom a text mentions, but for its sender; in the order of their ids.
  func mentioned(in text: String, _ membership: Membership) throws -> [(key: Int64, id: UserID)] {
    var found: [(key: Int64, id: UserID)] = []
    for handle in Mentions.handles(in: text) {
      found += try all(Self.membersByHandle, [membership.room, handle, membership.member]) { ($0[0], $0.id(1)) }
    }
    return Array(found.sorted { $0.id < $1.id }.prefix(Mentions.most))
  }
}
