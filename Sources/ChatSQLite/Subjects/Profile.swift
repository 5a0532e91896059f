import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore {
  package func picture(_ id: PictureID) async throws -> Picture? {
    // Up to a megabyte, possibly from disk.
    try await readElsewhere { try $0.picture(id) }
  }

  package func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser {
    try await write { try $0.setPicture(picture, of: user) }
  }

  package func credentials(of user: UserID) async throws -> Credentials? {
    try read { try $0.credentials(of: user) }
  }

  package func setEmail(_ email: String, of user: UserID, passwordHash: String) async throws -> OwnUser {
    try await write { try $0.setEmail(email, of: user, passwordHash: passwordHash) }
  }

  package func setPassword(
    _ hash: String, of user: UserID, replacing former: String?, keeping kept: SessionID?
  ) async throws -> [SessionID] {
    try await write { try $0.setPassword(hash, of: user, replacing: former, keeping: kept) }
  }

  package func changeProfile(of user: UserID, _ change: ProfileChange) async throws -> Snapshot<OwnUser> {
    try await write { try $0.changeProfile(of: user, change) }
  }

  package func privateUsers() async throws -> Snapshot<[UserID: UserSettings]> {
    try await readElsewhere { try $0.snapshot($0.privateUsers()) }
  }

  package func recordUse(of session: SessionID, at time: Timestamp) async throws {
    try await write { try $0.recordUse(of: session, at: time) }
  }

  package func accounts() async throws -> [OwnUser] {
    try await readElsewhere { try $0.accounts() }
  }
}

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
      """
      SELECT shows_reading, shows_last_seen, quiet, quiet_from, quiet_to, utc_offset, added_by FROM users WHERE key = ?
      """, [user]
    ) {
      UserSettings(
        readReceipts: $0[0], lastSeen: $0[1],
        doNotDisturb: DoNotDisturb(isOn: $0[2], from: $0[3], to: $0[4], utcOffset: $0[5]),
        addedBy: UserSettings.AddedBy(rawValue: $0[6]) ?? .nobody)
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

  /// The members of a room, each with whether they share read receipts.
  func receiptReaders(of room: Int64) throws -> [(key: Int64, id: UserID, showsReading: Bool)] {
    try all(
      """
      SELECT m.member, u.id, u.shows_reading FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ?
      """, [room]
    ) { ($0[0], $0.id(1), $0[2]) }
  }
}

extension WriteTransaction {
  func setPicture(_ picture: Picture?, of id: UserID) throws -> OwnUser {
    var own = try account(id).own
    let former = own.user.picture
    guard former != picture?.id else { return own }
    if let picture { try keep(picture) }
    try database.run("UPDATE users SET picture = ? WHERE id = ?", [picture?.id.text, id])
    if let former { try dropUnused(former) }
    own.user.picture = picture?.id
    try logForEveryone(.userUpdated(own.user))
    return own
  }

  /// Stores a picture, unless it exists.
  func keep(_ picture: Picture) throws {
    try database.run(
      "INSERT INTO pictures (id, media_type, bytes) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
      [picture.id.text, picture.mediaType, picture.bytes])
  }

  /// Removes a picture that nobody uses any more. Every column that refers to pictures must be checked here.
  func dropUnused(_ picture: PictureID) throws {
    try database.run(
      """
      DELETE FROM pictures WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM users WHERE picture = ?1)
        AND NOT EXISTS (SELECT 1 FROM rooms WHERE picture = ?1)
      """, [picture.text])
  }

  func setEmail(_ email: String, of id: UserID, passwordHash: String) throws -> OwnUser {
    let (key, own) = try account(id)
    try requirePassword(passwordHash, of: key)
    return try setEmail(email, of: key, own)
  }

  /// Changes the email address if the person may; `own` is the person as they are now.
  func setEmail(_ email: String, of key: Int64, _ own: OwnUser) throws -> OwnUser {
    var own = own
    guard own.email != email else { return own }
    let other = try database.first("SELECT person FROM accounts WHERE email_key = ?", [email.caseFolded]) {
      $0[0] as Int64
    }
    guard other == nil || other == key else {
      throw ChatError.invalid([
        FieldError(field: "email", code: "taken", detail: "There is already an account with this address.")
      ])
    }
    try database.run(
      "UPDATE accounts SET email = ?, email_key = ? WHERE person = ?", [email, email.caseFolded, key])
    own.email = email
    try log(.meUpdated(own), reader: key, own.user.id)
    return own
  }

