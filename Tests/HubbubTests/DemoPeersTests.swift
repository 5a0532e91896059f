import Base
import Chat
import ChatSQLite
import EventLoop
import Foundation
import HTTPServer
import Logging
import TestSupport
import Testing
import Web

@testable import hubbub

@Suite("Demo peers")
struct DemoPeersTests {
  @Test("a text is repeated twice: in one message if it fits, otherwise in two", .shows("X2"))
  func saidTwice() {
    #expect(DemoPeers.saidTwice("hello") == ["hello hello"])
    #expect(DemoPeers.saidTwice("two\nlines") == ["two\nlines\n\ntwo\nlines"])
    let long = String(repeating: "x", count: MessageRules.longestText - 1)
    #expect(DemoPeers.saidTwice(long) == [long, long])
  }

  @Test(
    "the two halves of a reply are drawn like the message", .shows("X2", "K5"),
    arguments: [
      ("# Title", "# Title\n\n# Title"), ("`open", "`open\n\n`open"), ("> quoted", "> quoted\n\n> quoted"),
      ("Look:\n- a\n- b", "Look:\n- a\n- b\n\nLook:\n- a\n- b"), ("| a |\n| - |", "| a |\n| - |\n\n| a |\n| - |"),
      ("```swift\na", "```swift\na\n```\n\n```swift\na"), ("~~~~\n```\n~~~", "~~~~\n```\n~~~\n~~~~\n\n~~~~\n```\n~~~"),
      ("```\na\n```", "```\na\n```\n\n```\na\n```"), ("- a\n- b", nil), ("1. a", nil), ("    code", nil),
      ("<!-- a", nil), ("see\n- ```\n  a", "see\n- ```\n  a\n\nsee\n- ```\n  a"), ("see\n- ```\n  a\n  ```", nil),
    ] as [(String, String?)])
  func drawnAlike(text: String, reply: String?) {
    #expect(DemoPeers.saidTwice(text) == (reply.map { [$0] } ?? [text, text]))
  }

  @Test("a fence that has to be closed counts towards the length of a reply", .shows("X2"))
  func closedWithinTheLimit() {
    let text = "```\n" + String(repeating: "x", count: (MessageRules.longestText - 14) / 2)
    let fits = DemoPeers.saidTwice(text)
    #expect(fits.count == 1 && fits[0].unicodeScalars.count == MessageRules.longestText)
    #expect(DemoPeers.saidTwice(text + "x") == [text + "x", text + "x"])
  }

