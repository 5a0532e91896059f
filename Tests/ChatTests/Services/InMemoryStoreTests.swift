import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("The store's model")
struct InMemoryStoreTests {
  private let store = InMemoryStore()
  private let time = Timestamp(milliseconds: 1_800_000_000_000)

  private func person(_ number: UInt64, _ name: String) async throws -> UserID {
    try await store.createAccount(
      NewAccount(
        id: id(number), email: "\(name) \(number)", passwordHash: "", firstName: name, lastName: "", createdAt: time)
    ).user.id
  }

  @Test("pages through people and rooms by cursor without skipping ties")
  func cursors() async throws {
    let ada = try await person(1, "Ada")
    for number in 2...6 {
      let peer = try await person(UInt64(number), "Bob")
      _ = try await store.openDirectRoom(of: ada, with: peer, newID: id(UInt64(number)), at: time)
    }
    var people: [User] = []
    var rooms: [Room] = []
    for _ in 0..<3 {
      people += try await store.users(
        matching: "bo", after: people.last.map { UserCursor(name: $0.name, id: $0.id) }, limit: 2)
      rooms += try await store.rooms(
        of: ada, after: rooms.last.map(RoomCursor.init(after:)), limit: 2
      ).value
    }
    #expect(people.map(\.id) == [id(2), id(3), id(4), id(5), id(6)])
    #expect(rooms.map(\.id) == [id(6), id(5), id(4), id(3), id(2)])
  }

  @Test("returns each range of messages, ascending, and whether there are more on either side")
  func ranges() async throws {
    let (ada, bob) = (try await person(1, "Ada"), try await person(2, "Bob"))
    let room = try await store.openDirectRoom(of: ada, with: bob, newID: id(9), at: time).room.id
    for number in 1...9 {
      _ = try await store.append(
        NewMessage(
          roomID: room, senderID: ada, clientID: id(UInt64(number)), text: "x",
          createdAt: time.adding(seconds: Int64(number))))
    }
    let expected: [(MessageRange, [Int], Bool, Bool)] = [
      (.newest(limit: 3), [7, 8, 9], true, false), (.before(seq: 4, limit: 2), [2, 3], true, true),
      (.before(seq: 3, limit: 5), [1, 2], false, true), (.after(seq: 7, limit: 5), [8, 9], true, false),
      (.around(seq: 5, limit: 3), [4, 5, 6], true, true), (.around(seq: 9, limit: 3), [7, 8, 9], true, false),
      (.around(seq: 1, limit: 3), [1, 2, 3], false, true),
      (.on(date: time.adding(seconds: 5), limit: 1), [5], true, true),
      (.on(date: time.adding(seconds: 50), limit: 1), [9], true, false), (.after(seq: 9, limit: 5), [], true, false),
    ]
    for (range, seqs, hasEarlier, hasLater) in expected {
      let page = try await store.messages(in: room, for: bob, range).value
      #expect(
        page.messages.map(\.seq) == seqs && page.hasEarlier == hasEarlier && page.hasLater == hasLater, "\(range)")
    }
    #expect(try await store.message(3, in: room, for: bob).seq == 3)
    await #expect(throws: ChatError.notFound) { try await store.message(10, in: room, for: bob) }
  }

  @Test("a failed write changes nothing and publishes no events")
  func atomicity() async throws {
    let ada = try await person(1, "Ada")
    let commits = Box(0)
    store.observeCommits { _ in commits.update { $0 += 1 } }
    await #expect(throws: ChatError.notFound) {
      try await store.openDirectRoom(of: ada, with: id(8), newID: id(9), at: time)
    }
    #expect(commits.value == 0)
    #expect(try await store.lastEventID() == 0)
    await #expect(throws: ChatError.notFound) {
      try await store.changeView(of: id(9), for: ada, RoomViewChange(draft: "d"))
    }
  }

  @Test("stores the draft for its author's devices only", .shows("K3"))
  func draft() async throws {
    let (ada, bob) = (try await person(1, "Ada"), try await person(2, "Bob"))
    let room = try await store.openDirectRoom(of: ada, with: bob, newID: id(9), at: time).room.id
    try await store.changeView(of: room, for: ada, RoomViewChange(draft: "not yet"))
    #expect(try await store.room(room, for: ada).value.draft == "not yet")
    #expect(try await store.room(room, for: bob).value.draft.isEmpty)
    #expect(try await store.events(after: 0, for: bob, limit: 9).events.isEmpty, "nor has anything been written")
  }

  @Test("stores the directory's pages with the people here, and the newest owner of a login", .shows("D5", "D7"))
  func directory() async throws {
    let old = GitHubAccount(id: 1, login: "Octocat", type: "User", avatarURL: "a")
    let page = StoredDirectoryPage(
      list: .users, cursor: "", accounts: [old], next: "1", etag: "\"e\"", fetchedAt: time)
    try await store.saveDirectoryPage(page)
    let guest = try await store.person(for: old, newID: id(7), at: time)
    try await store.confirmDirectoryPage(of: .users, cursor: "", at: time.adding(seconds: 9))
    let stored = try #require(try await store.directoryPage(of: .users, cursor: ""))
    #expect(stored.accounts.first?.userID == guest.id && stored.accounts.first?.isMember == false)
    #expect(stored.fetchedAt == time.adding(seconds: 9) && stored.next == "1" && stored.etag == "\"e\"")
    #expect(try await store.directoryPage(of: .followers(of: "octocat"), cursor: "") == nil)
    try await store.saveGitHubAccount(GitHubAccount(id: 2, login: "octoCAT", type: "User", avatarURL: "b"), at: time)
    #expect(try await store.githubAccount(login: "OCTOCAT")?.id == 2)
    #expect(try await store.githubAccount(id: 1)?.login == "Octocat")
  }
}
