import Chat
import GRDB

/// Marks for messages that the index does not contain yet, or contains in a former state. A mark is committed with the
/// change that requires it; `SearchIndexer` processes marks afterwards.
extension WriteTransaction {
  /// Marks a new message. Marks of new messages are processed in the order of their events.
  func markNew(_ seq: Int, in room: Int64, by user: UserID) throws {
    try database.run(
      "INSERT INTO search_added (event, room, seq) VALUES (?, ?, ?)", [try lastEventID() + 1, room, seq])
    noteSearchMark(by: user)
  }

  /// Marks those of the messages `s` that are indexed, and stores the indexed content with each mark, because a
  /// contentless index can remove only content that it is given. Must be called before the text, the place or the
  /// sender changes. A message's first mark stays: it describes what is indexed until it is processed.
  func markIndexed(where condition: String, _ arguments: Arguments, by user: UserID) throws {
    try database.run(
      """
      INSERT OR IGNORE INTO search_changed (number, text, room, sender)
      SELECT n.number, s.text, s.room, s.sender
      FROM messages s JOIN search_messages n ON n.room = s.room AND n.seq = s.seq
      WHERE s.deleted_at IS NULL AND \(condition)
      """, arguments)
    noteSearchMark(by: user)
  }

  /// Moves a room's messages, with their numbers and marks, behind the first `offset` ones of another room. Must be
  /// called after `markIndexed`.
  func moveNumbers(from room: Int64, to other: Int64, behind offset: Int) throws {
    for table in ["search_messages", "search_added"] {
      try database.run("UPDATE \(table) SET room = ?1, seq = seq + ?2 WHERE room = ?3", [other, offset, room])
    }
  }

  /// Removes the numbers of a room's messages, which are about to be removed. Must be called after `markIndexed`.
  func removeNumbers(of room: Int64) throws {
    for table in ["search_messages", "search_added"] {
      try database.run("DELETE FROM \(table) WHERE room = ?", [room])
    }
  }
}
