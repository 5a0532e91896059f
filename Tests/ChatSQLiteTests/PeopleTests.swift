import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("People, sessions and the directory")
struct PeopleTests {
  @Test("the first account is the admin; a taken address is recognised in any case", .shows("A2", "A3"))
  func accounts() async throws {
    let chat = try await Chatroom()
    let own = try #require(try await chat.store.ownUser(chat.ada))
    #expect(own.isAdmin && own.email == "ada@example.org")
    #expect(try await chat.store.ownUser(chat.bob)?.isAdmin == false)
    #expect(try await chat.store.ownUser(id(66)) == nil)
    #expect(try await chat.store.credentials(email: "ADA@example.org")?.userID == chat.ada)
    #expect(try await chat.store.credentials(email: "nobody@example.org") == nil)
    do {
      _ = try await chat.store.createAccount(
        NewAccount(
          id: id(50), email: "Ada@Example.org", passwordHash: "", firstName: "X", lastName: "",
          createdAt: Chatroom.start))
      Issue.record("The address was free.")
    } catch ChatError.invalid(let fields) {
      #expect(fields.map(\.field) == ["email"] && fields.map(\.code) == ["taken"])
    }
    #expect(try await chat.store.user(id(50)) == nil)
  }

  @Test("everything about an unknown person is not found")
  func unknown() async throws {
    let chat = try await Chatroom()
    let nobody: UserID = id(66)
    let session = Session(
      id: id(1), userID: nobody, secretHash: [UInt8](repeating: 1, count: 32), createdAt: Chatroom.start,
      expiresAt: Chatroom.start, userAgent: "")
    let asked: [@Sendable () async throws -> Void] = [
      { _ = try await chat.store.changeProfile(of: nobody, ProfileChange(firstName: "A", lastName: "")) },
      { try await chat.store.createSession(session) },
      { _ = try await chat.store.rooms(of: nobody, after: nil, limit: 9) },
      { _ = try await chat.store.openDirectRoom(of: chat.ada, with: nobody, newID: id(88), at: Chatroom.start) },
    ]
    for ask in asked { await #expect(throws: ChatError.notFound) { try await ask() } }
    await #expect(throws: ChatError.self) {
      try await chat.store.openDirectRoom(of: chat.ada, with: chat.ada, newID: id(88), at: Chatroom.start)
    }
  }

  @Test("two people have one direct room, whoever opens it, even concurrently", .shows("D6"))
  func directRoom() async throws {
    let chat = try await Chatroom()
    let opened = (0..<8).map { number in
      queued {
        let (user, peer) = number % 2 == 0 ? (chat.bob, chat.eve) : (chat.eve, chat.bob)
        return try await chat.store.openDirectRoom(
          of: user, with: peer, newID: id(UInt64(200 + number)), at: Chatroom.start)
      }
    }
    var results: [(room: Room, isNew: Bool)] = []
    for task in opened { results.append(try await task.value) }
    #expect(Set(results.map(\.room.id)).count == 1)
    #expect(results.filter(\.isNew).count == 1)
    #expect(results[0].room.peer?.id == chat.eve && results[1].room.peer?.id == chat.bob)
    #expect(try await chat.told(chat.eve).map(\.name) == ["room.created"])
  }

  @Test(
    "a session is found by its secret's hash until it expires, and only its owner can end it", .shows("A5"))
  func sessions() async throws {
    let chat = try await Chatroom()
    let start = Chatroom.start
    for number in 1...3 as ClosedRange<UInt64> {
      try await chat.store.createSession(
        Session(
          id: id(number), userID: chat.ada, secretHash: [UInt8](repeating: UInt8(number), count: 32), createdAt: start,
          expiresAt: start.adding(seconds: Int64(10 * number)), userAgent: "Browser \(number)"))
    }
    let hash = [UInt8](repeating: 1, count: 32)
    #expect(try await chat.store.session(secretHash: hash, at: start.adding(seconds: 10))?.userAgent == "Browser 1")
    #expect(try await chat.store.session(secretHash: hash, at: start.adding(seconds: 11)) == nil)
    #expect(try await chat.store.sessions(of: chat.ada, at: start.adding(seconds: 11)).map(\.id) == [id(3), id(2)])
    #expect(try await !chat.store.deleteSession(id(2), of: chat.bob))
    #expect(try await chat.store.deleteSession(id(2), of: chat.ada))
    #expect(try await !chat.store.deleteSession(id(2), of: chat.ada))
    #expect(try await chat.store.deleteSessions(of: chat.ada, except: id(3)) == [id(1)])
    #expect(try await chat.store.sessions(of: chat.ada, at: start).map(\.id) == [id(3)])
  }

