import Chat
import GRDB

/// Who is in a group and who is kept out.
extension WriteTransaction {
  func setMember(
    _ member: UserID, in id: RoomID, role: Room.Role?, by user: UserID
  ) throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member) else { throw ChatError.notFound }
    if let before = try database.role(of: person.key, in: membership.room) {
      let after = role ?? before
      try change(person, from: before, to: after, id, membership)
      return ((person.user, after), false)
    }
    let role = role ?? .member
    guard role != .owner else {
      throw ChatError.invalid([
        FieldError(field: "role", code: "invalid", detail: "A group is handed over to one of its members.")
      ])
    }
    guard membership.role.outranks(role) else { throw ChatError.forbidden("Only the owner makes admins.") }
    guard try !database.isBanned(person.key, from: membership.room) else {
      throw ChatError.conflict("This person is banned from the group. Lift the ban first.")
    }
    try letIn(person, membership.room, id, role: role)
    return ((person.user, role), true)
  }

  /// Gives somebody who is in another role; handing over makes the former owner an admin.
  private func change(
    _ person: StoredUser, from before: Room.Role, to after: Room.Role, _ id: RoomID, _ membership: Membership
  ) throws {
    guard before != after else { return }
    guard membership.role == .owner else { throw ChatError.forbidden("Only the owner changes roles.") }
    guard person.key != membership.member else {
      throw ChatError.conflict("A group has an owner. Hand it over to another member first.")
    }
    try set(after, of: person, membership.room, id)
    if after == .owner, let former = try database.user(key: membership.member) {
      try set(.admin, of: former, membership.room, id)
    }
  }

  func removeMember(_ member: UserID, from id: RoomID, by user: UserID) throws {
    if member == user { return try leave(id, by: user) }
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member),
      let role = try database.role(of: person.key, in: membership.room)
    else { throw ChatError.notFound }
    try require(membership.role, above: role)
    try takeOut(person, membership.room, id)
  }

  func join(_ id: RoomID, by user: UserID) throws -> Room {
    guard let person = try database.user(user) else { throw ChatError.notFound }
    do {
      return try database.room(database.membership(in: id, of: user).room, for: person.key)
    } catch ChatError.notFound {
      let room = try database.publicRoom(id).key
      return try enter(person, room, id)
    }
  }

  func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) throws -> Room {
    guard let person = try database.user(user) else { throw ChatError.notFound }
    let found = try database.openInvitation(secretHash: secretHash, at: time)
    guard let room = found.room, let id = found.invitation.roomID else {
      throw ChatError.conflict("This invitation is for who has no account yet.")
    }
    if try database.role(of: person.key, in: room) != nil { return try database.room(room, for: person.key) }
    try useInvitation(secretHash, at: time)
    return try enter(person, room, id)
  }

  /// Lets in who comes by himself.
  private func enter(_ person: StoredUser, _ room: Int64, _ id: RoomID) throws -> Room {
    guard try !database.isBanned(person.key, from: room) else {
      throw ChatError.forbidden("You are banned from this group.")
    }
    try letIn(person, room, id, role: .member)
    return try database.room(room, for: person.key)
  }

  /// Lets a new account into the room of its invitation; a full one does not keep it from being made.
  func enter(_ invitation: StoredInvitation, _ person: StoredUser) throws {
    guard let room = invitation.room, let id = invitation.invitation.roomID else { return }
    do { try letIn(person, room, id, role: .member) } catch ChatError.conflict { return }
  }

  func leave(_ id: RoomID, by user: UserID) throws {
    let membership = try database.membership(in: id, of: user)
    try membership.requireGroup()
    guard let person = try database.user(key: membership.member) else { throw ChatError.notFound }
    try takeOut(person, membership.room, id)
    if membership.role == .owner { try succeed(membership.room, id) }
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
    if role != nil { try takeOut(person, membership.room, id) }
  }

  func liftBan(of member: UserID, from id: RoomID, by user: UserID) throws {
    let membership = try moderator(user, of: id)
    guard let person = try database.user(member) else { throw ChatError.notFound }
    try database.run("DELETE FROM bans WHERE room = ? AND member = ?", [membership.room, person.key])
  }

  private func require(_ role: Room.Role, above other: Room.Role) throws(ChatError) {
    guard role.outranks(other) else { throw .forbidden("Only the owner decides about admins, and nobody about him.") }
  }
}

/// What is behind all of them.
extension WriteTransaction {
  /// Lets somebody in who is not: nothing of what was there is unread to him; his devices hear of the room, then the room
  /// of him.
  func letIn(_ person: StoredUser, _ room: Int64, _ id: RoomID, role: Room.Role) throws {
    let count: Int? = try database.first("SELECT members_count FROM rooms WHERE key = ?", [room]) { $0[0] }
    guard count ?? 0 < limits.members else { throw tooManyMembers }
    try database.run(
      """
      INSERT INTO memberships (room, member, role, read_seq, delivered_seq, joined_seq, joined_event)
      SELECT key, ?, ?, last_seq, last_seq, last_seq, ? FROM rooms WHERE key = ?
      """, [person.key, role.rawValue, try database.lastEventID() + 1, room])
    audiences.forget(room)
    try logRoom(Event.roomCreated, room, reader: person.key, person.user.id)
    try logMember(person, role, room, id)
  }

  /// Takes somebody out: he is told last of all, and the room afterwards, which he hears no more of.
  private func takeOut(_ person: StoredUser, _ room: Int64, _ id: RoomID) throws {
    try logRoom(Event.roomRemoved, room, reader: person.key, person.user.id)
    try database.run("DELETE FROM memberships WHERE room = ? AND member = ?", [room, person.key])
    try database.run("DELETE FROM hidden_messages WHERE member = ? AND room = ?", [person.key, room])
    audiences.forget(room)
    try logMember(person, nil, room, id)
  }

  /// Another takes over from the owner who has left; where nobody is left, nobody can come any more.
  func succeed(_ room: Int64, _ id: RoomID) throws {
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
