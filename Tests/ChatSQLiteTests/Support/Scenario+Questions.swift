import Chat
import TestSupport

@testable import ChatTesting

extension Scenario {
  /// A query for both stores.
  mutating func question() -> Step {
    switch Int.random(in: 0..<15, using: &random) {
    case 0..<3: messages()
    case 3: oneMessage()
    case 4: oneRoom()
    case 5: rooms()
    case 6: people()
    case 7: events()
    case 8: signedIn()
    case 9: invitations()
    case 10: profiles()
    case 11: groupFromOutside()
    case 12: groupPeople()
    case 13: groupChanges()
    default: directory()
    }
  }

  private mutating func messages() -> Step {
    let (room, user) = place()
    let (seq, limit) = (seq(in: room), Int.random(in: 1...8, using: &random))
    let date = time.adding(seconds: -Int64.random(in: -2...400, using: &random))
    var ranges: [MessageRange] = [
      .newest(limit: limit), .before(seq: seq, limit: limit), .after(seq: seq, limit: limit),
      .around(seq: seq, limit: limit),
    ]
    // If waiting messages were appended to a chat, a time can occur at more than one place.
    let times = (state.rooms[room]?.messages ?? []).map(\.message.createdAt)
    if times == times.sorted() { ranges.append(.on(date: date, limit: limit)) }
    let range = ranges.randomElement(using: &random) ?? .newest(limit: 1)
    return Step("messages \(range) in \(room) for \(user)") { try await $0.messages(in: room, for: user, range) }
  }

  private mutating func oneMessage() -> Step {
    let (room, user) = place()
    let seq = seq(in: room)
    return Step("message \(seq) in \(room) for \(user)") { try await $0.message(seq, in: room, for: user) }
  }

  private mutating func oneRoom() -> Step {
    let (room, user) = place()
    return Step("room \(room) for \(user)") { store in
      let view = try await store.room(room, for: user)
      let receipts = try await store.receipts(in: room, for: user)
      return "\(view) \(receipts) \(try await store.members(of: room, for: user))"
    }
  }

  private mutating func rooms() -> Step {
    let user = state.users.keys.sorted().randomElement(using: &random) ?? id(7)
    let limit = Int.random(in: 1...3, using: &random)
    return Step("rooms of \(user) by \(limit)") { store in
      var (pages, cursor) = ([String](), RoomCursor?.none)
      repeat {
        let page = try await store.rooms(of: user, after: cursor, limit: limit)
        pages.append("\(page)")
        cursor = page.value.last.map(RoomCursor.init(after:))
      } while cursor != nil
      return pages
    }
  }

  private mutating func people() -> Step {
    let query = ["", "a", "BO", "zoë", "ø", "octo", "nobody", "%", "_"].randomElement(using: &random) ?? ""
    let limit = Int.random(in: 1...4, using: &random)
    let some = state.users.keys.sorted().filter { _ in random.chance(50) } + [id(7)]
    let ids = random.chance(30) ? some : nil
    return Step("people \(query) by \(limit) among \(ids as Any)") { store in
      var (found, cursor) = (["\(try await store.guests(limit: limit))"], UserCursor?.none)
      repeat {
        let page = try await store.users(matching: query, among: ids, after: cursor, limit: limit)
        found.append("\(page)")
        cursor = page.last.map { UserCursor(name: $0.name, id: $0.id) }
      } while cursor != nil
      return found
    }
  }

  private mutating func events() -> Step {
    // The model replays to anybody, because the broker's tests create no people.
    guard let user = state.users.keys.sorted().randomElement(using: &random) else { return people() }
    let after = EventID.random(in: 0...state.lastEventID, using: &random)
    let limit = Int.random(in: 1...20, using: &random)
    return Step("events after \(after) for \(user), \(limit)") { store in
      // A guest may have been merged since.
      guard try await store.user(user) != nil else { return "nobody" }
      let replay = try await store.events(after: after, for: user, limit: limit)
      return "\(replay.events.map(describe)) \(replay.readTo) \(replay.reachesBack) \(try await store.lastEventID())"
    }
  }

  private mutating func signedIn() -> Step {
    let (user, time) = (somebody(), time)
    let secret = state.sessions.values.map(\.secretHash).min { $0.lexicographicallyPrecedes($1) } ?? []
    let email = state.accounts[user]?.email ?? "nobody@example.org"
    return Step("own \(user)") { store in
      let own = try await store.ownUser(user)
      let sessions = try await store.sessions(of: user, at: time)
      let session = try await store.session(secretHash: secret, at: time)
      let credentials = [try await store.credentials(email: email), try await store.credentials(of: user)]
      return "\(own as Any) \(sessions) \(session as Any) \(credentials) \(try await store.user(user) as Any)"
    }
  }

  private mutating func directory() -> Step {
    let (list, login) = (list(), ["OCTO", "cat", "dog", "hubot", "none"].randomElement(using: &random) ?? "")
    let github = Int64.random(in: 1...7, using: &random)
    return Step("directory \(list) \(login) \(github)") { store in
      let pages = [
        try await store.directoryPage(of: list, cursor: ""), try await store.directoryPage(of: list, cursor: "2"),
      ]
      return "\(pages) \(try await store.githubAccount(login: login) as Any) "
        + "\(try await store.githubAccount(id: github) as Any)"
    }
  }

  /// All queries for all people.
  mutating func everything() -> [Step] {
    var steps: [Step] = []
    for user in state.users.keys.sorted() {
      steps.append(Step("user \(user)") { try await $0.user(user) })
      steps.append(Step("all rooms of \(user)") { try await $0.rooms(of: user, after: nil, limit: 1000) })
      steps.append(
        Step("all events for \(user)") { store in
          let replay = try await store.events(after: 0, for: user, limit: 100_000)
          return "\(replay.events.map(describe)) \(replay.readTo) \(replay.reachesBack)"
        })
      for room in state.rooms.keys.sorted() {
        steps.append(
          Step("\(room) banned, for \(user)") { try await $0.bans(of: room, for: user, after: nil, limit: 99) })
        steps.append(Step("\(room) visible to \(user)") { try await $0.visibleRoom(room, for: user) })
        steps.append(
          Step("\(room) for \(user)") { store in
            let view = try await store.room(room, for: user)
            let page = try await store.messages(in: room, for: user, .newest(limit: 200))
            let receipts = try await store.receipts(in: room, for: user)
            let changes = try await store.changes(in: room, for: user, .newest, limit: 200)
            return "\(view) \(page) \(receipts) \(changes) \(try await store.members(of: room, for: user))"
          })
      }
    }
    steps.append(Step("all accounts") { try await $0.accounts() })
    steps.append(Step("all people") { try await $0.users(matching: "", after: nil, limit: 1000) })
    steps.append(Step("all guests") { try await $0.guests(limit: 1000) })
    return steps
  }
}
