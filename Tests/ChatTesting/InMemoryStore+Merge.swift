import Chat

/// Merges a guest into an account: room by room, message by message.
extension InMemoryStore {
  func merge(_ guest: UserID, into person: UserID, _ state: inout State) throws(ChatError) {
    for id in state.rooms.keys.sorted() { rename(guest, person, in: id, &state) }
    for (id, known) in state.invitations where known.invitation.inviter?.id == guest {
      state.invitations[id]?.invitation.inviter = state.users[person]
    }
    let rooms = state.rooms.values.filter { $0.members.contains(guest) }.sorted { $0.id < $1.id }
    for room in rooms {
      if room.kind == .group {
        try mergeGroup(room.id, guest, person, &state)
      } else if let peer = room.members.first(where: { $0 != guest }) {
        try mergeChat(room.id, guest, person, peer, &state)
      }
    }
    for id in state.rooms.keys where state.rooms[id]?.bans.remove(guest) != nil {
      if state.rooms[id]?.members.contains(person) == false { state.rooms[id]?.bans.insert(person) }
    }
    forget(&state) { entry in entry.logged.audience == .user(guest) }
    state.users[guest] = nil
  }

  /// Replaces the guest as sender, in mentions and in reactions.
  private func rename(_ guest: UserID, _ person: UserID, in id: RoomID, _ state: inout State) {
    guard var room = state.rooms[id], let user = state.users[person] else { return }
    func renamed(_ id: UserID) -> UserID { id == guest ? person : id }
    for index in room.messages.indices {
      var stored = room.messages[index]
      if stored.message.sender.id == guest { stored.message.sender = Face(user) }
      if stored.message.forwardedFrom?.id == guest { stored.message.forwardedFrom = Face(user) }
      stored.sent.senderID = renamed(stored.sent.senderID)
      stored.message.mentions = Set(stored.message.mentions.map(renamed)).subtracting(
        stored.message.sender.id == person ? [person] : []
      ).sorted()
      let own = Set(stored.reactions.filter { $0.user == person }.map(\.emoji))
      stored.reactions = stored.reactions.filter { $0.user != guest || !own.contains($0.emoji) }
        .map { ($0.emoji, renamed($0.user), $0.event) }
      room.messages[index] = stored
    }
    room.pins = room.pins.map { ($0.seq, $0.at, renamed($0.by), $0.event) }
    for index in room.changes.indices {
      room.changes[index].by = renamed(room.changes[index].by)
      room.changes[index].user = room.changes[index].user.map(renamed)
    }
    state.rooms[id] = room
  }

  private func mergeGroup(
    _ id: RoomID, _ guest: UserID, _ person: UserID, _ state: inout State
  ) throws(ChatError) {
    guard let room = state.rooms[id], var view = room.views[guest], let receipt = room.receipts[guest] else { return }
    state.rooms[id]?.members.removeAll { $0 == guest }
    state.rooms[id]?.views[guest] = nil
    state.rooms[id]?.receipts[guest] = nil
    tell(guest, nil, id, &state)
    if let present = room.views[person] {
      state.rooms[id]?.views[person]?.hidden.formUnion(view.hidden)
      if view.role.outranks(present.role) { set(view.role, of: person, id, &state) }
    } else if room.bans.contains(person) {
      if view.role == .owner { succeed(id, &state) }
    } else {
      view.joinedEvent = state.lastEventID + 1
      view.isHidden = false
      state.rooms[id]?.members.append(person)
      state.rooms[id]?.views[person] = view
      state.rooms[id]?.receipts[person] = Receipt(
        roomID: id, userID: person, deliveredSeq: receipt.deliveredSeq, readSeq: receipt.readSeq)
      log(.roomCreated(try self.view(try stored(id, person, state), person, state)), to: .user(person), &state)
      tell(person, view.role, id, &state)
    }
  }

  private func mergeChat(
    _ id: RoomID, _ guest: UserID, _ person: UserID, _ peer: UserID, _ state: inout State
  ) throws(ChatError) {
    if peer == person {
      try tellGone(id, to: person, now: nil, &state)
      remove(id, &state)
    } else if let present = state.rooms.values.first(where: {
      $0.kind == .direct && $0.members.contains(person) && $0.members.contains(peer)
    }) {
      try append(id, to: present.id, guest, person, peer, &state)
    } else {
      state.rooms[id]?.members = [person, peer]
      var view = state.rooms[id]?.views.removeValue(forKey: guest) ?? RoomView()
      let receipt = state.rooms[id]?.receipts.removeValue(forKey: guest)
      (view.joinedEvent, view.isHidden) = (state.lastEventID + 1, state.rooms[id]?.messages.isEmpty == true)
      state.rooms[id]?.views[person] = view
      state.rooms[id]?.receipts[person] = Receipt(
        roomID: id, userID: person, deliveredSeq: receipt?.deliveredSeq ?? 0, readSeq: receipt?.readSeq ?? 0)
      if !view.isHidden {
        log(.roomCreated(try self.view(try stored(id, person, state), person, state)), to: .user(person), &state)
      }
      let seen = try self.view(try stored(id, peer, state), peer, state)
      if !seen.isHidden { log(.roomUpdated(seen), to: .user(peer), &state) }
    }
  }

