import Chat

/// Search by inspecting each message.
extension InMemoryStore {
  func messages(
    matching query: SearchQuery, for user: UserID, after cursor: SearchCursor?, limit: Int
  ) async throws -> FoundMessages {
    try read { state throws(ChatError) in
      guard state.users[user] != nil else { throw .notFound }
      let senders = try query.senders.map { name throws(ChatError) in try people(name, user, state) }
      let mine = state.rooms.values.filter { $0.members.contains(user) }
      let rooms = try query.rooms.map { name throws(ChatError) in try self.rooms(name, user, mine, state) }
      guard query.asksForMessages else { return FoundMessages() }
      let scope = query.rooms.isEmpty ? Set(mine.map(\.id)) : Set(rooms.joined())
      let candidates = mine.filter { scope.contains($0.id) }.flatMap { visible($0, user, state) }
        .filter { message in
          message.deletedAt == nil && query.covers(message.createdAt)
            && (senders.isEmpty || senders.joined().contains(message.sender.id))
            && query.facts.isSubset(of: SearchFact.facts(of: message.text))
        }
        .sorted { ($0.createdAt, $0.roomID, $0.seq) > ($1.createdAt, $1.roomID, $1.seq) }
      var isByParts = false
      var found = candidates.filter { message in query.terms.allSatisfy { Self.has($0, message.text, false) } }
      if found.isEmpty, query.terms.contains(where: \.mayBePart) {
        isByParts = true
        found = candidates.filter { message in query.terms.allSatisfy { Self.has($0, message.text, true) } }
      }
      // A cursor is the number of hits left.
      let start = cursor.map { found.count - Int($0.number) } ?? 0
      let page = found.dropFirst(start).prefix(limit)
      let rest = found.count - start - page.count
      return FoundMessages(
        hits: page.map { message in
          FoundMessage(
            message: message,
            snippet: SearchSnippet.pieces(of: message.text, for: query, isByParts: isByParts),
            roomName: roomName(state.rooms[message.roomID], user, state),
            roomKind: .direct)
        },
        next: rest > 0 ? SearchCursor(number: Int64(rest), mode: isByParts ? .parts : .foundWords) : nil,
        isByParts: isByParts)
    }
  }

  func rooms(matching text: String, for user: UserID, limit: Int) async throws -> [Room] {
    let words = SearchTokenizer.words(of: text)
    guard !words.isEmpty else { return [] }
    let mine = try await rooms(of: user, after: nil, limit: .max).value
    return Array(
      mine.filter { room in
        let own = SearchTokenizer.tokens(of: room.name + " " + (room.peer?.login ?? "")).map(\.text)
        return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
      }.prefix(limit))
  }

  /// Whether a text contains a term, word by word.
  static func has(_ term: SearchQuery.Term, _ text: String, _ isByParts: Bool) -> Bool {
    let tokens = SearchTokenizer.tokens(of: text)
    let mayBePart = isByParts && term.mayBePart
    if term.tokens.count == 1 {
      let wanted = term.tokens[0]
      return tokens.contains { token in
        token.text == wanted || (!mayBePart && term.isPrefix && token.text.hasPrefix(wanted))
          || (mayBePart && !token.isPart && !token.text.hasPrefix("#") && token.text.contains(wanted))
      }
    }
    let words = tokens.filter { !$0.isPart }.map(\.text)
    guard words.count >= term.tokens.count else { return false }
    return (0...(words.count - term.tokens.count)).contains { start in
      term.tokens.indices.allSatisfy { index in
        let (word, wanted) = (words[start + index], term.tokens[index])
        if word == wanted { return true }
        if index == term.tokens.count - 1 { return (mayBePart || term.isPrefix) && word.hasPrefix(wanted) }
        return index == 0 && mayBePart && wanted.unicodeScalars.count >= 3 && word.hasSuffix(wanted)
      }
    }
  }

  private func people(_ name: SearchQuery.Name, _ asker: UserID, _ state: State) throws(ChatError) -> [UserID] {
    let text = String(name.text.drop { $0 == "@" }).lowercased()
    if text == "me" { return [asker] }
    if let id = UserID(name.text), state.users[id] != nil { return [id] }
    let users = state.users.values
    var found = users.filter { $0.login?.lowercased() == text || $0.name.lowercased() == text }
    if found.isEmpty {
      found = users.filter { user in
        let name = user.name.lowercased()
        return [name, name.split(separator: " ").joined(), user.login?.lowercased() ?? ""].contains {
          $0.hasPrefix(text)
        }
      }
    }
    guard !found.isEmpty else {
      throw .invalid([FieldError(field: name.field, code: "invalid", detail: "Nobody is called so.")])
    }
    return found.map(\.id)
  }

  private func rooms(
    _ name: SearchQuery.Name, _ user: UserID, _ mine: [StoredRoom], _ state: State
  ) throws(ChatError) -> [RoomID] {
    let wanted = SearchTokenizer.words(of: name.text)
    var found = mine.filter { $0.id.description == name.text.lowercased() }
    if found.isEmpty { found = mine.filter { SearchTokenizer.words(of: roomName($0, user, state)) == wanted } }
    if found.isEmpty {
      found = mine.filter { room in
        let peer = room.members.first { $0 != user }.flatMap { state.users[$0]?.login } ?? ""
        let own = SearchTokenizer.tokens(of: roomName(room, user, state) + " " + peer).map(\.text)
        return !wanted.isEmpty && wanted.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
      }
    }
    guard !found.isEmpty else {
      throw .invalid([FieldError(field: name.field, code: "invalid", detail: "No such room.")])
    }
    return found.map(\.id)
  }

  private func roomName(_ room: StoredRoom?, _ user: UserID, _ state: State) -> String {
    room?.members.first { $0 != user }.flatMap { state.users[$0]?.name } ?? ""
  }
}
