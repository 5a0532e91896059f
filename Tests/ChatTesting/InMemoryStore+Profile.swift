import Chat

extension InMemoryStore {
  func picture(_ id: PictureID) async throws -> Picture? {
    try read { state throws(ChatError) in state.pictures[id] }
  }

  func setPicture(_ picture: Picture?, of user: UserID) async throws -> OwnUser {
    try write { state throws(ChatError) in
      let before = try account(user, state).user.picture
      guard before != picture?.id else { return try ownUser(user, state) }
      if let picture { state.pictures[picture.id] = picture }
      state.users[user]?.picture = picture?.id
      if let before { dropUnused(before, &state) }
      let own = try ownUser(user, state)
      log(.userUpdated(own.user), to: .everyone, &state)
      return own
    }
  }

  func credentials(of user: UserID) async throws -> Credentials? {
    try read { state throws(ChatError) in
      state.accounts[user]?.passwordHash.map { Credentials(userID: user, passwordHash: $0) }
    }
  }

  func setEmail(_ email: String, of user: UserID, passwordHash: String) async throws -> OwnUser {
    try write { state throws(ChatError) in
      let before = try account(user, state).email
      try requirePassword(passwordHash, user, state)
      guard before != email else { return try ownUser(user, state) }
      guard !state.accounts.values.contains(where: { $0.id != user && $0.email == email }) else {
        throw .invalid([FieldError(field: "email", code: "taken", detail: "This address has an account.")])
      }
      state.accounts[user]?.email = email
      return try logOwn(user, &state)
    }
  }

  func setPassword(
    _ hash: String, of user: UserID, replacing former: String?, keeping kept: SessionID?
  ) async throws -> [SessionID] {
    try write { state throws(ChatError) in
      _ = try account(user, state)
      if let former { try requirePassword(former, user, state) }
      state.accounts[user]?.passwordHash = hash
      let ended = state.sessions.values.filter { $0.userID == user && $0.id != kept }.map(\.id).sorted()
      for id in ended { state.sessions[id] = nil }
      return ended
    }
  }

  func changeProfile(of user: UserID, _ change: ProfileChange) async throws -> Snapshot<OwnUser> {
    try write { state throws(ChatError) in
      let former = try account(user, state)
      let own = change.applied(to: former)
      if own.user.handle != former.user.handle { try take(own.user.handle, user, &state) }
      if (own.user.firstName, own.user.lastName) != (former.user.firstName, former.user.lastName) {
        state.accounts[user]?.followsGitHub = false
      }
      if own.user != former.user {
        state.users[user] = own.user
        log(.userUpdated(own.user), to: .everyone, &state)
      }
      if (own.settings, own.language) != (former.settings, former.language) {
        (state.settings[user], state.languages[user]) = (own.settings, own.language)
        _ = try logOwn(user, &state)
      }
      return Snapshot(value: try ownUser(user, state), eventID: state.lastEventID)
    }
  }

  func privateUsers() async throws -> Snapshot<[UserID: UserSettings]> {
    try read { state throws(ChatError) in
      let hiding = state.settings.filter { !$0.value.readReceipts || !$0.value.lastSeen }
      let shown = hiding.mapValues { UserSettings(readReceipts: $0.readReceipts, lastSeen: $0.lastSeen) }
      return Snapshot(value: shown, eventID: state.lastEventID)
    }
  }

  func recordUse(of session: SessionID, at time: Timestamp) async throws {
    try write { state throws(ChatError) in
      guard let known = state.sessions[session],
        known.lastUsedAt.adding(seconds: AccountRules.sessionUseInterval) <= time
      else { return }
      state.sessions[session]?.lastUsedAt = time
    }
  }

  func accounts() async throws -> [OwnUser] {
    try read { state throws(ChatError) in
      var all: [OwnUser] = []
      for id in state.accounts.keys.sorted() { all.append(try ownUser(id, state)) }
      return all
    }
  }

  func requirePassword(_ hash: String, _ user: UserID, _ state: State) throws(ChatError) {
    guard state.accounts[user]?.passwordHash == hash else { throw .unauthenticated }
  }

  /// Logs a receipt: for the whole room, or for each member what they may see if somebody hides what they have read.
  func logReceipt(_ receipt: Receipt, _ before: Receipt, _ room: StoredRoom, _ state: inout State) {
    if room.members.count > mostToldOfReceipts {
      // In a large room it goes only to the person's own devices.
      return log(.receiptUpdated(receipt), to: .user(receipt.userID), &state)
    }
    let isLate = receipt != receipt.toOthers(joinedSeq: room.views[receipt.userID]?.joinedSeq ?? 0)
    guard isLate || room.members.contains(where: { !showsReading($0, state) }) else {
      return log(.receiptUpdated(receipt), to: .members(room.id, room.members), &state)
    }
    for reader in room.members.sorted() {
      let seen = shown(receipt, in: room, to: reader, state)
      guard seen != shown(before, in: room, to: reader, state) else { continue }
      log(.receiptUpdated(seen), to: .user(reader), &state)
    }
  }

  /// A receipt as `viewer` sees it: as if nothing were read if one of the two hides it, and as if messages from before
  /// a member joined were not received.
  func shown(_ receipt: Receipt, in room: StoredRoom, to viewer: UserID, _ state: State) -> Receipt {
    guard viewer != receipt.userID else { return receipt }
    var receipt = receipt.toOthers(joinedSeq: room.views[receipt.userID]?.joinedSeq ?? 0)
    if !showsReading(viewer, state) || !showsReading(receipt.userID, state) { receipt.readSeq = 0 }
    return receipt
  }

  private func showsReading(_ user: UserID, _ state: State) -> Bool { state.settings[user]?.readReceipts ?? true }

  func account(_ user: UserID, _ state: State) throws(ChatError) -> OwnUser {
    guard state.accounts[user] != nil else { throw .notFound }
    return try ownUser(user, state)
  }

  func logOwn(_ user: UserID, _ state: inout State) throws(ChatError) -> OwnUser {
    let own = try ownUser(user, state)
    log(.meUpdated(own), to: .user(user), &state)
    return own
  }
}
