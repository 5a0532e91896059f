import Chat
import GRDB

/// Groups: what they are to all.
extension WriteTransaction {
  func createGroup(_ group: NewGroup) throws -> Room {
    guard let maker = try database.user(group.makerID)?.key else { throw ChatError.notFound }
    var members = [(key: maker, id: group.makerID)]
    for id in group.memberIDs where !members.contains(where: { $0.id == id }) {
      guard let key = try database.user(id)?.key else {
        throw ChatError.invalid([
          FieldError(field: "member_ids", code: "invalid", detail: "There is no such person.")
        ])
      }
      members.append((key, id))
    }
    guard members.count <= limits.members else { throw tooManyMembers }
    let firstEvent = try database.lastEventID() + 1
    try database.run(
      """
      INSERT INTO rooms (id, kind, name, name_key, topic, is_public, last_seq, created_at, updated_at, position)
      VALUES (?1, 'group', ?2, ?3, ?4, ?5, 0, ?6, ?6, ?7)
      """,
      [
        group.id, group.name, group.name.caseFolded, group.topic, group.isPublic,
        group.createdAt.milliseconds, firstEvent,
      ])
    let room = database.lastInsertedRowID
    for (index, member) in members.enumerated() {
      try database.run(
        "INSERT INTO memberships (room, member, role, joined_event) VALUES (?, ?, ?, ?)",
        [room, member.key, index == 0 ? "owner" : "member", firstEvent + EventID(index)])
    }
    audiences.forget(room)
    for member in members { try logRoom(Event.roomCreated, room, reader: member.key, member.id) }
    return try database.room(room, for: maker)
  }

  func changeGroup(_ id: RoomID, by user: UserID, _ change: GroupChange) throws -> Room {
    let membership = try moderator(user, of: id)
    let before = try database.room(membership.room, for: membership.member)
    var after = before
    after.name = change.name ?? before.name
    after.topic = change.topic ?? before.topic
    after.isPublic = change.isPublic ?? before.isPublic
    guard after != before else { return before }
    try database.run(
      "UPDATE rooms SET name = ?, name_key = ?, topic = ?, is_public = ? WHERE key = ?",
      [after.name, after.name.caseFolded, after.topic, after.isPublic, membership.room])
    try logRoomForMembers(membership.room)
    return after
  }

  func setPicture(_ picture: Picture?, of id: RoomID, by user: UserID) throws -> Room {
    let membership = try moderator(user, of: id)
    var room = try database.room(membership.room, for: membership.member)
    let former = room.picture
    guard former != picture?.id else { return room }
    if let picture { try keep(picture) }
    try database.run("UPDATE rooms SET picture = ? WHERE key = ?", [picture?.id.text, membership.room])
    if let former { try dropUnused(former) }
    try logRoomForMembers(membership.room)
    room.picture = picture?.id
    return room
  }

  /// Tells each member what the room is to him now.
  func logRoomForMembers(_ room: Int64) throws {
    let members = try database.all(
      "SELECT m.member, u.id FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ? ORDER BY m.member",
      [room]
    ) { (key: $0[0] as Int64, id: $0.id(1) as UserID) }
    for member in members { try logRoom(Event.roomUpdated, room, reader: member.key, member.id) }
  }

  /// The membership of somebody who looks after a group.
  func moderator(_ user: UserID, of room: RoomID) throws -> Membership {
    let membership = try database.membership(in: room, of: user)
    try membership.requireModerator()
    return membership
  }

  var tooManyMembers: ChatError { .conflict("A group has at most \(limits.members) members.") }

  /// Whether a room has so many members that they are not told of each other's receipts (R4).
  func isBig(_ room: Int64) throws -> Bool {
    try audiences.members(of: room, in: database).count > limits.toldOfReceipts
  }
}

extension Membership {
  /// Throws where the room is no group.
  func requireGroup() throws(ChatError) {
    guard kind == .group else { throw .conflict("A direct chat has its two people, and nothing of its own to change.") }
  }

  /// Throws for who does not look after the room.
  func requireModerator() throws(ChatError) {
    try requireGroup()
    guard role.isModerator else { throw .forbidden("Owner and admins look after this group.") }
  }
}