  func setPassword(
    _ hash: String, of id: UserID, replacing former: String?, keeping kept: SessionID?
  ) throws -> [SessionID] {
    let key = try account(id).key
    if let former { try requirePassword(former, of: key) }
    try database.run("UPDATE accounts SET password_hash = ? WHERE person = ?", [hash, key])
    changeSessions()
    return try database.all(
      "DELETE FROM sessions WHERE person = ?1 AND (?2 IS NULL OR id <> ?2) RETURNING id", [key, kept]
    ) { $0.id(0) }
  }

  func changeProfile(of id: UserID, _ change: ProfileChange) throws -> Snapshot<OwnUser> {
    let (key, former) = try account(id)
    let own = change.applied(to: former)
    let (user, settings) = (own.user, own.settings)
    if user.handle != former.user.handle { try takeHandle(user.handle, key) }
    if (user.firstName, user.lastName) != (former.user.firstName, former.user.lastName) {
      // Chosen here, so GitHub's name no longer applies.
      try database.run("UPDATE accounts SET follows_github = 0 WHERE person = ?", [key])
    }
    if user != former.user { try update(user) }
    guard (settings, own.language) != (former.settings, former.language) else { return try database.snapshot(own) }
    try database.run("UPDATE accounts SET language = ? WHERE person = ?", [own.language, key])
    try database.run(
      """
      UPDATE users SET shows_reading = ?, shows_last_seen = ?, quiet = ?, quiet_from = ?, quiet_to = ?, utc_offset = ?,
        added_by = ?
      WHERE key = ?
      """,
      [
        settings.readReceipts, settings.lastSeen, settings.doNotDisturb.isOn, settings.doNotDisturb.from,
        settings.doNotDisturb.to, settings.doNotDisturb.utcOffset, settings.addedBy.rawValue, key,
      ])
    if settings != former.settings { audiences.forgetReading() }
    try log(.meUpdated(own), reader: key, id)
    return try database.snapshot(own)
  }

  /// Reserves a handle for a person, who chose it.
  private func takeHandle(_ handle: String, _ key: Int64) throws {
    let holder = try database.holder(ofHandle: Mentions.folded(handle))
    guard holder == nil || holder == key else {
      throw ChatError.taken(FieldError(field: "handle", code: "taken", detail: "Somebody else has this handle."))
    }
    let count: Int? = try database.first("SELECT count(*) FROM handles WHERE member = ?", [key]) { $0[0] }
    guard holder == key || count ?? 0 < AccountRules.mostHandles else {
      throw ChatError.conflict("You have had \(AccountRules.mostHandles) handles. Take one of them.")
    }
    try database.run("UPDATE users SET chose_handle = 1 WHERE key = ?", [key])
  }

  func recordUse(of session: SessionID, at time: Timestamp) throws {
    changeSessions()
    try database.run(
      "UPDATE sessions SET last_used_at = ?1 WHERE id = ?2 AND coalesce(last_used_at, created_at) <= ?3",
      [time.milliseconds, session, time.adding(seconds: -AccountRules.sessionUseInterval).milliseconds])
  }

  /// Throws `.unauthenticated` if the person's password has changed since it was verified.
  func requirePassword(_ hash: String, of person: Int64) throws {
    guard try database.exists("SELECT 1 FROM accounts WHERE person = ? AND password_hash = ?", [person, hash]) else {
      throw ChatError.unauthenticated
    }
  }

  private func account(_ id: UserID) throws -> (key: Int64, own: OwnUser) {
    guard let key = try database.user(id)?.key, try database.exists("SELECT 1 FROM accounts WHERE person = ?", [key]),
      let own = try database.ownUser(id)
    else { throw ChatError.notFound }
    return (key, own)
  }
}
