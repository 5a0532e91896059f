import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

/// One device of a person: the state of a client that loaded it once and then only follows events.
struct ModelDevice {
  struct KnownMessage: Equatable {
    var sender: String
    var text: String
    var isDeleted: Bool
    var mentions: Set<String>
    var reactions: [String: Int] = [:]
    var mine: Set<String> = []
    var isPinned = false
  }

  struct KnownRoom: Equatable {
    var room: JSONValue {
      didSet { role = room["role"] }
    }
    var role: JSONValue?
    var messages: [Int: KnownMessage] = [:]
    var hidden: Set<Int> = []
    var lastSeq = 0
    var read = 0
    var draft = ""
    var receipts: [String: Receipt] = [:]

    struct Receipt: Equatable {
      var delivered: Int
      var read: Int
    }
  }

  let person: Person
  private(set) var rooms: [String: KnownRoom] = [:]
  private var position = 0

  init(_ person: Person) {
    self.person = person
  }

  /// Loads the whole state again.
  mutating func load() async throws {
    let list = try await person.get("/rooms?limit=200")
    position = Int(list.fields["hubbub-event-id"] ?? "") ?? 0
    rooms = [:]
    for room in try list.json().array { try await load(room) }
  }

  private mutating func load(_ room: JSONValue) async throws {
    let id = try #require(room["id"]?.text)
    var known = KnownRoom(room: room, role: room["role"])
    known.lastSeq = room["last_seq"]?.integer ?? 0
    known.read = room["read_seq"]?.integer ?? 0
    known.draft = room["draft"]?.text ?? ""
    var path: String? = "/rooms/\(id)/messages?limit=200"
    while let next = path {
      let page = try await person.get(next)
      // A person who is no longer a member is notified by the next event.
      guard page.status == .ok else { return }
      for message in try page.json().array { known.put(message, isMine: isMine) }
      path = page.link("prev").map { String($0.dropFirst("/api/v1".count)) }
    }
    for receipt in try await person.get("/rooms/\(id)/receipts").json().array { known.put(receipt: receipt) }
    rooms[id] = known
  }

  private func isMine(_ id: String?) -> Bool { id == person.id.description }

  /// Reads pending events, in pieces, and applies them.
  mutating func follow() async throws -> [String] {
    var names: [String] = []
    while true {
      let answer = try await person.get("/sync?after=\(position)").json()
      let events = answer["events"]?.array ?? []
      try #require(answer["reset"]?.flag == false)
      for event in events {
        let id = try #require(event["id"]?.integer)
        try #require(id > position, "ids only grow")
        position = id
        let name = event["event"]?.text ?? ""
        names.append(name)
        try await apply(name, event["data"] ?? .null)
      }
      if events.isEmpty { return names }
    }
  }

  private mutating func apply(_ name: String, _ data: JSONValue) async throws {
    let id = data["room_id"]?.text ?? data["id"]?.text ?? ""
    let isMine: (String?) -> Bool = { [id = person.id.description] in $0 == id }
    switch name {
    case "room.created": try await load(data)
    case "room.removed": rooms[id] = nil
    case "room.updated": rooms[id]?.update(data)
    case "message.created":
      let seq = data["seq"]?.integer ?? 0
      if let last = rooms[id]?.lastSeq { try #require(seq <= last + 1, "no gap in \(id)") }
      rooms[id]?.put(message: data, by: isMine(data["sender"]?["id"]?.text))
    case "message.updated", "message.deleted":
      // A missing number is one that this person has hidden.
      if rooms[id]?.messages[data["seq"]?.integer ?? 0] != nil { rooms[id]?.put(data, isMine: isMine) }
    case "message.hidden": rooms[id]?.hide(data["seq"]?.integer ?? 0)
    case "reaction.added", "reaction.removed":
      rooms[id]?.react(data, isAdded: name == "reaction.added", isMine: isMine(data["user_id"]?.text))
    case "pin.added", "pin.removed": rooms[id]?.messages[data["seq"]?.integer ?? 0]?.isPinned = name == "pin.added"
    case "receipt.updated":
      rooms[id]?.put(receipt: data)
      if isMine(data["user_id"]?.text) { rooms[id]?.read = data["read_seq"]?.integer ?? 0 }
    case "member.updated":
      let user = data["user"]?["id"]?.text ?? ""
      rooms[id]?.change(member: user, role: data["role"] ?? .null, isMine: isMine(user))
    case "draft.updated": rooms[id]?.draft = data["draft"]?.text ?? ""
    default: break
    }
  }
}

extension ModelDevice.KnownRoom {
  /// Stores a whole room as its reader sees it, and drops cleared messages.
  mutating func update(_ room: JSONValue) {
    self.room = room
    let cleared = room["cleared_seq"]?.integer ?? 0
    messages = messages.filter { $0.key > cleared }
    hidden = hidden.filter { $0 > cleared }
  }

