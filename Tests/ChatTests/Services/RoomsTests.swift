import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Rooms, messages and receipts")
struct RoomsTests {
  private let store = InMemoryStore()
  private let clock = ManualClock()
  private let octocat = GitHubAccount(
    id: 583_231, login: "octocat", type: "User", name: "The Octocat", avatarURL: "https://avatars.example/583231")

  private func person(_ name: String) async throws -> UserID {
    let account = NewAccount(
      id: UserID(at: clock.now), email: name + "@example.org", passwordHash: "", firstName: name, lastName: "",
      createdAt: clock.now)
    return try await store.createAccount(account).user.id
  }

  private func rooms(_ directory: FixedDirectory = FixedDirectory()) -> Rooms {
    Rooms(store: store, directory: directory, clock: clock)
  }

  private var messages: Messages { Messages(store: store, clock: clock) }
  private var receipts: Receipts { Receipts(store: store) }

  private func fields(_ error: ChatError?) -> [String] {
    guard case .invalid(let errors) = error else { return [String(describing: error)] }
    return errors.map { $0.field + ":" + $0.code }
  }

  @Test("two people have one direct room, whoever opens it", .shows("D6", "L6"))
  func openDirect() async throws {
    let (ada, bob) = (try await person("Ada"), try await person("Bob"))
    let first = try await rooms().openDirect(of: ada, with: bob)
    #expect(first.isNew && first.room.peer?.id == bob && first.room.kind == .direct)
    #expect(try await store.events(after: 0, for: bob, limit: 9).events.isEmpty, "nobody has written yet")
    #expect(try await store.rooms(of: bob, after: nil, limit: 9).value.isEmpty)
    let again = try await rooms().openDirect(of: bob, with: ada)
    #expect(!again.isNew && again.room.id == first.room.id && again.room.peer?.id == ada)
    #expect(try await store.events(after: 0, for: bob, limit: 9).events.map(\.name) == ["room.created"])
  }

  @Test("a chat with oneself or an unknown person is refused")
  func oneself() async throws {
    let ada = try await person("Ada")
    let error = await #expect(throws: ChatError.self) { try await rooms().openDirect(of: ada, with: ada) }
    #expect(fields(error) == ["user_id:invalid"])
    await #expect(throws: ChatError.notFound) { try await rooms().openDirect(of: ada, with: id(5)) }
  }

