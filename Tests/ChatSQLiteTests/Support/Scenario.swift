import Chat
import TestSupport

@testable import ChatTesting

/// Generates operations from a seed and the model's current state.
struct Scenario {
  var random: SeededRandom
  let model: InMemoryStore
  /// Advances with each step, so that times are in the order of events.
  var time = Timestamp(milliseconds: 1_800_000_000_000)
  private var lastID: UInt64 = 100
  /// Whether it is mostly about guests who join.
  var isAboutGuests = false

  init(seed: UInt64, model: InMemoryStore) {
    random = SeededRandom(seed: seed)
    self.model = model
  }

  /// The number of the newest id.
  var lastNumber: UInt64 { lastID }

  var state: InMemoryStore.State { model.state.value }

  mutating func newID<Subject>() -> ID<Subject> {
    lastID += 1
    return id(lastID)
  }

  /// A known person, or now and then an unknown one.
  mutating func somebody() -> UserID {
    random.chance(3) ? id(7) : state.accounts.keys.sorted().randomElement(using: &random) ?? id(7)
  }

  /// A room and one of its members, or now and then an outsider or an unknown room.
  mutating func place() -> (room: RoomID, user: UserID) {
    guard !random.chance(3), let room = state.rooms.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random)
    else { return (id(8), somebody()) }
    let user = random.chance(12) ? somebody() : room.members.randomElement(using: &random) ?? somebody()
    return (room.id, user)
  }

  /// A `seq` in a room, or one just outside the range.
  mutating func seq(in room: RoomID) -> Int {
    let count = state.rooms[room]?.messages.count ?? 0
    return Int.random(in: random.chance(15) ? -1...count + 2 : min(1, count)...count, using: &random)
  }

  mutating func text() -> String {
    let texts = ["Hello", "Grüße", "日本語", "\"quoted\" \\ back", "line\nbreak", "🙂 emoji", "</script>", "tab\there"]
    return (texts.randomElement(using: &random) ?? "") + " \(Int.random(in: 0..<50, using: &random))"
  }

  mutating func name() -> String {
    ["Ada", "ada", "Bob", "Zoë", "Ørsted", "bobby", "Éva"].randomElement(using: &random) ?? ""
  }

  /// An operation, and one or two queries.
  mutating func next() -> [Step] {
    time = time.adding(seconds: 1)
    var steps = [state.accounts.count < 4 ? createAccount() : operation()]
    for _ in 0..<2 { steps.append(question()) }
    return steps
  }

  private mutating func operation() -> Step {
    if isAboutGuests, random.chance(30) { return random.chance(60) ? guestChat() : gitHub() }
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<21: append()
    case 21..<26: edit()
    case 26..<31: delete()
    case 31..<35: profile()
    case 35..<43: moveReceipt()
    case 43..<46: markUnread()
    case 46..<49: setDraft()
    case 49..<52: rename()
    case 52..<57: openRoom()
    case 57..<59: createAccount()
    case 59..<61: lastSeen()
    case 61..<65: session()
    case 65..<68: person()
    case 68..<71: savePage()
    case 71..<76: invitation()
    case 76..<80: accept()
    case 80..<92: group()
    case 92..<95: gitHub()
    case 95..<98: guestChat()
    default: saveAccount()
    }
  }
}

// MARK: Operations

extension Scenario {
  private mutating func append() -> Step {
    if random.chance(25), let step = repeated() { return step }
    let (room, user) = place()
    let replyTo = random.chance(20) ? seq(in: room) : nil
    let message = NewMessage(
      roomID: room, senderID: user, clientID: newID(), text: text(), replyTo: replyTo, createdAt: time)
    return Step("append \(message)") { try await $0.append(message) }
  }

  /// A retry of an earlier message, unchanged or changed. Nothing comparable is stored of a deleted message.
  private mutating func repeated() -> Step? {
    let room = state.rooms.values.sorted { $0.id < $1.id }.randomElement(using: &random)
    guard let sent = room?.messages.randomElement(using: &random) else { return nil }
    var message = sent.sent
    message.createdAt = time
    if sent.message.deletedAt == nil, random.chance(40) { message.text = text() }
    if random.chance(15) { message.replyTo = message.replyTo == nil ? 1 : nil }
    if random.chance(15), let other = state.rooms.keys.sorted().randomElement(using: &random) { message.roomID = other }
    return Step("append again \(message)") { [message] in try await $0.append(message) }
  }

  private mutating func edit() -> Step {
    let ((room, user), time, text) = (place(), time, text())
    let seq = seq(in: room)
    return Step("edit \(seq) in \(room) by \(user)") {
      try await $0.edit(seq, in: room, by: user, text: text, at: time)
    }
  }

  private mutating func delete() -> Step {
    let ((room, user), time) = (place(), time)
    let seq = seq(in: room)
    return Step("delete \(seq) in \(room) by \(user)") { try await $0.delete(seq, in: room, by: user, at: time) }
  }

