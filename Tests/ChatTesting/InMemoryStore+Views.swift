import Chat

extension InMemoryStore {
  @discardableResult
  func changeView(of room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      let before = try view(known, user, state)
      var changed = known.views[user] ?? RoomView()
      changed.isMuted = change.isMuted ?? changed.isMuted
      changed.isPinned = change.isPinned ?? changed.isPinned
      changed.mentionLevel = change.mentionLevel ?? changed.mentionLevel
      state.rooms[room]?.views[user] = changed
      let after = try view(try stored(room, user, state), user, state)
      if after != before { log(.roomUpdated(after), to: .user(user), &state) }
      if let draft = change.draft, draft != changed.draft {
        state.rooms[room]?.views[user]?.draft = draft
        log(.draftUpdated(roomID: room, draft: draft), to: .user(user), &state)
      }
      return try view(try stored(room, user, state), user, state)
    }
  }

  func clear(_ room: RoomID, for user: UserID) async throws {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      let before = known.views[user] ?? RoomView()
      guard before.clearedSeq < known.messages.count || before.clearedChange < known.changes.last?.id ?? 0 else {
        return
      }
      empty(room, user, known.messages.count, &state)
      log(.roomUpdated(try view(try stored(room, user, state), user, state)), to: .user(user), &state)
    }
  }

  func hide(_ room: RoomID, for user: UserID) async throws {
    try write { state throws(ChatError) in
      let known = try stored(room, user, state)
      guard known.views[user]?.isHidden != true else { return }
      empty(room, user, known.messages.count, &state)
      state.rooms[room]?.views[user]?.isHidden = true
      state.rooms[room]?.views[user]?.isPinned = false
      state.rooms[room]?.views[user]?.draft = ""
      logGone(try view(try stored(room, user, state), user, state), to: user, &state)
    }
  }

  func hideMessage(_ address: MessageAddress, for user: UserID) async throws {
    try write { state throws(ChatError) in
      _ = try message(address.seq, address.roomID, user, state)
      state.rooms[address.roomID]?.views[user, default: RoomView()].hidden.insert(address.seq)
      log(.messageHidden(address), to: .user(user), &state)
    }
  }

  func react(to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool) async throws {
    try write { state throws(ChatError) in
      let message = try message(address.seq, address.roomID, user, state)
      let room = try stored(address.roomID, user, state)
      var reactions = room.messages[address.seq - 1].reactions
      guard reactions.contains(where: { $0.emoji == emoji && $0.user == user }) != isAdded else { return }
      if isAdded {
        guard message.deletedAt == nil else { throw .conflict("The message is deleted.") }
        guard Set(reactions.map(\.emoji)).subtracting([emoji]).count < MessageRules.mostEmoji else {
          throw .conflict("A message has at most \(MessageRules.mostEmoji) different reactions.")
        }
        reactions.append((emoji, user, state.lastEventID + 1))
      } else {
        reactions.removeAll { $0.emoji == emoji && $0.user == user }
      }
      state.rooms[address.roomID]?.messages[address.seq - 1].reactions = reactions
      let count = reactions.filter { $0.emoji == emoji }.count
      let event = Event.reactionChanged(address, emoji: emoji, userID: user, isAdded: isAdded, count: count)
      log(event, to: .members(room.id, room.members), &state)
    }
  }

  func reactions(to address: MessageAddress, for user: UserID) async throws -> [(emoji: String, users: [User])] {
    try read { state throws(ChatError) in
      _ = try message(address.seq, address.roomID, user, state)
      let all = try stored(address.roomID, user, state).messages[address.seq - 1].reactions
      var emoji: [String] = []
      for reaction in all where !emoji.contains(reaction.emoji) { emoji.append(reaction.emoji) }
      return emoji.map { emoji in (emoji, all.filter { $0.emoji == emoji }.compactMap { state.users[$0.user] }) }
    }
  }

  func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) async throws {
    try write { state throws(ChatError) in
      let message = try message(address.seq, address.roomID, user, state)
      let room = try stored(address.roomID, user, state)
      guard room.kind == .direct || (room.views[user]?.role ?? .member) != .member else {
        throw .forbidden("Only the owner and admins can pin messages in this group.")
      }
      guard room.pins.contains(where: { $0.seq == address.seq }) != isAdded else { return }
      if isAdded {
        guard message.deletedAt == nil, room.pins.count < MessageRules.mostPins else { throw .conflict("") }
        let event = state.lastEventID + 1
        state.rooms[room.id]?.pins.insert((address.seq, time, user, event), at: 0)
      } else {
        state.rooms[room.id]?.pins.removeAll { $0.seq == address.seq }
      }
      log(
        .pinChanged(address, userID: user, pinnedAt: isAdded ? time : nil), to: .members(room.id, room.members),
        &state)
      if room.kind == .group {
        note(isAdded ? .pinned : .unpinned, room.id, by: user, messageSeq: address.seq, at: time, &state)
      }
    }
  }

  func pins(in room: RoomID, for user: UserID) async throws -> [Message] {
    try read { state throws(ChatError) in
      let known = try stored(room, user, state)
      let seen = visible(known, user, state)
      return known.pins.compactMap { pin in seen.first { $0.seq == pin.seq } }
    }
  }

  private func empty(_ room: RoomID, _ user: UserID, _ seq: Int, _ state: inout State) {
    state.rooms[room]?.views[user, default: RoomView()].clearedSeq = seq
    let lastChange = state.rooms[room]?.changes.last?.id ?? 0
    state.rooms[room]?.views[user]?.clearedChange = lastChange
    state.rooms[room]?.views[user]?.hidden = []
  }
}
