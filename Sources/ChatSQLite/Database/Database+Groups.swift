import Chat
import FoundationEssentials
import GRDB

extension Database {
  private static let membersOfRoom = """
    SELECT m.member, m.role FROM memberships m JOIN users u ON u.key = m.member
    WHERE m.room = ?1 AND (instr('owner admin member', m.role), u.name_key, u.id) > (?2, ?3, ?4)
    ORDER BY instr('owner admin member', m.role), u.name_key, u.id LIMIT ?5
    """

  /// Who is in a room: the owner, admins, members, each by name. Where a role's name stands in the list of names is its
  /// place in the order.
  func members(of room: Int64, after cursor: MemberCursor?, limit: Int) throws -> [(user: User, role: Room.Role)] {
    let place = [Room.Role.owner: 1, .admin: 7, .member: 13]
    let rows = try all(
      Self.membersOfRoom,
      [
        room, cursor.flatMap { place[$0.role] } ?? 0, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest,
        max(0, limit),
      ]
    ) { (member: $0[0] as Int64, role: Room.Role(rawValue: $0[1]) ?? .member) }
    var people = PeopleSeen()
    return try rows.map { (try people.user($0.member, in: self), $0.role) }
  }

  /// Who is banned from a room, by name.
  func bans(of room: Int64, after cursor: UserCursor?, limit: Int) throws -> [User] {
    let members = try all(
      """
      SELECT b.member FROM bans b JOIN users u ON u.key = b.member
      WHERE b.room = ? AND (u.name_key, u.id) > (?, ?) ORDER BY u.name_key, u.id LIMIT ?
      """, [room, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, max(0, limit)]
    ) { $0[0] as Int64 }
    var people = PeopleSeen()
    return try members.map { try people.user($0, in: self) }
  }

  /// The role of a person in a room; nil for who is not in.
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
    "r.key, r.id, r.name, r.topic, r.picture, r.members_count, r.created_at, r.is_public"
  private static let groupByKey = "SELECT \(outsidersColumns) FROM rooms r WHERE r.key = ? AND r.kind = 'group'"
  private static let publicRoomByID = "SELECT \(outsidersColumns) FROM rooms r WHERE r.id = ? AND r.is_public = 1"
  private static let publicRoomsByName = """
    SELECT \(outsidersColumns), EXISTS (SELECT 1 FROM memberships m WHERE m.room = r.key AND m.member = ?1)
    FROM rooms r INDEXED BY rooms_by_name
    WHERE r.is_public = 1 AND (r.name_key, r.id) > (?2, ?3) AND instr(r.name_key, ?4) > 0
    ORDER BY r.name_key, r.id LIMIT ?5
    """

  /// A group as who is not in sees it: what it is, and nothing of what is said in it.
  private static func decodeForOutsiders(_ row: ResultRow) -> (key: Int64, room: Room) {
    let createdAt = row.time(6)
    let room = Room(
      id: row.id(1), kind: .group, name: row[2], topic: row[3], isPublic: row[7], picture: row.picture(4),
      membersCount: row[5], role: nil, createdAt: createdAt, updatedAt: createdAt)
    return (row[0], room)
  }

  /// A public room as who is not in sees it; `.notFound` where it is not public.
  func publicRoom(_ id: RoomID) throws -> (key: Int64, room: Room) {
    guard let found = try first(Self.publicRoomByID, [id], Self.decodeForOutsiders) else {
      throw ChatError.notFound
    }
    return found
  }

  /// A group as who is not in sees it, be it public or not; nil for a direct room.
  func roomForOutsiders(_ key: Int64) throws -> Room? {
    try first(Self.groupByKey, [key], Self.decodeForOutsiders)?.room
  }

  /// Public rooms by name; those that the member is in as he sees them.
  func publicRooms(
    matching query: String, for member: Int64, after cursor: PublicRoomCursor?, limit: Int
  ) throws -> [Room] {
    let found = try all(
      Self.publicRoomsByName,
      [member, cursor?.name.caseFolded ?? "", cursor?.id ?? .lowest, query.caseFolded, max(0, limit)]
    ) { (Self.decodeForOutsiders($0), isIn: $0[8] as Bool) }
    return try found.map { found, isIn in isIn ? try room(found.key, for: member) : found.room }
  }
}
