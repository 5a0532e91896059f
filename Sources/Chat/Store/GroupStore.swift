/// Groups and their members (R1). The same promises as at `ChatStore`; further:
///
/// Whoever is not in a room gets `.notFound`, also for a public one, but for what says otherwise. In a direct room all
/// that changes the room is `.conflict`. Who may do what is decided in the transaction that does it: `.forbidden`.
///
/// Whoever is let in is told by `room.created`, whoever is out by `room.removed`, and the room's members by
/// `member.updated`, after the former and the latter: who is out hears of nothing that comes later.
public protocol GroupStore: Sendable {
  /// Makes a group; the maker is its owner. Throws `.invalid` at `member_ids` for people who are not known.
  func createGroup(_ group: NewGroup) async throws -> Room
  /// Changes what a group is to all; logs `room.updated` for each member if anything changed. For owner and admins.
  func changeGroup(_ room: RoomID, by user: UserID, _ change: GroupChange) async throws -> Room
  /// Gives a group a picture, or takes it; logs `room.updated` for each member where that changes something. For owner
  /// and admins. A picture that nobody else has goes.
  func setPicture(_ picture: Picture?, of room: RoomID, by user: UserID) async throws -> Room
  /// A room as a member sees it, or a public one as everybody does: without a role, and nothing of what is said in it.
  func visibleRoom(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room>
  /// Public rooms whose name contains `query`, by name then id, after the last of the page before; those that the asker
  /// is in as he sees them.
  func publicRooms(
    matching query: String, for user: UserID, after cursor: PublicRoomCursor?, limit: Int
  ) async throws -> [Room]

  /// Who is in a room: the owner, then admins, then members, each by name then id, after the last of the page before.
  func members(
    of room: RoomID, for user: UserID, after cursor: MemberCursor?, limit: Int
  ) async throws -> [(user: User, role: Room.Role)]
  /// Who is in a room, in no order: for what is told to all of them.
  func memberIDs(of room: RoomID, for user: UserID) async throws -> [UserID]
  /// Lets somebody in (owner and admins; as admin only the owner), or changes a role (the owner); `.owner` hands the
  /// room over, and who had it becomes an admin. Nil leaves the role of who is in. Again: no change. Throws `.conflict`
  /// for the banned, beyond the limit, and for an owner who would leave the room without one; `.invalid` at `role` for
  /// an owner who is not in.
  func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool)
  /// Takes somebody out whom the asker outranks; oneself is leaving.
  func removeMember(_ member: UserID, from room: RoomID, by user: UserID) async throws
  /// Lets the asker into a public room. Again: no change. `.forbidden` for the banned, `.conflict` beyond the limit.
  func join(_ room: RoomID, by user: UserID) async throws -> Room
  /// Lets the asker into the room of the open invitation with this token's hash, and counts a use; who is in is in, and
  /// uses nothing. Throws `.notFound` where there never was one, `.over` where it is not open any more, `.conflict` for
  /// one to the instance and beyond the limit of members, `.forbidden` for the banned.
  func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) async throws -> Room
  /// A group as who is invited sees it; nil where there is none.
  func invitedRoom(_ id: RoomID) async throws -> Room?
  /// Takes the asker out. Of an owner the longest-serving admin takes over, else the longest-serving member; those with
  /// an account come first. A room that nobody is left in is public no more.
  func leave(_ room: RoomID, by user: UserID) async throws

  /// Keeps somebody out whom the asker outranks, and takes him out if he is in. Again: no change.
  func ban(_ member: UserID, from room: RoomID, by user: UserID, at time: Timestamp) async throws
  /// Ends a ban. Again: no change.
  func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws
  /// Who is banned from a room, by name then id, after the last of the page before. For owner and admins.
  func bans(of room: RoomID, for user: UserID, after cursor: UserCursor?, limit: Int) async throws -> [User]
}

extension GroupStore {
  /// Everybody who is in a room.
  public func members(of room: RoomID, for user: UserID) async throws -> [(user: User, role: Room.Role)] {
    try await members(of: room, for: user, after: nil, limit: .max)
  }
}

/// What a group is made of. Values are already checked by `GroupRules`.
public struct NewGroup: Sendable {
  /// The id that it gets.
  public var id: RoomID
  /// Who makes it, and owns it.
  public var makerID: UserID
  /// What it is called.
  public var name: String
  /// What it is about, maybe empty.
  public var topic: String
  /// Whether anybody may find and join it.
  public var isPublic: Bool
  /// Who else is in it from the beginning, in the order in which they count as come.
  public var memberIDs: [UserID]
  /// When it is made.
  public var createdAt: Timestamp

  /// A new group from checked values.
  public init(
    id: RoomID, makerID: UserID, name: String, topic: String = "", isPublic: Bool = false, memberIDs: [UserID] = [],
    createdAt: Timestamp
  ) {
    self.id = id
    self.makerID = makerID
    self.name = name
    self.topic = topic
    self.isPublic = isPublic
    self.memberIDs = memberIDs
    self.createdAt = createdAt
  }
}

/// What changes about a group for all; nil leaves it.
public struct GroupChange: Hashable, Sendable {
  /// What it is called.
  public var name: String?
  /// What it is about.
  public var topic: String?
  /// Whether anybody may find and join it.
  public var isPublic: Bool?

  /// A change of the given parts.
  public init(name: String? = nil, topic: String? = nil, isPublic: Bool? = nil) {
    self.name = name
    self.topic = topic
    self.isPublic = isPublic
  }
}

/// Where a page of members ended.
public struct MemberCursor: Hashable, Sendable {
  /// The role of the last member.
  public var role: Room.Role
  /// His name.
  public var name: String
  /// And his id, since names repeat.
  public var id: UserID

  /// A cursor from its parts.
  public init(role: Room.Role, name: String, id: UserID) {
    self.role = role
    self.name = name
    self.id = id
  }
}

/// Where a page of public rooms ended.
public struct PublicRoomCursor: Hashable, Sendable {
  /// The name of the last room.
  public var name: String
  /// And its id, since names repeat.
  public var id: RoomID

  /// A cursor from its parts.
  public init(name: String, id: RoomID) {
    self.name = name
    self.id = id
  }
}