  private mutating func moveReceipt() -> Step {
    let (room, user) = place()
    let delivered = random.chance(60) ? seq(in: room) : nil
    let read = random.chance(60) ? seq(in: room) : nil
    return Step("receipt \(delivered as Any) \(read as Any) in \(room) of \(user)") {
      try await $0.moveReceipt(in: room, of: user, delivered: delivered, read: read)
    }
  }

  private mutating func markUnread() -> Step {
    let (room, user) = place()
    let seq = seq(in: room)
    return Step("unread from \(seq) in \(room) of \(user)") { try await $0.markUnread(in: room, of: user, from: seq) }
  }

  private mutating func setDraft() -> Step {
    let ((room, user), text) = (place(), random.chance(30) ? "" : text())
    return Step("draft in \(room) of \(user)") {
      try await $0.changeView(of: room, for: user, RoomViewChange(draft: text))
    }
  }

  private mutating func rename() -> Step {
    let (user, first, last) = (somebody(), name(), random.chance(50) ? "" : name())
    return Step("rename \(user) \(first) \(last)") {
      try await $0.changeProfile(of: user, ProfileChange(firstName: first, lastName: last))
    }
  }

  private mutating func openRoom() -> Step {
    let (user, room, time) = (somebody(), newID() as RoomID, time)
    let peer = state.users.keys.sorted().randomElement(using: &random) ?? user
    return Step("open \(user) \(peer)") { try await $0.openDirectRoom(of: user, with: peer, newID: room, at: time) }
  }

  private mutating func createAccount() -> Step {
    let number = random.chance(20) ? 101 : lastID + 1
    let account = NewAccount(
      id: newID(), email: "p\(number)@example.org", passwordHash: "hash \(number)", firstName: name(), lastName: "",
      createdAt: time, invitation: random.chance(30) ? token() : nil)
    return Step("account \(account)") { try await $0.createAccount(account) }
  }

  private mutating func lastSeen() -> Step {
    let (user, time) = (state.users.keys.sorted().randomElement(using: &random) ?? id(7), time)
    return Step("last seen \(user)") { try await $0.recordLastSeen(user, at: time) }
  }

  private mutating func session() -> Step {
    let (user, time) = (state.accounts.keys.sorted().randomElement(using: &random) ?? id(7), time)
    let known = state.sessions.keys.sorted().randomElement(using: &random)
    switch (Int.random(in: 0..<10, using: &random), known) {
    case (0..<2, let known?):
      return Step("end \(known) of \(user)") { try await $0.deleteSession(known, of: user) }
    case (2..<4, let known?):
      let time = time.adding(seconds: Int64.random(in: 0...7200, using: &random))
      return Step("use of \(known)") { try await $0.recordUse(of: known, at: time) }
    case (4, let known?):
      return Step("end others of \(user)") { try await $0.deleteSessions(of: user, except: known).sorted() }
    default:
      let hash = [UInt8](repeating: 0, count: 24) + withUnsafeBytes(of: lastID.bigEndian) { Array($0) }
      let session = Session(
        id: newID(), userID: user, secretHash: hash, createdAt: time,
        expiresAt: time.adding(seconds: Int64.random(in: 1...300, using: &random)), userAgent: "Browser")
      let password = random.chance(30) ? passwordHash(of: user) : nil
      return Step("session of \(user)") { try await $0.createSession(session, passwordHash: password) }
    }
  }

  /// One of a few GitHub accounts, with one of a few logins that change hands.
  mutating func account() -> GitHubAccount {
    GitHubAccount(
      id: Int64.random(in: 1...6, using: &random),
      login: ["octo", "Octo", "cat", "dog", "Hubot"].randomElement(using: &random) ?? "", type: "User",
      name: random.chance(40) ? name() : nil, avatarURL: "https://example.org/a.png")
  }

  private mutating func person() -> Step {
    let (account, user, time) = (account(), newID() as UserID, time)
    return Step("person \(account)") { try await $0.person(for: account, newID: user, at: time) }
  }

  private mutating func saveAccount() -> Step {
    let (account, time) = (account(), time)
    return Step("save \(account)") { try await $0.saveGitHubAccount(account, at: time) }
  }

  private mutating func savePage() -> Step {
    let (list, cursor, time) = (list(), random.chance(60) ? "" : "2", time)
    if random.chance(25) {
      return Step("confirm \(list) \(cursor)") { try await $0.confirmDirectoryPage(of: list, cursor: cursor, at: time) }
    }
    let accounts = (0..<Int.random(in: 0...4, using: &random)).map { _ in account() }
    let page = StoredDirectoryPage(
      list: list, cursor: cursor, accounts: accounts, next: random.chance(50) ? "2" : nil,
      etag: random.chance(50) ? "\"e\"" : nil, fetchedAt: time)
    return Step("page \(page)") { try await $0.saveDirectoryPage(page) }
  }

  mutating func list() -> DirectoryList {
    let lists: [DirectoryList] = [.users, .followers(of: "octo"), .members(of: "octo"), .search("o c")]
    return lists.randomElement(using: &random) ?? .users
  }
}