  mutating func put(message: JSONValue, by isMine: Bool) {
    let seq = message["seq"]?.integer ?? 0
    lastSeq = max(lastSeq, seq)
    // Sending right behind one's pointer moves it, without an event of its own.
    let moved = { (pointer: Int) in pointer == seq - 1 ? seq : pointer }
    if isMine { read = moved(read) }
    if let sender = message["sender"]?["id"]?.text {
      receipts[sender] = receipts[sender].map { Receipt(delivered: moved($0.delivered), read: moved($0.read)) }
    }
    put(message) { _ in false }
  }

  mutating func put(_ message: JSONValue, isMine: (String?) -> Bool) {
    let seq = message["seq"]?.integer ?? 0
    guard seq > room["cleared_seq"]?.integer ?? 0, !hidden.contains(seq) else { return }
    var known = ModelDevice.KnownMessage(
      sender: message["sender"]?["id"]?.text ?? "", text: message["text"]?.text ?? "",
      isDeleted: message["deleted_at"] != .null, mentions: Set((message["mentions"]?.array ?? []).compactMap(\.text)))
    if known.isDeleted {
      messages[seq] = known
      return
    }
    if let before = messages[seq] {
      (known.reactions, known.mine, known.isPinned) = (before.reactions, before.mine, before.isPinned)
    }
    for reaction in message["reactions"]?.array ?? [] {
      let emoji = reaction["emoji"]?.text ?? ""
      known.reactions[emoji] = reaction["count"]?.integer
      if reaction["mine"]?.flag == true { known.mine.insert(emoji) }
    }
    if message["pinned_at"] != nil { known.isPinned = true }
    messages[seq] = known
  }

  mutating func hide(_ seq: Int) {
    hidden.insert(seq)
    messages[seq] = nil
  }

  mutating func react(_ data: JSONValue, isAdded: Bool, isMine: Bool) {
    let (seq, emoji) = (data["seq"]?.integer ?? 0, data["emoji"]?.text ?? "")
    let count = data["count"]?.integer ?? 0
    guard messages[seq]?.isDeleted == false else { return }
    messages[seq]?.reactions[emoji] = count == 0 ? nil : count
    guard isMine else { return }
    if isAdded { messages[seq]?.mine.insert(emoji) } else { messages[seq]?.mine.remove(emoji) }
  }

  mutating func put(receipt: JSONValue) {
    receipts[receipt["user_id"]?.text ?? ""] = Receipt(
      delivered: receipt["delivered_seq"]?.integer ?? 0, read: receipt["read_seq"]?.integer ?? 0)
  }

  /// Others see a new member as having received and read nothing.
  mutating func change(member: String, role: JSONValue, isMine: Bool) {
    if role == .null {
      receipts[member] = nil
    } else if receipts[member] == nil {
      receipts[member] = Receipt(delivered: 0, read: 0)
    }
    if isMine { self.role = role }
  }

  /// Unread messages, computed from the device's state.
  func unread(of person: String) -> Int {
    messages.filter { $0.key > read && $0.value.sender != person && !$0.value.isDeleted }.count
  }

  /// Unread messages that mention the person.
  func mentions(of person: String) -> Int {
    messages.filter { $0.key > read && $0.value.mentions.contains(person) }.count
  }
}
