import Chat
import GRDB

extension Schema {
  /// `json`: the message's own members, encoded when it is written (docs/decisions/0014-one-encoding.md). The log loses
  /// presence and everything else that a `face` does not have.
  static func registerOneEncoding(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("one encoding", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: "ALTER TABLE messages ADD COLUMN json TEXT NOT NULL DEFAULT ''")
      let rooms = try database.all("SELECT key, id, last_seq FROM rooms WHERE last_seq > 0") {
        (key: $0[0] as Int64, id: $0.id(1) as RoomID, lastSeq: $0[2] as Int)
      }
      for room in rooms {
        for start in stride(from: 1, through: room.lastSeq, by: 1000) {
          try encode(start..<start + 1000, of: room.key, room.id, in: database)
        }
      }
      try database.execute(sql: eventsWithoutPresence)
    }
  }

  private static func encode(_ seqs: Range<Int>, of room: Int64, _ id: RoomID, in database: Database) throws {
    var mentions: [Int: [UserID]] = [:]
    let bounds: Arguments = [room, seqs.lowerBound, seqs.upperBound]
    try database.each(
      """
      SELECT n.seq, u.id FROM mentions n INDEXED BY mentions_by_message JOIN users u ON u.key = n.member
      WHERE n.room = ? AND n.seq >= ? AND n.seq < ? ORDER BY u.id
      """, bounds
    ) { mentions[$0[0], default: []].append($0.id(1)) }
    let nobody = Face(User(id: .lowest, firstName: ""))
    let messages = try database.all(
      """
      SELECT seq, client_id, text, reply_to, created_at, edited_at, deleted_at FROM messages
      WHERE room = ? AND seq >= ? AND seq < ?
      """, bounds
    ) { row in
      Message(
        roomID: id, seq: row[0], clientID: row.id(1), sender: nobody, text: row[2], replyTo: row[3],
        createdAt: row.time(4), editedAt: row.timeIfAny(5), deletedAt: row.timeIfAny(6),
        mentions: mentions[row[0]] ?? [])
    }
    for message in messages {
      var json = JSONWriter()
      json.ownMembers(of: message)
      try database.run(
        "UPDATE messages SET json = ? WHERE room = ? AND seq = ?", [UTF8Text(bytes: json.bytes), room, message.seq])
    }
  }

  private static let eventsWithoutPresence: String = {
    let faces = ["$.sender", "$.forwarded_from", "$.last_message.sender", "$.last_message.forwarded_from"]
    let gone = faces.flatMap { face in
      ["online", "last_seen_at", "first_name", "last_name", "github_id"].map { "\(face).\($0)" }
    }
    let people = ["$", "$.user", "$.peer"].flatMap { ["\($0).online", "\($0).last_seen_at"] }
    let paths = (gone + people).map { "'\($0)'" }.joined(separator: ", ")
    return "UPDATE events SET data = json_remove(data, \(paths)) WHERE json_valid(data)"
  }()
}
