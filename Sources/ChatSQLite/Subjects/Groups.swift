import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore {
  package func createGroup(_ group: NewGroup) async throws -> Room {
    try await write { try $0.createGroup(group) }
  }

  package func changeGroup(
    _ room: RoomID, by user: UserID, _ change: GroupChange, at time: Timestamp
  ) async throws -> Room {
    try await write { try $0.changeGroup(room, by: user, change, at: time) }
  }

  package func setPicture(
    _ picture: Picture?, of room: RoomID, by user: UserID, at time: Timestamp
  ) async throws -> Room {
    try await write { try $0.setPicture(picture, of: room, by: user, at: time) }
  }

  package func visibleRoom(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { database in
      let faces = Faces(caches)
      do {
        let membership = try database.membership(in: id, of: user)
        return try database.snapshot(database.room(membership.room, for: membership.member, faces))
      } catch ChatError.notFound {
        return try database.snapshot(database.publicRoom(id).room)
      }
    }
  }

  package func publicRooms(
    matching query: String, for user: UserID, after cursor: PublicRoomCursor?, limit: Int
  ) async throws -> [Room] {
    // A text that matches no room requires a scan of all names.
    try await readElsewhere { database in
      guard let member = try database.user(user)?.key else { throw ChatError.notFound }
      return try database.publicRooms(matching: query, for: member, after: cursor, limit: limit)
    }
  }

  package func members(
    of room: RoomID, for user: UserID, after cursor: MemberCursor?, limit: Int
  ) async throws -> [(user: User, role: Room.Role)] {
    // All members are sorted before a page is cut off.
    try await readElsewhere { database in
      try database.members(of: database.membership(in: room, of: user).room, after: cursor, limit: limit)
    }
  }

  package func memberIDs(of room: RoomID, for user: UserID) async throws -> [UserID] {
    let few: [UserID]? = try read { database in
      let membership = try database.membership(in: room, of: user)
      return try database.isBig(membership.room) ? nil : database.memberIDs(of: membership.room)
    }
    if let few { return few }
    return try await readElsewhere { try $0.memberIDs(of: $0.membership(in: room, of: user).room) }
  }

  package func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID, at time: Timestamp
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try await write { try $0.setMember(member, in: room, role: role, by: user, at: time) }
  }

  package func removeMember(
    _ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp
  ) async throws {
    try await write { try $0.removeMember(member, from: room, by: user, at: time) }
  }

  package func join(_ room: RoomID, by user: UserID, at time: Timestamp) async throws -> Room {
    try await write { try $0.join(room, by: user, at: time) }
  }

  package func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) async throws -> Room {
    try await write { try $0.accept(secretHash, by: user, at: time) }
  }

  package func invitedRoom(_ id: RoomID) async throws -> Room? {
    try read { database in
      let key: Int64? = try database.first("SELECT key FROM rooms WHERE id = ?", [id]) { $0[0] }
      return try key.flatMap { try database.roomForOutsiders($0) }
    }
  }

  package func leave(_ room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try await write { try $0.leave(room, by: user, at: time) }
  }

  package func ban(_ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp) async throws {
    try await write { try $0.ban(member, from: room, by: user, at: time) }
  }

  package func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws {
    try await write { try $0.liftBan(of: member, from: room, by: user) }
  }

  package func bans(of room: RoomID, for user: UserID, after cursor: UserCursor?, limit: Int) async throws -> [User] {
    try await readElsewhere { database in
      let membership = try database.membership(in: room, of: user)
      try membership.requireModerator()
      return try database.bans(of: membership.room, after: cursor, limit: limit)
    }
  }
}

extension Database {
  /// Whether a room has more members than may be read while an event loop waits.
  fileprivate func isBig(_ room: Int64) throws -> Bool {
    let count: Int? = try first("SELECT members_count FROM rooms WHERE key = ?", [room]) { $0[0] }
    return count ?? 0 > 200
  }
}

extension Database {
  private static let membersOfRoom = """
    SELECT m.member, m.role FROM memberships m JOIN users u ON u.key = m.member
    WHERE m.room = ?1 AND (instr('owner admin member', m.role), u.name_key, u.id) > (?2, ?3, ?4)
    ORDER BY instr('owner admin member', m.role), u.name_key, u.id LIMIT ?5
    """

