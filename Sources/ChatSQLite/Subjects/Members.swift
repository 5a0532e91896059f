import Chat
import GRDB

extension SQLiteStore {
  package func refusing(_ people: [UserID], addedBy user: UserID) async throws -> [UserID] {
    try await readElsewhere { database in
      guard let key = try database.userKey(user) else { throw ChatError.notFound }
      return try people.filter { try $0 != user && database.refuses($0, addedBy: key) }
    }
  }
}

extension Database {
  /// So many of the newest messages of a direct chat are looked through for one of somebody's own: some milliseconds.
  private static let ownMessageRange = 1000
  private static let wroteTo = """
    SELECT 1 FROM direct_rooms d JOIN rooms r ON r.key = d.room JOIN messages s ON s.room = d.room
    WHERE d.low = min(?1, ?2) AND d.high = max(?1, ?2) AND s.seq > r.last_seq - \(ownMessageRange) AND s.sender = ?1
    LIMIT 1
    """
  private static let sharesPrivateGroup = """
    SELECT 1 FROM memberships m JOIN rooms r ON r.key = m.room JOIN memberships o ON o.room = m.room AND o.member = ?2
    WHERE m.member = ?1 AND r.kind = 'group' AND r.is_public = 0 LIMIT 1
    """

  /// Whether a person is not added to groups by another, as their settings say.
  func refuses(_ person: UserID, addedBy other: Int64) throws -> Bool {
    let found = try first("SELECT key, added_by FROM users WHERE id = ?", [person]) {
      (key: $0[0] as Int64, addedBy: UserSettings.AddedBy(rawValue: $0[1]) ?? .nobody)
    }
    guard let found else { return false }
    return switch found.addedBy {
    case .everybody: false
    case .nobody: true
    case .known:
      try !exists(Self.wroteTo, [found.key, other]) && !exists(Self.sharesPrivateGroup, [found.key, other])
    }
  }
}

/// Membership of groups, and bans.
extension WriteTransaction {
  func setMember(
    _ member: UserID, in id: RoomID, role: Room.Role?, by user: UserID, at time: Timestamp
  ) throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member) else { throw ChatError.notFound }
    if let before = try database.role(of: person.key, in: membership.room) {
      let after = role ?? before
      try change(person, from: before, to: after, id, membership, at: time)
      return ((person.user, after), false)
    }
    let role = role ?? .member
    guard role != .owner else {
      throw ChatError.invalid([
        FieldError(field: "role", code: "invalid", detail: "A group can be transferred only to one of its members.")
      ])
    }
    guard membership.role.outranks(role) else { throw ChatError.forbidden("Only the owner can appoint admins.") }
    guard try !database.isBanned(person.key, from: membership.room) else {
      throw ChatError.conflict("This person is banned from the group. Lift the ban first.")
    }
    guard try !database.refuses(member, addedBy: membership.member) else { throw ChatError.mustInvite }
    try letIn(person, membership.room, id, role: role, by: membership.member, at: time)
    return ((person.user, role), true)
  }

  /// Changes a member's role; handing over ownership makes the former owner an admin.
  private func change(
    _ person: StoredUser, from before: Room.Role, to after: Room.Role, _ id: RoomID, _ membership: Membership,
    at time: Timestamp
  ) throws {
    guard before != after else { return }
    guard membership.role == .owner else { throw ChatError.forbidden("Only the owner can change roles.") }
    guard person.key != membership.member else {
      throw ChatError.conflict("A group must have an owner. Transfer it to another member first.")
    }
    try set(after, of: person, membership.room, id)
    if after == .owner, let former = try database.user(key: membership.member) {
      try set(.admin, of: former, membership.room, id)
    }
    try note(after.change, in: membership.room, id, by: membership.member, of: person.key, at: time)
  }

  func removeMember(_ member: UserID, from id: RoomID, by user: UserID, at time: Timestamp) throws {
    if member == user { return try leave(id, by: user, at: time) }
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member),
      let role = try database.role(of: person.key, in: membership.room)
    else { throw ChatError.notFound }
    try require(membership.role, above: role)
    try takeOut(person, membership.room, id, Removal(by: Faces().face(membership.member, in: database), isBan: false))
    try note(.removed, in: membership.room, id, by: membership.member, of: person.key, at: time)
  }

  func join(_ id: RoomID, by user: UserID, at time: Timestamp) throws -> Room {
    guard let person = try database.user(user) else { throw ChatError.notFound }
    do {
      return try database.room(database.membership(in: id, of: user).room, for: person.key)
    } catch ChatError.notFound {
      let room = try database.publicRoom(id).key
      return try enter(person, room, id, at: time)
    }
  }

  func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) throws -> Room {
    guard let person = try database.user(user) else { throw ChatError.notFound }
    let found = try database.openInvitation(secretHash: secretHash, at: time)
    guard let room = found.room, let id = found.invitation.roomID else {
      throw ChatError.conflict("This invitation is for people without an account.")
    }
    if try database.role(of: person.key, in: room) != nil { return try database.room(room, for: person.key) }
    // A person who may not join is refused before anything is changed.
    let entered = try enter(person, room, id, at: time)
    try useInvitation(secretHash, at: time)
    return entered
  }

  /// Adds a person who joins on their own.
  private func enter(_ person: StoredUser, _ room: Int64, _ id: RoomID, at time: Timestamp) throws -> Room {
    guard try !database.isBanned(person.key, from: room) else {
      throw ChatError.forbidden("You are banned from this group.")
    }
    try letIn(person, room, id, role: .member, by: person.key, at: time)
    return try database.room(room, for: person.key)
  }

  /// Adds a new account to its invitation's room; a full room does not prevent the account from being created.
  func enter(_ invitation: StoredInvitation, _ person: StoredUser, at time: Timestamp) throws {
    guard let room = invitation.room, let id = invitation.invitation.roomID else { return }
    do {
      try letIn(person, room, id, role: .member, by: person.key, at: time)
    } catch ChatError.conflict { return }
  }

  func leave(_ id: RoomID, by user: UserID, at time: Timestamp) throws {
    let membership = try database.membership(in: id, of: user)
    try membership.requireGroup()
    guard let person = try database.user(key: membership.member) else { throw ChatError.notFound }
    try takeOut(person, membership.room, id)
    try note(.left, in: membership.room, id, by: person.key, at: time)
    if membership.role == .owner, let successor = try succeed(membership.room, id) {
      try note(.madeOwner, in: membership.room, id, by: person.key, of: successor, at: time)
    }
  }

  func ban(_ member: UserID, from id: RoomID, by user: UserID, at time: Timestamp) throws {
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member) else { throw ChatError.notFound }
    guard person.key != membership.member else { throw ChatError.conflict("You cannot ban yourself.") }
    let role = try database.role(of: person.key, in: membership.room)
    try require(membership.role, above: role ?? .member)
    guard try !database.isBanned(person.key, from: membership.room) else { return }
    try database.run(
      "INSERT INTO bans (room, member, banned_by, banned_at) VALUES (?, ?, ?, ?)",
      [membership.room, person.key, membership.member, time.milliseconds])
    guard role != nil else { return }
    try takeOut(person, membership.room, id, Removal(by: Faces().face(membership.member, in: database), isBan: true))
    try note(.banned, in: membership.room, id, by: membership.member, of: person.key, at: time)
  }

  func liftBan(of member: UserID, from id: RoomID, by user: UserID) throws {
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member) else { throw ChatError.notFound }
    try database.run("DELETE FROM bans WHERE room = ? AND member = ?", [membership.room, person.key])
  }

  private func require(_ role: Room.Role, above other: Room.Role) throws(ChatError) {
    guard role.outranks(other) else {
      throw .forbidden("Only the owner can remove or ban admins, and nobody the owner.")
    }
  }
}

