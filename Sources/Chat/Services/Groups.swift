/// Groups: making and changing them, who is in and who is kept out (R1). Callable from any thread; all errors are
/// `ChatError`, `.notFound` for whoever is not in the room. Who may do what: `GroupStore`.
public final class Groups: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  /// Groups over a store.
  public init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Makes a group of `maker`'s with these others. Throws `.invalid` at `name`, `topic` and `member_ids`.
  public func create(
    name: String, topic: String = "", isPublic: Bool = false, memberIDs: [UserID] = [], by maker: UserID
  ) async throws -> Room {
    let checked = try GroupRules.check(name: name, topic: topic)
    guard memberIDs.count <= GroupRules.mostNamedMembers else {
      throw ChatError.invalid([
        FieldError(
          field: "member_ids", code: "too_long",
          detail: "Name at most \(GroupRules.mostNamedMembers) people, and add the others later.")
      ])
    }
    let now = clock.now
    return try await store.createGroup(
      NewGroup(
        id: RoomID(at: now), makerID: maker, name: checked.name ?? "", topic: checked.topic ?? "", isPublic: isPublic,
        memberIDs: memberIDs, createdAt: now))
  }

  /// Changes what a group is to all. Throws `.invalid` at `name` and `topic`, `.forbidden` for who is neither owner nor
  /// admin, `.conflict` in a direct room.
  public func change(_ room: RoomID, by user: UserID, _ change: GroupChange) async throws -> Room {
    var change = change
    do {
      (change.name, change.topic) = try GroupRules.check(name: change.name, topic: change.topic)
    } catch {
      // Whether there is such a room comes before what is wrong with the change: nothing is told to outsiders.
      _ = try await store.room(room, for: user)
      throw error
    }
    return try await store.changeGroup(room, by: user, change)
  }

  /// Lets somebody in, or changes a role; `.owner` hands the room over. Throws `.invalid` at `role`, `.forbidden`,
  /// `.conflict` for the banned and beyond the limit of members.
  public func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try await store.setMember(member, in: room, role: role, by: user)
  }

  /// Takes somebody out. Throws `.forbidden` for whom one does not outrank.
  public func remove(_ member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.removeMember(member, from: room, by: user)
  }

  /// Lets the asker into a public room. Throws `.forbidden` for the banned, `.conflict` beyond the limit of members.
  public func join(_ room: RoomID, by user: UserID) async throws -> Room {
    try await store.join(room, by: user)
  }

  /// Takes the asker out; an owner's place is taken by another member.
  public func leave(_ room: RoomID, by user: UserID) async throws {
    try await store.leave(room, by: user)
  }

  /// Keeps somebody out, and takes him out if he is in. Throws `.forbidden` for whom one does not outrank.
  public func ban(_ member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.ban(member, from: room, by: user, at: clock.now)
  }

  /// Ends a ban.
  public func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.liftBan(of: member, from: room, by: user)
  }
}
