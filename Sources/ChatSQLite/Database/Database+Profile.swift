import Chat
import FoundationEssentials
import GRDB

extension Database {
  func picture(_ id: PictureID) throws -> Picture? {
    try first("SELECT media_type, bytes FROM pictures WHERE id = ?", [id.text]) { row in
      Picture(id: id, mediaType: row[0], bytes: row[1])
    }
  }

  func credentials(of user: UserID) throws -> Credentials? {
    try first(
      """
      SELECT a.password_hash FROM accounts a JOIN users u ON u.key = a.person
      WHERE u.id = ? AND a.password_hash IS NOT NULL
      """, [user]
    ) { Credentials(userID: user, passwordHash: $0[0]) }
  }

  func settings(of user: Int64) throws -> UserSettings {
    let settings = try first(
      "SELECT shows_reading, shows_last_seen, quiet, quiet_from, quiet_to, utc_offset FROM users WHERE key = ?", [user]
    ) {
      UserSettings(
        readReceipts: $0[0], lastSeen: $0[1],
        doNotDisturb: DoNotDisturb(isOn: $0[2], from: $0[3], to: $0[4], utcOffset: $0[5]))
    }
    return settings ?? UserSettings()
  }

  func privateUsers() throws -> [UserID: UserSettings] {
    let all = try all(
      """
      SELECT id, shows_reading, shows_last_seen FROM users INDEXED BY users_who_hide
      WHERE shows_reading = 0 OR shows_last_seen = 0
      """
    ) { (id: $0.id(0) as UserID, settings: UserSettings(readReceipts: $0[1], lastSeen: $0[2])) }
    return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.settings) })
  }

  func accounts() throws -> [OwnUser] {
    let ids: [UserID] = try all("SELECT u.id FROM accounts a JOIN users u ON u.key = a.person ORDER BY a.person") {
      $0.id(0)
    }
    return try ids.compactMap { try ownUser($0) }
  }

  /// The members of a room, each with whether he shows what he has read.
  func receiptReaders(of room: Int64) throws -> [(key: Int64, id: UserID, showsReading: Bool)] {
    try all(
      """
      SELECT m.member, u.id, u.shows_reading FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ?
      """, [room]
    ) { ($0[0], $0.id(1), $0[2]) }
  }
}
