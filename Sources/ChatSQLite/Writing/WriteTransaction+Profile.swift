import Chat
import FoundationEssentials
import GRDB

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

  /// Stores a picture, unless somebody has it already.
  func keep(_ picture: Picture) throws {
    try database.run(
      "INSERT INTO pictures (id, media_type, bytes) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
      [picture.id.text, picture.mediaType, picture.bytes])
  }

  /// Takes a picture out that nobody has any more. Every column that refers to pictures must be asked here.
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

  /// Changes the address of whoever may; `own` is the person as he is now.
  func setEmail(_ email: String, of key: Int64, _ own: OwnUser) throws -> OwnUser {
    var own = own
    guard own.email != email else { return own }
    let other = try database.first("SELECT person FROM accounts WHERE email_key = ?", [email.caseFolded]) {
      $0[0] as Int64
    }
    guard other == nil || other == key else {
      throw ChatError.invalid([
        FieldError(field: "email", code: "taken", detail: "This address has an account already.")
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

  func setSettings(
    of id: UserID, readReceipts: Bool?, lastSeen: Bool?, doNotDisturb: DoNotDisturb?
  ) throws -> Snapshot<OwnUser> {
    var (key, own) = try account(id)
    let settings = own.settings.changed(readReceipts: readReceipts, lastSeen: lastSeen, doNotDisturb: doNotDisturb)
    guard settings != own.settings else { return try database.snapshot(own) }
    own.settings = settings
    try database.run(
      """
      UPDATE users SET shows_reading = ?, shows_last_seen = ?, quiet = ?, quiet_from = ?, quiet_to = ?, utc_offset = ?
      WHERE key = ?
      """,
      [
        settings.readReceipts, settings.lastSeen, settings.doNotDisturb.isOn, settings.doNotDisturb.from,
        settings.doNotDisturb.to, settings.doNotDisturb.utcOffset, key,
      ])
    audiences.forgetReading()
    try log(.meUpdated(own), reader: key, id)
    return try database.snapshot(own)
  }

  func setLanguage(_ language: String?, of id: UserID) throws -> OwnUser {
    var (key, own) = try account(id)
    guard language != own.language else { return own }
    own.language = language
    try database.run("UPDATE accounts SET language = ? WHERE person = ?", [language, key])
    try log(.meUpdated(own), reader: key, id)
    return own
  }

  func recordUse(of session: SessionID, at time: Timestamp) throws {
    changeSessions()
    try database.run(
      "UPDATE sessions SET last_used_at = ?1 WHERE id = ?2 AND coalesce(last_used_at, created_at) <= ?3",
      [time.milliseconds, session, time.adding(seconds: -Session.useInterval).milliseconds])
  }

  /// Throws `.unauthenticated` where the person's password was changed since it was looked at.
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