  @Test("guests are the people without an account, oldest first, up to the limit", .shows("D7"))
  func guests() async throws {
    let chat = try await Chatroom()
    for number in 1...3 as ClosedRange<Int64> {
      let account = GitHubAccount(id: number, login: "octo\(number)", type: "User", avatarURL: "a")
      let guest = try await chat.store.person(for: account, newID: id(UInt64(100 + number)), at: Chatroom.start)
      #expect(!guest.isMember && guest.firstName == "octo\(number)" && guest.githubID == number)
    }
    #expect(try await chat.store.guests(limit: 2).map(\.id) == [id(101), id(102)])
    #expect(try await chat.store.guests(limit: 99).count == 3)
    #expect(try await chat.store.guests(limit: -1).isEmpty)
    _ = try await chat.store.openDirectRoom(of: chat.ada, with: id(102), newID: id(60), at: Chatroom.start)
    let before = try await chat.store.lastEventID()
    let renamed = GitHubAccount(id: 2, login: "Hubot", type: "User", name: "Hugh Bot", avatarURL: "a")
    let same = try await chat.store.person(for: renamed, newID: id(300), at: Chatroom.start)
    #expect(same.id == id(102) && same.login == "Hubot" && same.firstName == "Hugh Bot")
    // Only who has written to them is told: nobody else knows of them.
    #expect(try await chat.told(chat.ada, after: before).map(\.name) == ["user.updated"])
    #expect(try await chat.told(chat.eve).isEmpty)
    let found = try await chat.store.users(matching: "hubot", after: nil, limit: 9)
    #expect(found.isEmpty)
  }

  @Test("a login that changed hands leads to its new owner; the former account is still found by id", .shows("D5"))
  func loginChangesHands() async throws {
    let chat = try await Chatroom()
    let (old, new) = (
      GitHubAccount(id: 1, login: "Octocat", type: "User", name: "Octo", avatarURL: "a"),
      GitHubAccount(id: 2, login: "octoCAT", type: "User", avatarURL: "b")
    )
    let guest = try await chat.store.person(for: old, newID: id(100), at: Chatroom.start)
    try await chat.store.saveGitHubAccount(new, at: Chatroom.start)
    #expect(try await chat.store.githubAccount(login: "OCTOCAT")?.id == 2)
    #expect(try await chat.store.githubAccount(id: 1)?.userID == guest.id)
    let other = try await chat.store.person(for: new, newID: id(101), at: Chatroom.start)
    #expect(other.login == "octoCAT")
    #expect(try await chat.store.user(guest.id)?.login == nil)
  }

  @Test("a page is replaced as a whole, in GitHub's order, and confirmed without being stored again", .shows("D5"))
  func pages() async throws {
    let chat = try await Chatroom()
    let accounts = (1...3).map { GitHubAccount(id: Int64($0), login: "u\($0)", type: "User", avatarURL: "a") }
    var page = StoredDirectoryPage(
      list: .followers(of: "Octocat"), cursor: "", accounts: accounts, next: "2", etag: "\"1\"",
      fetchedAt: Chatroom.start)
    try await chat.store.saveDirectoryPage(page)
    page.accounts = [accounts[2], accounts[0]]
    (page.next, page.etag) = (nil, "\"2\"")
    try await chat.store.saveDirectoryPage(page)
    let later = Chatroom.start.adding(seconds: 60)
    try await chat.store.confirmDirectoryPage(of: .followers(of: "OCTOCAT"), cursor: "", at: later)
    let stored = try #require(try await chat.store.directoryPage(of: .followers(of: "octocat"), cursor: ""))
    #expect(stored.accounts.map(\.id) == [3, 1])
    #expect(stored.next == nil && stored.etag == "\"2\"" && stored.fetchedAt == later)
    #expect(try await chat.store.directoryPage(of: .following(of: "octocat"), cursor: "") == nil)
    #expect(try await chat.store.directoryPage(of: .followers(of: "octocat"), cursor: "2") == nil)
  }

