/// Groups, their members and bans. Callable from any thread; all errors are `ChatError`, `.notFound` for non-members.
/// See `GroupStore` for permissions.
package final class Groups: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  /// Groups over a store.
  package init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Creates a group owned by `maker` with these members. `notAdded` are those of them whom `maker` has to invite.
  /// Throws `.invalid` at `name`, `topic` and `member_ids`.
  package func create(
    name: String, topic: String = "", isPublic: Bool = false, memberIDs: [UserID] = [], by maker: UserID
  ) async throws -> (room: Room, notAdded: [UserID]) {
    let checked = try GroupRules.check(name: name, topic: topic)
    guard memberIDs.count <= GroupRules.mostNamedMembers else {
      throw ChatError.invalid([
        FieldError(
          field: "member_ids", code: "too_long",
          detail: "Name at most \(GroupRules.mostNamedMembers) people, and add the others later.")
      ])
    }
    let notAdded = memberIDs.isEmpty ? [] : try await store.refusing(memberIDs, addedBy: maker)
    let now = clock.now
    let room = try await store.createGroup(
      NewGroup(
        id: RoomID(at: now), makerID: maker, name: checked.name ?? "", topic: checked.topic ?? "", isPublic: isPublic,
        memberIDs: memberIDs.filter { !notAdded.contains($0) }, createdAt: now))
    return (room, notAdded)
  }

  /// Updates the room's name, topic, visibility or repository for everyone. Throws `.invalid` at `name` and `topic`,
  /// `.forbidden` unless owner or admin, `.conflict` in a direct room, which has only a repository.
  package func change(_ room: RoomID, by user: UserID, _ change: GroupChange) async throws -> Room {
    var change = change
    do {
      (change.name, change.topic) = try GroupRules.check(name: change.name, topic: change.topic)
    } catch {
      // Check membership before the input: outsiders must learn nothing.
      _ = try await store.room(room, for: user)
      throw error
    }
    return try await store.changeGroup(room, by: user, change, at: clock.now)
  }

  /// Sets or removes a group's picture, checked by `PictureRules`. Throws `.forbidden` unless owner or admin,
  /// `.conflict` in a direct room.
  package func setPicture(_ picture: Picture?, of room: RoomID, by user: UserID) async throws -> Room {
    try await store.setPicture(picture, of: room, by: user, at: clock.now)
  }

  /// Adds a member or changes a role; `.owner` transfers ownership. Throws `.invalid` at `role`, `.forbidden`,
  /// `.mustInvite`, or `.conflict` for banned people and beyond the maximum number of members.
  package func setMember(
    _ member: UserID, in room: RoomID, role: Room.Role?, by user: UserID
  ) async throws -> (member: (user: User, role: Room.Role), isNew: Bool) {
    try await store.setMember(member, in: room, role: role, by: user, at: clock.now)
  }

  /// Removes a member. Throws `.forbidden` unless the caller outranks them.
  package func remove(_ member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.removeMember(member, from: room, by: user, at: clock.now)
  }

  /// Joins a public room. Throws `.forbidden` for banned people, `.conflict` beyond the maximum number of members.
  package func join(_ room: RoomID, by user: UserID) async throws -> Room {
    try await store.join(room, by: user, at: clock.now)
  }

  /// Leaves a room; another member succeeds an owner.
  package func leave(_ room: RoomID, by user: UserID) async throws {
    try await store.leave(room, by: user, at: clock.now)
  }

  /// Bans someone, and removes them if they are a member. Throws `.forbidden` unless the caller outranks them.
  package func ban(_ member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.ban(member, from: room, by: user, at: clock.now)
  }

  /// Lifts a ban.
  package func liftBan(of member: UserID, from room: RoomID, by user: UserID) async throws {
    try await store.liftBan(of: member, from: room, by: user)
  }
}
