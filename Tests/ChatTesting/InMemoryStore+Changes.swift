import Chat

extension InMemoryStore {
  func changes(
    in room: RoomID, for user: UserID, _ range: RoomChangeRange, limit: Int
  ) async throws -> Snapshot<RoomChangePage> {
    try read { state throws(ChatError) in
      let known = try stored(room, user, state)
      let seen = known.changes.filter { $0.id > known.views[user]?.clearedChange ?? 0 }
      let found =
        switch range {
        case .newest: seen.suffix(limit)
        case .before(.change(let id)): seen.filter { $0.id < id }.suffix(limit)
        case .before(.time(let time)): seen.filter { $0.at < time }.suffix(limit)
        case .after(.change(let id)): seen.filter { $0.id > id }.prefix(limit)
        case .after(.time(let time)): seen.filter { $0.at > time }.prefix(limit)
        }
      let page = RoomChangePage(
        changes: found.compactMap { change($0, in: room, state) },
        hasEarlier: found.first.map { $0.id > seen[0].id } ?? false,
        hasLater: found.last.map { $0.id < seen[seen.count - 1].id } ?? false)
      return Snapshot(value: page, eventID: state.lastEventID)
    }
  }

  /// Puts a line into a group's log.
  func note(
    _ kind: RoomChange.Kind, _ id: RoomID, by actor: UserID, of user: UserID? = nil, text: String? = nil,
    messageSeq: Int? = nil, at time: Timestamp, _ state: inout State
  ) {
    guard let room = state.rooms[id] else { return }
    let stored = StoredChange(
      id: state.lastEventID + 1, at: time, kind: kind, by: actor, user: user, text: text, messageSeq: messageSeq)
    state.rooms[id]?.changes = Array((room.changes + [stored]).suffix(mostChanges))
    if let change = change(stored, in: id, state) { log(.roomChanged(change), to: .members(id, room.members), &state) }
  }

  private func change(_ stored: StoredChange, in room: RoomID, _ state: State) -> RoomChange? {
    guard let by = state.users[stored.by] else { return nil }
    return RoomChange(
      id: stored.id, roomID: room, at: stored.at, kind: stored.kind, by: Face(by),
      user: stored.user.flatMap { state.users[$0] }.map { Face($0) }, text: stored.text, messageSeq: stored.messageSeq)
  }
}