  /// A room's members: owner, admins, members, each sorted by name. A role's index in the list of role names is its
  /// rank.
  func members(of room: Int64, after cursor: MemberCursor?, limit: Int) throws -> [(user: User, role: Room.Role)] {
    let place = [Room.Role.owner: 1, .admin: 7, .member: 13]
    let rows = try all(
      Self.membersOfRoom,
      [
        room, cursor.flatMap { place[$0.role] } ?? 0, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest,
        max(0, limit),
      ]
    ) { (member: $0[0] as Int64, role: Room.Role(rawValue: $0[1]) ?? .member) }
    return Array(zip(try users(rows.map(\.member)), rows.map(\.role)))
  }

  /// The people banned from a room, by name.
  func bans(of room: Int64, after cursor: UserCursor?, limit: Int) throws -> [User] {
    let members = try all(
      """
      SELECT b.member FROM bans b JOIN users u ON u.key = b.member
      WHERE b.room = ? AND (u.name_key, u.id) > (?, ?) ORDER BY u.name_key, u.id LIMIT ?
      """, [room, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, max(0, limit)]
    ) { $0[0] as Int64 }
    return try users(members)
  }

  /// A person's role in a room; nil if they are not a member.
  func role(of member: Int64, in room: Int64) throws -> Room.Role? {
    try first("SELECT role FROM memberships WHERE room = ? AND member = ?", [room, member]) {
      Room.Role(rawValue: $0[0]) ?? .member
    }
  }

  func isBanned(_ member: Int64, from room: Int64) throws -> Bool {
    try exists("SELECT 1 FROM bans WHERE room = ? AND member = ?", [room, member])
  }

  // MARK: Public rooms

  private static let outsidersColumns =
    "r.key, r.id, r.name, r.topic, r.picture, r.members_count, r.created_at, r.is_public, r.repository"
  private static let groupByKey = "SELECT \(outsidersColumns) FROM rooms r WHERE r.key = ? AND r.kind = 'group'"
  private static let publicRoomByID = "SELECT \(outsidersColumns) FROM rooms r WHERE r.id = ? AND r.is_public = 1"
  private static let publicRoomsByName = """
    SELECT \(outsidersColumns), EXISTS (SELECT 1 FROM memberships m WHERE m.room = r.key AND m.member = ?1)
    FROM rooms r INDEXED BY rooms_by_name
    WHERE r.is_public = 1 AND (r.name_key, r.id) > (?2, ?3) AND instr(r.name_key, ?4) > 0
    ORDER BY r.name_key, r.id LIMIT ?5
    """

  /// A group as non-members see it: its properties, and nothing of its messages.
  private static func decodeForOutsiders(_ row: ResultRow) -> (key: Int64, room: Room) {
    let createdAt = row.time(6)
    let room = Room(
      id: row.id(1), kind: .group, name: row[2], topic: row[3], isPublic: row[7], repository: row.repository(8),
      picture: row.picture(4), membersCount: row[5], role: nil, createdAt: createdAt, updatedAt: createdAt)
    return (row[0], room)
  }

  /// A public room as non-members see it; throws `.notFound` if it is not public.
  func publicRoom(_ id: RoomID) throws -> (key: Int64, room: Room) {
    guard let found = try first(Self.publicRoomByID, [id], Self.decodeForOutsiders) else {
      throw ChatError.notFound
    }
    return found
  }

  /// A group as non-members see it, public or not; nil for a direct room.
  func roomForOutsiders(_ key: Int64) throws -> Room? {
    try first(Self.groupByKey, [key], Self.decodeForOutsiders)?.room
  }

  /// Public rooms by name; those that the member is in, as members see them.
  func publicRooms(
    matching query: String, for member: Int64, after cursor: PublicRoomCursor?, limit: Int
  ) throws -> [Room] {
    let found = try all(
      Self.publicRoomsByName,
      [member, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, query.caseFolded, max(0, limit)]
    ) { (Self.decodeForOutsiders($0), isIn: $0[9] as Bool) }
    return try found.map { found, isIn in isIn ? try room(found.key, for: member) : found.room }
  }
}