  private func append(
    _ old: RoomID, to new: RoomID, _ guest: UserID, _ person: UserID, _ peer: UserID, _ state: inout State
  ) throws(ChatError) {
    guard let from = state.rooms[old] else { return }
    try tellGone(old, to: peer, now: state.users[person], &state)
    var shown: [UserID] = []
    if !visible(from, guest, state).isEmpty { shown.append(person) }
    if !visible(from, peer, state).isEmpty { shown.append(peer) }
    try showAgain(new, to: shown, &state)
    guard var room = state.rooms[new] else { return }
    let last = room.messages.count
    for (member, reader) in [(guest, person), (peer, peer)] { move(member, reader, from, &room, last) }
    for var stored in from.messages {
      stored.message.roomID = new
      stored.message.seq += last
      stored.message.replyTo = stored.message.replyTo.map { $0 + last }
      stored.sent.roomID = new
      stored.sent.replyTo = stored.sent.replyTo.map { $0 + last }
      room.messages.append(stored)
    }
    let moved = from.pins.map { (seq: $0.seq + last, at: $0.at, by: $0.by, event: $0.event) }
    room.pins = Array((room.pins + moved).sorted { $0.event > $1.event }.prefix(MessageRules.mostPins))
    if !from.messages.isEmpty {
      room.updatedAt = max(room.updatedAt, from.updatedAt)
      room.position = state.lastEventID + 1
    }
    state.rooms[new] = room
    remove(old, &state)
    try tell(new, above: last, [person, peer], &state)
  }

  /// Transfers one person's view of the old chat.
  private func move(
    _ member: UserID, _ reader: UserID, _ from: StoredRoom, _ room: inout StoredRoom, _ last: Int
  ) {
    let was = from.views[member] ?? RoomView()
    var view = room.views[reader] ?? RoomView()
    let cleared = from.messages.map(\.message.seq).filter { $0 <= was.clearedSeq }
    view.hidden.formUnion((cleared + was.hidden).map { $0 + last })
    view.isPinned = view.isPinned || was.isPinned
    if view.draft.isEmpty {
      view.draft = was.draft
    } else if !was.draft.isEmpty {
      view.draft += "\n" + was.draft
    }
    if let old = from.receipts[member], var receipt = room.receipts[reader] {
      let hasReadAll = max(receipt.readSeq, view.clearedSeq) >= last
      if old.deliveredSeq > 0, receipt.deliveredSeq >= last { receipt.deliveredSeq = last + old.deliveredSeq }
      if old.readSeq > 0, hasReadAll { receipt.readSeq = last + old.readSeq }
      receipt.deliveredSeq = max(receipt.deliveredSeq, receipt.readSeq)
      room.receipts[reader] = receipt
    }
    room.views[reader] = view
  }

  private func tell(
    _ id: RoomID, above last: Int, _ readers: [UserID], _ state: inout State
  ) throws(ChatError) {
    guard let room = state.rooms[id] else { return }
    for stored in room.messages.dropFirst(last) {
      log(
        .messageCreated(withoutMarks(fresh(stored, room, readers[0], state))), to: .members(id, room.members), &state)
    }
    var counts: [String: Int] = [:]
    let reactions = room.messages.dropFirst(last).flatMap { stored in
      stored.reactions.map { (seq: stored.message.seq, $0.emoji, $0.user, $0.event) }
    }
    for (seq, emoji, user, _) in reactions.sorted(by: { $0.3 < $1.3 }) {
      counts["\(seq) \(emoji)", default: 0] += 1
      let address = MessageAddress(roomID: id, seq: seq)
      let count = counts["\(seq) \(emoji)"] ?? 0
      log(
        .reactionChanged(address, emoji: emoji, userID: user, isAdded: true, count: count),
        to: .members(id, room.members), &state)
    }
    for pin in room.pins.filter({ $0.seq > last }).reversed() {
      let address = MessageAddress(roomID: id, seq: pin.seq)
      log(.pinChanged(address, userID: pin.by, pinnedAt: pin.at), to: .members(id, room.members), &state)
    }
    for reader in readers.sorted() where room.views[reader]?.isHidden != true {
      log(.roomUpdated(try view(room, reader, state)), to: .user(reader), &state)
    }
  }

  private func tellGone(
    _ id: RoomID, to reader: UserID, now: User?, _ state: inout State
  ) throws(ChatError) {
    var seen = try view(try stored(id, reader, state), reader, state)
    guard !seen.isHidden else { return }
    if let now { (seen.peer, seen.name) = (now, now.name) }
    logGone(seen, to: reader, &state)
  }

  /// Removes the room and the events about its messages.
  private func remove(_ id: RoomID, _ state: inout State) {
    state.rooms[id] = nil
    forget(&state) { entry in
      if case .members(id, _) = entry.logged.audience { return true }
      switch entry.event {
      case .roomCreated(let room), .roomUpdated(let room), .roomRemoved(let room, _):
        return room.id == id && room.lastMessage != nil
      default: return false
      }
    }
  }

  /// Removes events from the log; numbers are not reused.
  private func forget(_ state: inout State, _ isGone: (LogEntry) -> Bool) {
    for index in state.log.indices where isGone(state.log[index]) {
      state.log[index].event = nil
      state.log[index].logged.audience = .members(RoomID(high: 0, low: 0), [])
    }
  }
}
