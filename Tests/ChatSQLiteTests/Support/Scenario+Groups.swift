import Chat
import TestSupport

@testable import ChatTesting

extension Scenario {
  /// Creating and changing groups, joining and leaving.
  mutating func group() -> Step {
    let groups = state.rooms.values.filter { $0.kind == .group }
    if groups.count < 2 || random.chance(6) { return createGroup() }
    let ((room, user), time, other) = (groupPlace(), time, anybody())
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      guard random.chance(25) else { return changeGroup(room, user) }
      let (room, user) = place()
      return linkRepository(room, user)
    case 1:
      let picture = random.chance(30) ? nil : picture()
      return Step("picture \(picture as Any) of \(room) by \(user)") {
        try await $0.setPicture(picture, of: room, by: user, at: time)
      }
    case 2..<6:
      let role = [nil, nil, nil, .member, .admin, .admin, .owner].randomElement(using: &random) ?? Room.Role?.none
      return Step("member \(other) \(role as Any) in \(room) by \(user)") {
        try await $0.setMember(other, in: room, role: role, by: user, at: time)
      }
    case 6:
      return Step("remove \(other) from \(room) by \(user)") {
        try await $0.removeMember(other, from: room, by: user, at: time)
      }
    case 7: return Step("leave \(room) by \(user)") { try await $0.leave(room, by: user, at: time) }
    case 8:
      return Step("ban \(other) from \(room) by \(user)") {
        try await $0.ban(other, from: room, by: user, at: time)
      }
    case 9:
      return Step("lift ban of \(other) from \(room) by \(user)") {
        try await $0.liftBan(of: other, from: room, by: user)
      }
    default: return Step("join \(room) by \(other)") { try await $0.join(room, by: other, at: time) }
    }
  }

  private mutating func createGroup() -> Step {
    let others = (0..<Int.random(in: 0...6, using: &random)).map { _ in anybody() }
    let group = NewGroup(
      id: newID(), makerID: somebody(), name: roomName(), topic: random.chance(50) ? "" : text(),
      isPublic: random.chance(50), memberIDs: others, createdAt: time)
    return Step("group \(group)") { try await $0.createGroup(group) }
  }

  private mutating func changeGroup(_ room: RoomID, _ user: UserID) -> Step {
    let change = GroupChange(
      name: random.chance(50) ? roomName() : nil, topic: random.chance(50) ? text() : nil,
      isPublic: random.chance(30) ? random.chance(50) : nil, repository: repository())
    let time = time
    return Step("\(change) of \(room) by \(user)") {
      try await $0.changeGroup(room, by: user, change, at: time)
    }
  }

  private mutating func repository() -> RepositoryName?? {
    guard random.chance(30) else { return nil }
    return .some(random.chance(70) ? RepositoryName("o/r\(Int.random(in: 0...2, using: &random))") : nil)
  }

  /// The only change for everyone that a direct chat has too.
  private mutating func linkRepository(_ room: RoomID, _ user: UserID) -> Step {
    let change = GroupChange(repository: .some(RepositoryName("o/r\(Int.random(in: 0...2, using: &random))")))
    let time = time
    return Step("\(change) of \(room) by \(user)") {
      try await $0.changeGroup(room, by: user, change, at: time)
    }
  }

  /// A group and one of its moderators, or now and then any room and anybody.
  private mutating func groupPlace() -> (room: RoomID, user: UserID) {
    let groups = state.rooms.values.filter { $0.kind == .group && !$0.members.isEmpty }.sorted { $0.id < $1.id }
    guard !random.chance(15), let group = groups.randomElement(using: &random) else { return place() }
    let moderators = group.members.filter { group.views[$0]?.role != .member }
    return (group.id, moderators.randomElement(using: &random) ?? somebody())
  }

  /// A person of any kind, including guests.
  private mutating func anybody() -> UserID {
    random.chance(3) ? id(7) : state.users.keys.sorted().randomElement(using: &random) ?? id(7)
  }

  private mutating func roomName() -> String {
    ["Engine", "engine room", "Zürich", "Ørsted", "_", "50 %"].randomElement(using: &random) ?? ""
  }
}

// MARK: Questions

extension Scenario {
  /// What outsiders can see of groups.
  mutating func groupFromOutside() -> Step {
    let user = anybody()
    if random.chance(40), let room = state.rooms.keys.sorted().randomElement(using: &random) {
      return Step("\(room) as \(user) may see it") { try await $0.visibleRoom(room, for: user) }
    }
    let query = ["", "engine", "ZÜR", "ø", "%", "_", "nothing"].randomElement(using: &random) ?? ""
    let limit = Int.random(in: 1...3, using: &random)
    return Step("public rooms \(query) for \(user) by \(limit)") { store in
      var (pages, cursor) = ([String](), PublicRoomCursor?.none)
      repeat {
        let page = try await store.publicRooms(matching: query, for: user, after: cursor, limit: limit)
        pages.append("\(page)")
        cursor = page.last.map { PublicRoomCursor(name: $0.name, id: $0.id) }
      } while cursor != nil
      return "\(pages)"
    }
  }

  /// What changed in a group, page by page.
  mutating func groupChanges() -> Step {
    let ((room, user), limit, isForward) = (groupPlace(), Int.random(in: 1...4, using: &random), random.chance(50))
    let date = time.adding(seconds: -Int64.random(in: 0...400, using: &random))
    return Step("changes of \(room) for \(user) by \(limit) at \(date)") { store in
      var (pages, range) = ([String](), RoomChangeRange?.some(isForward ? .after(.time(date)) : .newest))
      while let asked = range {
        let page = try await store.changes(in: room, for: user, asked, limit: limit).value
        pages.append("\(page)")
        range =
          isForward
          ? page.hasLater ? page.changes.last.map { .after(.change($0.id)) } : nil
          : page.hasEarlier ? page.changes.first.map { .before(.change($0.id)) } : nil
      }
      return "\(pages) \(try await store.changes(in: room, for: user, .before(.time(date)), limit: limit))"
    }
  }

  /// A group's members and bans, page by page.
  mutating func groupPeople() -> Step {
    let ((room, user), limit) = (groupPlace(), Int.random(in: 1...3, using: &random))
    if random.chance(30) {
      return Step("banned from \(room) for \(user) by \(limit)") { store in
        var (pages, cursor) = ([String](), UserCursor?.none)
        repeat {
          let page = try await store.bans(of: room, for: user, after: cursor, limit: limit)
          pages.append("\(page)")
          cursor = page.last.map { UserCursor(name: $0.name, id: $0.id) }
        } while cursor != nil
        return "\(pages)"
      }
    }
    return Step("members of \(room) for \(user) by \(limit)") { store in
      var (pages, cursor) = ([String](), MemberCursor?.none)
      repeat {
        let page = try await store.members(of: room, for: user, after: cursor, limit: limit)
        pages.append("\(page)")
        cursor = page.last.map { MemberCursor(role: $0.role, name: $0.user.name, id: $0.user.id) }
      } while cursor != nil
      return "\(pages) \(try await store.memberIDs(of: room, for: user).sorted())"
    }
  }
}