/// Groups: their shared properties.
extension WriteTransaction {
  func createGroup(_ group: NewGroup) throws -> Room {
    guard let maker = try database.userKey(group.makerID) else { throw ChatError.notFound }
    var (members, ids) = ([maker], Set([group.makerID]))
    for id in group.memberIDs where ids.insert(id).inserted {
      guard let key = try database.userKey(id) else {
        throw ChatError.invalid([
          FieldError(field: "member_ids", code: "invalid", detail: "There is no such person.")
        ])
      }
      members.append(key)
    }
    guard members.count <= limits.members else { throw tooManyMembers }
    let event = try database.lastEventID() + 1
    try database.run(
      """
      INSERT INTO rooms (id, kind, name, name_key, topic, is_public, last_seq, created_at, updated_at, position)
      VALUES (?1, 'group', ?2, ?3, ?4, ?5, 0, ?6, ?6, ?7)
      """,
      [
        group.id, group.name, group.name.caseFolded, group.topic, group.isPublic,
        group.createdAt.milliseconds, event,
      ])
    let room = database.lastInsertedRowID
    // One statement for all of them: several hundred take the writer some milliseconds.
    try database.run(
      """
      INSERT INTO memberships (room, member, role, joined_event)
      SELECT ?1, value, iif(key = 0, 'owner', 'member'), ?2 + key FROM json_each(?3)
      """, [room, event - EventID(members.count), "\(members)"])
    audiences.forget(room)
    let made = try database.room(room, for: maker)
    try logRoom("room.created", room, made)
    return made
  }

  func changeGroup(_ id: RoomID, by user: UserID, _ change: GroupChange, at time: Timestamp) throws -> Room {
    let membership = try database.membership(in: id, of: user)
    if membership.kind == .group || change != GroupChange(repository: change.repository) {
      try membership.requireModerator()
    }
    let before = try database.room(membership.room, for: membership.member)
    var after = before
    after.name = change.name ?? before.name
    after.topic = change.topic ?? before.topic
    after.isPublic = change.isPublic ?? before.isPublic
    after.repository = change.repository ?? before.repository
    guard after != before else { return before }
    try database.run(
      "UPDATE rooms SET repository = ? WHERE key = ?", [after.repository?.text, membership.room])
    guard membership.kind == .group else {
      try tellPair(membership.room, first: user)
      return after
    }
    try database.run(
      "UPDATE rooms SET name = ?, name_key = ?, topic = ?, is_public = ? WHERE key = ?",
      [after.name, after.name.caseFolded, after.topic, after.isPublic, membership.room])
    try logRoom("room.updated", membership.room, after)
    func note(_ kind: RoomChange.Kind, _ text: String? = nil) throws {
      try self.note(kind, in: membership.room, id, by: membership.member, text: text, at: time)
    }
    if after.name != before.name { try note(.renamed, after.name) }
    if after.topic != before.topic { try note(.described, after.topic) }
    if after.isPublic != before.isPublic { try note(after.isPublic ? .madePublic : .madePrivate) }
    if after.repository != before.repository { try note(.repositorySet, after.repository?.text ?? "") }
    return after
  }

  /// Logs the update of a direct room for both people, unless the peer has not heard of it yet.
  private func tellPair(_ room: Int64, first: UserID) throws {
    for id in try database.memberIDs(of: room).sorted(by: { $0 == first && $1 != first }) {
      guard let member = try database.userKey(id), try !database.room(room, for: member).isWaiting else { continue }
      try logRoom(Event.roomUpdated, room, reader: member, id)
    }
  }

  func setPicture(_ picture: Picture?, of id: RoomID, by user: UserID, at time: Timestamp) throws -> Room {
    let membership = try moderator(user, of: id)
    var room = try database.room(membership.room, for: membership.member)
    let former = room.picture
    guard former != picture?.id else { return room }
    if let picture { try keep(picture) }
    try database.run("UPDATE rooms SET picture = ? WHERE key = ?", [picture?.id.text, membership.room])
    if let former { try dropUnused(former) }
    room.picture = picture?.id
    try logRoom("room.updated", membership.room, room)
    try note(
      picture == nil ? .pictureRemoved : .pictureSet, in: membership.room, id, by: membership.member, at: time)
    return room
  }

  /// The membership of an owner or admin of a group.
  func moderator(_ user: UserID, of room: RoomID) throws -> Membership {
    let membership = try database.membership(in: room, of: user)
    try membership.requireModerator()
    return membership
  }

  var tooManyMembers: ChatError { .conflict("A group has at most \(limits.members) members.") }

  /// Whether a room is so large that members do not receive each other's receipts.
  func isBig(_ room: Int64) throws -> Bool {
    try audiences.members(of: room, in: database).count > limits.toldOfReceipts
  }
}

extension Membership {
  /// Throws if the room is not a group.
  func requireGroup() throws(ChatError) {
    guard kind == .group else { throw .conflict("A direct chat has exactly two people, and no settings of its own.") }
  }

  /// Throws unless the member is the owner or an admin.
  func requireModerator() throws(ChatError) {
    try requireGroup()
    guard role.isModerator else { throw .forbidden("Only the owner and admins can do this in this group.") }
  }
}
