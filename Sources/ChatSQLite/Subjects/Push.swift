import Chat
import GRDB

extension SQLiteStore: PushStore {
  package func pushKey(orKeeping new: [UInt8]) async throws -> [UInt8] {
    if let key = try read({ try $0.pushKey() }) { return key }
    return try await write { transaction in
      let database = transaction.database
      try database.run(
        "INSERT INTO push_keys (key, private_key) VALUES (1, ?) ON CONFLICT (key) DO NOTHING", [new])
      return try database.pushKey() ?? new
    }
  }

  package func setPushSubscription(_ subscription: PushSubscription, limit: Int, at time: Timestamp) async throws {
    try await write { try $0.setPushSubscription(subscription, limit: limit, at: time) }
  }

  package func deletePushSubscription(of session: SessionID, endpoint: String?) async throws -> Bool {
    try await write { transaction in
      try transaction.database.run(
        "DELETE FROM push_subscriptions WHERE session = ?1 AND (?2 IS NULL OR endpoint = ?2)", [session, endpoint])
      return transaction.database.changesCount > 0
    }
  }

  package func pushSubscriptions(of user: UserID, at time: Timestamp) async throws -> [PushSubscription] {
    try read { database in
      try database.all(
        """
        SELECT s.id, p.endpoint, p.public_key, p.secret
        FROM users u JOIN sessions s ON s.person = u.key JOIN push_subscriptions p ON p.session = s.id
        WHERE u.id = ? AND s.expires_at >= ? ORDER BY p.key
        """, [user, time.milliseconds]
      ) { row in
        PushSubscription(
          sessionID: row.id(0), userID: user, endpoint: row[1], publicKey: row[2], secret: row[3])
      }
    }
  }

  package func pushSubscribers() async throws -> [UserID] {
    try await readElsewhere { database in
      try database.all(
        """
        SELECT DISTINCT u.id FROM push_subscriptions p JOIN sessions s ON s.id = p.session
        JOIN users u ON u.key = s.person
        """
      ) { $0.id(0) }
    }
  }
}

extension Database {
  fileprivate func pushKey() throws -> [UInt8]? {
    try first("SELECT private_key FROM push_keys") { $0[0] }
  }
}

extension WriteTransaction {
  fileprivate func setPushSubscription(_ new: PushSubscription, limit: Int, at time: Timestamp) throws {
    let person = try database.first("SELECT person FROM sessions WHERE id = ?", [new.sessionID]) { $0[0] as Int64 }
    guard let person else { throw ChatError.unauthenticated }
    try database.run(
      "DELETE FROM push_subscriptions WHERE session = ? OR endpoint = ?", [new.sessionID, new.endpoint])
    try database.run(
      "INSERT INTO push_subscriptions (session, endpoint, public_key, secret, created_at) VALUES (?, ?, ?, ?, ?)",
      [new.sessionID, new.endpoint, new.publicKey, new.secret, time.milliseconds])
    try database.run(
      """
      DELETE FROM push_subscriptions WHERE key IN (
        SELECT p.key FROM push_subscriptions p JOIN sessions s ON s.id = p.session WHERE s.person = ?
        ORDER BY p.key DESC LIMIT -1 OFFSET ?)
      """, [person, limit])
  }
}