  @Test("a peer is online, reads, types and replies to each message", .shows("X2"))
  func answers() async throws {
    let demo = try await Demo()
    defer { demo.end() }
    let (ada, room) = try await demo.begin()
    for text in ["one", "two"] {
      _ = try await demo.core.messages.send(text, in: room.id, by: ada, clientID: nil, replyTo: nil)
    }
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 4 }
    let page = try await demo.core.store.messages(in: room.id, for: ada, .newest(limit: 10)).value
    #expect(page.messages.filter { $0.sender.id != ada }.map(\.text) == ["one one", "two two"])
    let peer = try #require(room.peer)
    #expect(demo.core.presence(for: ada).isOnline(peer.id))
    let receipt = try await demo.core.store.receipts(in: room.id, for: ada).value.first { $0.userID == peer.id }
    #expect(receipt.map { $0.readSeq >= 2 } == true)
  }

  @Test("messages left unanswered by an earlier run are answered once, however often it restarts", .shows("X2", "H3"))
  func catchesUp() async throws {
    let demo = try await Demo(startsPeers: false)
    defer { demo.end() }
    let (ada, room) = try await demo.begin()
    for text in ["one", "two"] {
      _ = try await demo.core.messages.send(text, in: room.id, by: ada, clientID: nil, replyTo: nil)
    }
    for _ in 1...2 { demo.startPeers() }
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 4 }
    // The third message is answered after all earlier ones, so no further reply can follow.
    _ = try await demo.core.messages.send("three", in: room.id, by: ada, clientID: nil, replyTo: nil)
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 6 }
    let page = try await demo.core.store.messages(in: room.id, for: ada, .newest(limit: 10)).value
    #expect(page.messages.filter { $0.sender.id != ada }.map(\.text).sorted() == ["one one", "three three", "two two"])
  }

  @Test("in a group a peer replies if it is mentioned, or is the only other member", .shows("X2", "R1"))
  func groups() async throws {
    let demo = try await Demo()
    defer { demo.end() }
    let (ada, room) = try await demo.begin()
    let cat = try #require(room.peer).id
    let hubot = try #require(try await demo.core.rooms.openDirect(of: ada, withLogin: "hubot").room.peer).id
    let many = try await demo.core.groups.create(name: "Many", memberIDs: [cat, hubot], by: ada).room
    for text in ["hello all", "what about you, @hubot?"] {
      _ = try await demo.core.messages.send(text, in: many.id, by: ada)
    }
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 3 }
    let two = try await demo.core.groups.create(name: "Two", memberIDs: [cat], by: ada).room
    _ = try await demo.core.messages.send("just us", in: two.id, by: ada)
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 4 + 1 }
    _ = try await demo.core.messages.send("@hubot and @octocat!", in: many.id, by: ada)
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 6 + 2 }
    func answers(in room: RoomID) async throws -> [String] {
      let page = try await demo.core.store.messages(in: room, for: ada, .newest(limit: 20)).value
      return page.messages.filter { $0.sender.id != ada }
        .map { "\($0.sender.id == cat ? "octocat" : "hubot"): \($0.text)" }
    }
    #expect(try await answers(in: two.id) == ["octocat: just us just us"])
    let inMany = try await answers(in: many.id)
    #expect(inMany.first == "hubot: what about you, @hubot? what about you, @hubot?")
    let both = "@hubot and @octocat! @hubot and @octocat!"
    #expect(Set(inMany.dropFirst()) == ["hubot: \(both)", "octocat: \(both)"] && inMany.count == 3)
  }

  @Test("in a group a restart does not answer messages that were not addressed to a peer", .shows("X2"))
  func groupsCaughtUp() async throws {
    let demo = try await Demo(startsPeers: false)
    defer { demo.end() }
    let (ada, room) = try await demo.begin()
    let cat = try #require(room.peer).id
    let hubot = try #require(try await demo.core.rooms.openDirect(of: ada, withLogin: "hubot").room.peer).id
    let group = try await demo.core.groups.create(name: "Many", memberIDs: [cat, hubot], by: ada).room
    for text in ["hello all", "@octocat?"] { _ = try await demo.core.messages.send(text, in: group.id, by: ada) }
    demo.startPeers()
    await demo.events.wait { $0.filter { $0 == "message.created" }.count == 3 }
    let page = try await demo.core.store.messages(in: group.id, for: ada, .newest(limit: 20)).value
    #expect(page.messages.map(\.text) == ["hello all", "@octocat?", "@octocat? @octocat?"])
    #expect(page.messages.last?.sender.id == cat)
  }
}

/// A core with a real store, and peers that reply without delay.
private final class Demo: Sendable {
  let core: Core
  let events = EventNames()
  private let group: EventLoopGroup
  private let store: SQLiteStore
  private let folder: URL
  private let guests = GuestRegister()
  private let tasks = Lock<[Task<Void, Never>]>([])
  private let peers = Lock<[DemoPeers]>([])