  @Test("cached values are read again after each commit that changed them")
  func readAgain() async throws {
    let chat = try await Chatroom()
    let account = GitHubAccount(id: 7, login: "seven", type: "User", avatarURL: "a")
    let page = StoredDirectoryPage(
      list: .users, cursor: "", accounts: [account], next: nil, etag: nil, fetchedAt: Chatroom.start)
    try await chat.store.saveDirectoryPage(page)
    func shown() async throws -> UserID? {
      try await chat.store.directoryPage(of: .users, cursor: "")?.accounts.first?.userID
    }
    #expect(try await shown() == nil)
    let guest = try await chat.store.person(for: account, newID: id(70), at: Chatroom.start)
    #expect(try await shown() == guest.id)

    let before = try #require(try await chat.store.ownUser(chat.ada))
    #expect(before.language == nil && before.user.lastSeenAt == nil && before.hasPassword)
    _ = try await chat.store.changeProfile(of: chat.ada, ProfileChange(language: "de"))
    #expect(try await chat.store.ownUser(chat.ada)?.language == "de")
    try await chat.store.recordLastSeen(chat.ada, at: Chatroom.start)
    #expect(try await chat.store.ownUser(chat.ada)?.user.lastSeenAt == Chatroom.start)
  }

  @Test("nobody sees a commit's events beside cached values from before it", .shows("A4"))
  func noOldNamesBesideNewEvents() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    func shown() async throws -> (name: String?, eventID: EventID) {
      let page = try await chat.store.messages(in: chat.room, for: chat.bob, .newest(limit: 1))
      return (page.value.messages.first?.sender.name, page.eventID)
    }
    _ = try await chat.store.append(chat.message(1))
    let before = try await shown()
    gate.isClosedBehind.value = true
    let renaming = queued {
      try await chat.store.changeProfile(of: chat.ada, ProfileChange(firstName: "Augusta", lastName: "King"))
    }
    await gate.untilHeld()
    let meanwhile = try await shown()
    #expect(meanwhile.eventID > before.eventID)
    #expect(meanwhile.name == "Augusta King")
    gate.open()
    _ = try await renaming.value
    #expect(try await shown().name == "Augusta King")
  }

  @Test("a former login leads to its account until somebody else has it", .shows("D1"))
  func formerLogins() async throws {
    let chat = try await Chatroom()
    func save(_ id: Int64, _ login: String) async throws {
      let account = GitHubAccount(id: id, login: login, type: "User", avatarURL: "a")
      try await chat.store.saveGitHubAccount(account, at: Chatroom.start)
    }
    try await save(1, "Before")
    #expect(try await chat.store.githubAccount(formerLogin: "before") == nil)
    try await save(1, "After")
    #expect(try await chat.store.githubAccount(formerLogin: "BEFORE")?.login == "After")
    #expect(try await chat.store.githubAccount(login: "before") == nil)
    try await save(2, "before")
    #expect(try await chat.store.githubAccount(login: "Before")?.id == 2)
    try await save(2, "other")
    #expect(try await chat.store.githubAccount(formerLogin: "before")?.id == 2, "whoever had it last")
  }

  @Test("a page knows when its list last changed, not when it was last confirmed", .shows("D5"))
  func listChange() async throws {
    let chat = try await Chatroom()
    let accounts = (1...3).map { GitHubAccount(id: Int64($0), login: "u\($0)", type: "User", avatarURL: "a") }
    func save(_ cursor: String, _ accounts: [GitHubAccount], after seconds: Int64) async throws {
      try await chat.store.saveDirectoryPage(
        StoredDirectoryPage(
          list: .followers(of: "Octocat"), cursor: cursor, accounts: accounts, next: nil, etag: nil,
          fetchedAt: Chatroom.start.adding(seconds: seconds)))
    }
    func change(_ cursor: String) async throws -> Timestamp? {
      try #require(try await chat.store.directoryPage(of: .followers(of: "octocat"), cursor: cursor)).listChangedAt
    }
    try await save("2", accounts, after: 0)
    #expect(try await change("2") == nil)
    try await save("", accounts, after: 10)
    #expect(try await change("2") == Chatroom.start.adding(seconds: 10))
    try await save("", accounts, after: 20)
    #expect(try await change("") == Chatroom.start.adding(seconds: 10))
    try await save("", accounts.reversed(), after: 30)
    #expect(try await change("2") == Chatroom.start.adding(seconds: 30))
  }

  @Test("GitHub's stored lists are bounded, in total and per list; the oldest pages are removed first", .shows("D5"))
  func bounded() async throws {
    var limits = StoreLimits()
    limits.directoryPages = 6
    limits.directoryPagesOfList = 4
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.database, limits: limits)
    var time = Chatroom.start
    func save(_ login: String, _ page: Int64) async throws {
      time = time.adding(seconds: 1)
      let accounts = (0..<3).map {
        GitHubAccount(
          id: page * 3 + $0 + Int64(login.utf8.count) * 1000, login: "\(login)\(page)-\($0)", type: "User",
          avatarURL: "a")
      }
      try await store.saveDirectoryPage(
        StoredDirectoryPage(
          list: .followers(of: login), cursor: page == 1 ? "" : "\(page)", accounts: accounts, next: "\(page + 1)",
          etag: nil, fetchedAt: time))
    }
    func there() async throws -> String {
      var there: [String] = []
      for (login, pages) in [("aa", 5), ("b", 1), ("ccc", 3)] {
        for page in 1...pages {
          let cursor = page == 1 ? "" : "\(page)"
          let stored = try await store.directoryPage(of: .followers(of: login), cursor: cursor)
          if stored != nil { there.append("\(login)\(page)") }
        }
      }
      return there.joined(separator: " ")
    }
    // One person here is on a page that will be removed.
    try await save("b", 1)
    let guest = try #require(try await store.githubAccount(login: "b1-0"))
    _ = try await store.person(for: guest, newID: id(7), at: time)
    // Another is the actor of a news item.
    let item = NewsItem(
      id: "1", type: "WatchEvent", actor: try #require(try await store.githubAccount(login: "b1-2")),
      subject: NewsSubject(kind: .repository), url: "https://github.com/o/r", createdAt: time)
    let feed = StoredNewsFeed(owner: 1, etag: nil, deeper: nil, pollInterval: 60, fetchedAt: time)
    _ = try await store.saveNews([item], feed, bounds: NewsBounds())
    for page in 1...5 { try await save("aa", Int64(page)) }
    #expect(try await there() == "aa2 aa3 aa4 aa5 b1", "its own oldest")
    #expect(try await store.githubAccount(login: "aa1-0") == nil, "accounts leave with their page")
    try await save("ccc", 1)
    try await store.confirmDirectoryPage(of: .followers(of: "aa"), cursor: "2", at: time.adding(seconds: 9))
    try await save("ccc", 2)
    #expect(try await there() == "aa2 aa3 aa4 aa5 ccc1 ccc2", "the oldest of all")
    #expect(try await store.githubAccount(login: "b1-0")?.userID == id(7), "people here stay")
    #expect(try await store.githubAccount(login: "b1-2") != nil, "and who is in the news")
    #expect(try await store.githubAccount(login: "b1-1") == nil)
    try await save("ccc", 3)
    #expect(try await there() == "aa2 aa4 aa5 ccc1 ccc2 ccc3", "what was confirmed last is younger")
  }
}