  @Test("a GitHub user who never signed in can be written to, and is the same under a new login", .shows("D7"))
  func guests() async throws {
    let ada = try await person("Ada")
    let first = try await rooms(FixedDirectory(accounts: [octocat])).openDirect(of: ada, withLogin: " Octocat ")
    let peer = try #require(first.room.peer)
    #expect(first.isNew && !peer.isMember && peer.githubID == 583_231 && peer.name == "The Octocat")
    var renamed = octocat
    renamed.login = "monalisa"
    let again = try await rooms(FixedDirectory(accounts: [renamed])).openDirect(of: ada, withLogin: "monalisa")
    #expect(!again.isNew && again.room.id == first.room.id && again.room.peer?.login == "monalisa")
    // One's own GitHub account counts as oneself.
    let error = await #expect(throws: ChatError.self) {
      try await rooms(FixedDirectory(accounts: [octocat])).openDirect(of: peer.id, withLogin: "octocat")
    }
    #expect(fields(error) == ["github_login:invalid"])
  }

  @Test("a login that changed hands since it was read leads to the intended person, by GitHub's id", .shows("D7"))
  func loginOfAnother() async throws {
    let ada = try await person("Ada")
    var other = octocat
    other.id = 99
    try await store.saveGitHubAccount(octocat, at: clock.now)
    let directory = FixedDirectory(accounts: [other])
    let meant = try await rooms(directory).openDirect(of: ada, withLogin: "octocat", githubID: octocat.id)
    #expect(meant.room.peer?.githubID == octocat.id)
    let now = try await rooms(directory).openDirect(of: ada, withLogin: "octocat", githubID: 99)
    #expect(now.room.peer?.githubID == 99 && now.room.id != meant.room.id)
    await #expect(throws: ChatError.notFound) {
      try await rooms(directory).openDirect(of: ada, withLogin: "octocat", githubID: 7)
    }
  }

  @Test("an unknown login is not found; a GitHub failure is reported as such")
  func unknownLogin() async throws {
    let ada = try await person("Ada")
    await #expect(throws: ChatError.notFound) { try await rooms().openDirect(of: ada, withLogin: "nobody") }
    let failure = DirectoryFailure(kind: .unreachable, message: "no route")
    await #expect(throws: failure) {
      try await rooms(FixedDirectory(failure: failure)).openDirect(of: ada, withLogin: "nobody")
    }
    let error = await #expect(throws: ChatError.self) { try await rooms().openDirect(of: ada, withLogin: " ") }
    #expect(fields(error) == ["github_login:required"])
    let control = await #expect(throws: ChatError.self) { try await rooms().openDirect(of: ada, withLogin: "a\nb") }
    #expect(fields(control) == ["github_login:invalid"])
  }

  @Test("messages are numbered without gaps; a retry returns the original, a reused id is a conflict", .shows("S2"))
  func send() async throws {
    let (ada, bob) = (try await person("Ada"), try await person("Bob"))
    let room = try await rooms().openDirect(of: ada, with: bob).room.id
    let client: ClientMessageID = id(1)
    let first = try await messages.send("one\r\ntwo", in: room, by: ada, clientID: client)
    #expect(first.isNew && first.message.seq == 1 && first.message.text == "one\ntwo")
    let repeated = try await messages.send("one\ntwo", in: room, by: ada, clientID: client)
    #expect(!repeated.isNew && repeated.message == first.message)
    let error = await #expect(throws: ChatError.self) {
      try await messages.send("other", in: room, by: ada, clientID: client)
    }
    guard case .conflict = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try await messages.send("mine", in: room, by: bob, clientID: client).message.seq == 2)
    #expect(try await messages.send("x", in: room, by: ada, replyTo: 2).message.replyTo == 2)
    #expect(try await messages.send("x", in: room, by: ada).message.seq == 4)
    #expect(try await store.messages(in: room, for: bob, .newest(limit: 9)).value.messages.map(\.seq) == [1, 2, 3, 4])
  }

  @Test("errors in a message are reported at their field", .shows("S3"))
  func refusedMessages() async throws {
    let (ada, bob) = (try await person("Ada"), try await person("Bob"))
    let room = try await rooms().openDirect(of: ada, with: bob).room.id
    for (text, reply, expected) in [
      ("", nil, "text:required"), ("x", 0, "reply_to:invalid"), ("x", 1, "reply_to:invalid"),
    ] {
      let error = await #expect(throws: ChatError.self) {
        try await messages.send(text, in: room, by: ada, replyTo: reply)
      }
      #expect(fields(error) == [expected])
    }
  }

  @Test("everything is not found for an outsider", .shows("control 8"))
  func outsider() async throws {
    let (ada, bob, eve) = (try await person("Ada"), try await person("Bob"), try await person("Eve"))
    let room = try await rooms().openDirect(of: ada, with: bob).room.id
    _ = try await messages.send("secret", in: room, by: ada)
    #expect(try await store.rooms(of: eve, after: nil, limit: 9).value.isEmpty)
    await #expect(throws: ChatError.notFound) { try await messages.send("x", in: room, by: eve) }
    await #expect(throws: ChatError.notFound) { try await messages.edit(1, in: room, by: eve, text: "x") }
    await #expect(throws: ChatError.notFound) { try await messages.delete(1, in: room, by: eve) }
    await #expect(throws: ChatError.notFound) { try await receipts.move(in: room, of: eve, delivered: 1, read: nil) }
    await #expect(throws: ChatError.notFound) { try await receipts.markUnread(in: room, of: eve, from: 1) }
    #expect(try await store.events(after: 0, for: eve, limit: 9).events.isEmpty)
  }

  @Test("only one's own messages can be edited and deleted; a deleted one stays deleted", .shows("C7"))
  func editAndDelete() async throws {
    let (ada, bob) = (try await person("Ada"), try await person("Bob"))
    let room = try await rooms().openDirect(of: ada, with: bob).room.id
    _ = try await messages.send("canary", in: room, by: ada)
    #expect(try await messages.edit(1, in: room, by: ada, text: "canary 2").editedAt == clock.now)
    for attempt in [
      { try await messages.delete(1, in: room, by: bob) },
      { _ = try await messages.edit(1, in: room, by: bob, text: "x") },
    ] {
      let error = await #expect(throws: ChatError.self) { try await attempt() }
      guard case .forbidden = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
    try await messages.delete(1, in: room, by: ada)
    try await messages.delete(1, in: room, by: ada)
    let events = try await store.events(after: 0, for: bob, limit: 9).events
    #expect(events.map(\.name) == ["room.created", "message.created", "message.updated", "message.deleted"])
    #expect(!events.contains { String(decoding: $0.data, as: UTF8.self).contains("canary") })
    let error = await #expect(throws: ChatError.self) { try await messages.edit(1, in: room, by: ada, text: "x") }
    guard case .conflict = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test("pointers move forward and no further than the last message; reading implies delivery", .shows("S1", "S4"))
  func receiptsMove() async throws {
    let (ada, bob) = (try await person("Ada"), try await person("Bob"))
    let room = try await rooms().openDirect(of: ada, with: bob).room.id
    for _ in 0..<3 { _ = try await messages.send("x", in: room, by: ada) }
    #expect(try await receipts.move(in: room, of: bob, delivered: 2, read: nil).deliveredSeq == 2)
    let read = try await receipts.move(in: room, of: bob, delivered: 1, read: 99)
    #expect(read.deliveredSeq == 3 && read.readSeq == 3)
    #expect(try await receipts.move(in: room, of: bob, delivered: nil, read: 1) == read)
    #expect(try await store.room(room, for: bob).value.unreadCount == 0)
    #expect(try await receipts.markUnread(in: room, of: bob, from: 2).readSeq == 1)
    #expect(try await store.room(room, for: bob).value.unreadCount == 2)
    #expect(try await store.receipts(in: room, for: ada).value.first { $0.userID == ada }?.readSeq == 3)
  }

  @Test("missing or invalid pointers are reported at their field")
  func refusedReceipts() async throws {
    let neither = await #expect(throws: ChatError.self) {
      try await receipts.move(in: id(1), of: id(2), delivered: nil, read: nil)
    }
    #expect(fields(neither) == ["read_seq:required"])
    let negative = await #expect(throws: ChatError.self) {
      try await receipts.move(in: id(1), of: id(2), delivered: -1, read: -1)
    }
    #expect(fields(negative) == ["delivered_seq:invalid", "read_seq:invalid"])
    let zero = await #expect(throws: ChatError.self) { try await receipts.markUnread(in: id(1), of: id(2), from: 0) }
    #expect(fields(zero) == ["unread_from:invalid"])
  }
}