  init(startsPeers: Bool = true) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "hubbub-demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    group = try EventLoopGroup(count: 1)
    group.start()
    let clock = SystemClock(loop: group.loops[0])
    let presence = Presence(clock: clock, alwaysOnline: { [guests] in guests.contains($0) })
    store = try SQLiteStore(path: folder.path() + "/hubbub.sqlite")
    let lanes = group.loops.map { LoopLane($0) }
    let broker = Broker(lanes: lanes, clock: clock, presence: presence, encode: EventFrame.encode)
    let directory = TwoAccounts()
    core = Core(
      store: store,
      accounts: Accounts(
        store: store, passwords: PlainPasswords(), secrets: SHA256Secrets(), presence: presence, clock: clock,
        onSessionEnded: { broker.endSession($0) }),
      rooms: Rooms(store: store, directory: directory, clock: clock), messages: Messages(store: store, clock: clock),
      receipts: Receipts(store: store), typing: Typing(store: store, broker: broker, clock: clock), presence: presence,
      broker: broker, lanes: lanes, directory: directory, news: NoGitHub(), things: NoGitHub(), allowances: nil,
      clock: clock)
    store.observeCommits { [events, peers] commit in
      events.note(commit.map(\.name))
      for peer in peers.withLock({ $0 }) { peer.notice(commit) }
    }
    if startsPeers { startPeers() }
  }

  func startPeers() {
    let demo = DemoPeers(core: core, guests: guests, pause: .milliseconds(1), logger: Logger(label: "test"))
    peers.withLock { $0.append(demo) }
    tasks.withLock { $0.append(Task { await demo.run() }) }
  }

  /// A person with an account, and their room with a GitHub account.
  func begin() async throws -> (UserID, Room) {
    let ada = try await core.accounts.signUp(
      email: "ada@example.com", password: "a long and private phrase", firstName: "Ada", lastName: "", userAgent: "",
      address: "127.0.0.1"
    ).ownUser.user.id
    return (ada, try await core.rooms.openDirect(of: ada, withLogin: "octocat").room)
  }

  func end() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
    store.close()
    group.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// The names of the events so far, with a way to wait for them.
private final class EventNames: Sendable {
  private typealias Waiter = (fits: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)
  private struct State {
    var names: [String] = []
    var waiters: [Waiter] = []
  }
  private let state = Lock(State())

  func note(_ names: [String]) {
    let ready = state.withLock { state in
      state.names += names
      let ready = state.waiters.filter { $0.fits(state.names) }
      state.waiters.removeAll { $0.fits(state.names) }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  func wait(until fits: @escaping @Sendable ([String]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if fits(state.names) { return true }
        state.waiters.append((fits, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

private struct TwoAccounts: Directory {
  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? { nil }
  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage { DirectoryPage(accounts: []) }
  func account(login: String) async throws -> GitHubAccount {
    GitHubAccount(
      id: login == "octocat" ? 583_231 : 480_938, login: login, type: "User",
      name: login == "octocat" ? "The Octocat" : "Hubot", avatarURL: "")
  }
  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    throw DirectoryFailure(kind: .notFound, message: "none")
  }
  func quota() -> GitHubQuota { GitHubQuota(asker: .anonymous) }
}

/// A GitHub without news or objects.
private struct NoGitHub: News, GitHubThings {
  func feed(for identity: GitHubAccount.Identity?) -> NewsFeed { .everybody }
  func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    NewsPage(items: [], hasMore: false, fetchedAt: nil, pollInterval: 60)
  }
  func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    try await page(of: feed, number: number, limit: limit)
  }
  func thing(at address: GitHubAddress) async throws -> GitHubAnswer<GitHubThing> {
    throw DirectoryFailure(kind: .notFound, message: "none")
  }
  func comments(on address: GitHubAddress) async throws -> GitHubAnswer<[GitHubComment]> {
    throw DirectoryFailure(kind: .notFound, message: "none")
  }
  func issues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]> {
    throw DirectoryFailure(kind: .notFound, message: "none")
  }
  func storedIssues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]>? { nil }
  func profile(of login: String) async throws -> GitHubAnswer<GitHubProfile> {
    throw DirectoryFailure(kind: .notFound, message: "none")
  }
  func requests(forCardsOf references: [String]) async throws -> Int { 0 }
  func cards(for references: [String]) async throws -> GitHubCards {
    GitHubCards(cards: references.map { _ in nil })
  }
}

private struct PlainPasswords: PasswordHashing {
  func hash(_ password: String, for client: String) async throws -> String { password }
  func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool { password == hash }
}
