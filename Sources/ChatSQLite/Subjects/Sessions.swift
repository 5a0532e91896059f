import Chat
import GRDB

extension SQLiteStore {
  package func createSession(_ session: Session, passwordHash: String?) async throws {
    try await write(usesReserve: true) { transaction in
      let database = transaction.database
      guard let person = try database.user(session.userID)?.key else { throw ChatError.notFound }
      if let passwordHash { try transaction.requirePassword(passwordHash, of: person) }
      // Expired sessions are removed when their person signs in again.
      try database.run(
        "DELETE FROM sessions WHERE person = ? AND expires_at < ?", [person, session.createdAt.milliseconds])
      try database.run(
        """
        INSERT INTO sessions (secret_hash, id, person, created_at, expires_at, user_agent) VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          session.secretHash, session.id, person, session.createdAt.milliseconds,
          session.expiresAt.milliseconds, session.userAgent,
        ])
    }
  }

  package func session(secretHash: [UInt8], at time: Timestamp) async throws -> Session? {
    let session = try caches.sessions.value(for: secretHash) {
      try read { try $0.first(Self.sessionsWhere + "s.secret_hash = ?", [secretHash], Self.decodeSession) }
    }
    return session.flatMap { $0.expiresAt >= time ? $0 : nil }
  }

  package func sessions(of user: UserID, at time: Timestamp) async throws -> [Session] {
    try read { database in
      try database.all(
        Self.sessionsWhere + "u.id = ? AND s.expires_at >= ? ORDER BY s.created_at DESC, s.id DESC",
        [user, time.milliseconds], Self.decodeSession)
    }
  }

  package func deleteSession(_ id: SessionID, of user: UserID) async throws -> Bool {
    try await write(usesReserve: true) { transaction in
      transaction.changeSessions()
      try transaction.database.run(
        "DELETE FROM sessions WHERE id = ? AND person = (SELECT key FROM users WHERE id = ?)", [id, user])
      return transaction.database.changesCount > 0
    }
  }

  package func deleteSessions(of user: UserID, except kept: SessionID) async throws -> [SessionID] {
    try await write(usesReserve: true) { transaction in
      transaction.changeSessions()
      return try transaction.database.all(
        "DELETE FROM sessions WHERE person = (SELECT key FROM users WHERE id = ?) AND id <> ? RETURNING id",
        [user, kept]
      ) { $0.id(0) }
    }
  }

  private static let sessionsWhere = """
    SELECT s.id, u.id, s.secret_hash, s.created_at, s.expires_at, s.user_agent, s.last_used_at
    FROM sessions s JOIN users u ON u.key = s.person WHERE

    """

  private static func decodeSession(_ row: ResultRow) -> Session {
    Session(
      id: row.id(0), userID: row.id(1), secretHash: row[2], createdAt: row.time(3),
      expiresAt: row.time(4), userAgent: row[5], lastUsedAt: row.timeIfAny(6))
  }
}