/// The operations that all of the above share.
extension WriteTransaction {
  /// Adds a person who is not a member: existing messages are not unread to them; their devices receive the room, then
  /// the room's members the person.
  func letIn(
    _ person: StoredUser, _ room: Int64, _ id: RoomID, role: Room.Role, by actor: Int64, at time: Timestamp
  ) throws {
    let count: Int? = try database.first("SELECT members_count FROM rooms WHERE key = ?", [room]) { $0[0] }
    guard count ?? 0 < limits.members else { throw tooManyMembers }
    try database.run(
      """
      INSERT INTO memberships (room, member, role, read_seq, delivered_seq, joined_seq, joined_event)
      SELECT key, ?, ?, last_seq, last_seq, last_seq, ? FROM rooms WHERE key = ?
      """, [person.key, role.rawValue, try database.lastEventID() + 1, room])
    audiences.add(person.user.id, to: room)
    try logRoom(Event.roomCreated, room, reader: person.key, person.user.id)
    try logMember(person, role, room, id)
    let isOwn = actor == person.key
    try note(isOwn ? .joined : .added, in: room, id, by: actor, of: isOwn ? nil : person.key, at: time)
  }

  /// Removes a member: they get a last event about the room, then the remaining members are notified.
  private func takeOut(_ person: StoredUser, _ room: Int64, _ id: RoomID, _ removal: Removal? = nil) throws {
    try logGone(database.room(room, for: person.key), removal, reader: person.key, person.user.id)
    try database.run("DELETE FROM memberships WHERE room = ? AND member = ?", [room, person.key])
    try database.run("DELETE FROM hidden_messages WHERE member = ? AND room = ?", [person.key, room])
    audiences.remove(person.user.id, from: room)
    try logMember(person, nil, room, id)
  }

  /// Makes another member the owner after the owner has left, and returns them; if nobody is left, nobody can join any
  /// more.
  @discardableResult
  func succeed(_ room: Int64, _ id: RoomID) throws -> Int64? {
    let successor: Int64? = try database.first(
      """
      SELECT m.member FROM memberships m WHERE m.room = ?
      ORDER BY EXISTS (SELECT 1 FROM accounts a WHERE a.person = m.member) DESC, m.role = 'admin' DESC, m.joined_event
      LIMIT 1
      """, [room]
    ) { $0[0] }
    if let successor, let person = try database.user(key: successor) {
      try set(.owner, of: person, room, id)
    } else {
      try database.run("UPDATE rooms SET is_public = 0 WHERE key = ?", [room])
    }
    return successor
  }

  func set(_ role: Room.Role, of person: StoredUser, _ room: Int64, _ id: RoomID) throws {
    try database.run(
      "UPDATE memberships SET role = ? WHERE room = ? AND member = ?", [role.rawValue, room, person.key])
    try logMember(person, role, room, id)
  }

  func logMember(_ person: StoredUser, _ role: Room.Role?, _ room: Int64, _ id: RoomID) throws {
    let count = try audiences.members(of: room, in: database).count
    try log(.memberUpdated(id, person.user, role: role, membersCount: count), room: room, id)
  }
}

extension Room.Role {
  /// How the log says that somebody got this role.
  fileprivate var change: RoomChange.Kind {
    switch self {
    case .owner: .madeOwner
    case .admin: .madeAdmin
    case .member: .madeMember
    }
  }
}
