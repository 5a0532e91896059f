import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

/// The program differs from the model.
struct Disagreement: Error, CustomStringConvertible {
  let what: String
  let story: ArraySlice<String>

  var description: String { what + "\n" + story.joined(separator: "\n") }
}

/// Three views that must agree: the program's responses, the model, and each device's state from events.
extension ModelPlay {
  mutating func compare() async throws {
    for person in people.indices {
      for index in devices[person].indices { _ = try await devices[person][index].follow() }
      let list = try await people[person].get("/rooms?limit=200").json().array
      try check(list.compactMap { $0["id"]?.text } == model.list(of: person).map { ids[$0] }, "the order of \(person)")
      for (room, shown) in zip(model.list(of: person), list) { try compare(room, person, shown) }
      for room in model.rooms.indices {
        try await compareMessages(room, person)
        try await compareDevices(room, person)
      }
    }
  }

  private func check(_ isRight: Bool, _ what: String) throws {
    if !isRight { throw Disagreement(what: what, story: story.suffix(40)) }
  }

  /// A row of the list.
  private func compare(_ room: Int, _ person: Int, _ shown: JSONValue) throws {
    let view = try #require(model.rooms[room].views[person])
    try check(shown["unread_count"]?.integer == model.unread(room, of: person), "unread of \(person) in \(room)")
    try check(shown["mention_count"]?.integer == model.mentions(room, of: person), "mentions of \(person) in \(room)")
    try check(shown["read_seq"]?.integer == view.read, "pointer of \(person) in \(room)")
    try check(shown["last_seq"]?.integer == model.rooms[room].messages.count, "last number of \(room)")
    try check(shown["cleared_seq"]?.integer == view.cleared, "cleared of \(person) in \(room)")
    try check(shown["last_message"]?["seq"]?.integer == model.visible(room, to: person).last, "preview of \(room)")
    try check(shown["muted"]?.flag == view.isMuted && shown["pinned"]?.flag == view.isPinned, "flags of \(room)")
    try check(shown["mention_level"]?.text == view.level.rawValue, "level of \(room)")
    try check(shown["draft"]?.text == view.draft, "draft of \(person) in \(room)")
    try check(shown["role"]?.text == view.role.rawValue, "role of \(person) in \(room)")
    try check(shown["members_count"]?.integer == model.rooms[room].views.count, "members of \(room)")
  }

  private func compareMessages(_ room: Int, _ person: Int) async throws {
    let answer = try await people[person].get("/rooms/\(ids[room])/messages?limit=200")
    guard model.rooms[room].views[person] != nil else {
      return try check(answer.status == .notFound, "\(person) is not in \(room)")
    }
    let messages = try answer.json().array
    let visible = model.visible(room, to: person)
    try check(messages.compactMap { $0["seq"]?.integer } == visible, "numbers of \(room) for \(person)")
    for (seq, shown) in zip(visible, messages) {
      let message = model.rooms[room].messages[seq - 1]
      try check(shown["text"]?.text == message.text, "text of \(seq) in \(room)")
      try check((shown["deleted_at"] == .null) != message.isDeleted, "deletion of \(seq) in \(room)")
      try check((shown["edited_at"] == .null) != message.isEdited, "edit of \(seq) in \(room)")
      try check(shown["reply_to"]?.integer == message.replyTo, "reply of \(seq) in \(room)")
      let author = message.author.map { people[$0].id.description }
      try check(shown["forwarded_from"]?["id"]?.text == author, "author of \(seq) in \(room)")
      let reactions = shown["reactions"]?.array ?? []
      try check(reactions.compactMap { $0["emoji"]?.text } == message.reactions.map(\.emoji), "reactions to \(seq)")
      try check(
        reactions.compactMap { $0["mine"]?.flag } == message.reactions.map { $0.people.contains(person) },
        "own reactions to \(seq)")
    }
    let pins = try await people[person].get("/rooms/\(ids[room])/pins").json().array
    try check(
      pins.compactMap { $0["seq"]?.integer } == model.rooms[room].pins.filter { visible.contains($0) },
      "pins of \(room)")
    let receipts = try await people[person].get("/rooms/\(ids[room])/receipts").json().array
    for other in model.rooms[room].views.keys {
      let receipt = receipts.first { $0["user_id"]?.text == people[other].id.description }
      let expected = model.receipt(room, of: other, for: person)
      try check(
        receipt?["read_seq"]?.integer == expected.read && receipt?["delivered_seq"]?.integer == expected.delivered,
        "receipt of \(other) in \(room)")
    }
  }

  /// A device's state from events equals what it would load now.
  private func compareDevices(_ room: Int, _ person: Int) async throws {
    let isListed = model.list(of: person).contains(room)
    for (number, device) in devices[person].enumerated() {
      var fresh = ModelDevice(device.person)
      try await fresh.load()
      let (known, read) = (device.rooms[ids[room]], fresh.rooms[ids[room]])
      let what = "device \(number) of \(person) about \(room)"
      try check((known != nil) == isListed && (read != nil) == isListed, "\(what): whether it is there")
      guard let known, let read else { continue }
      for seq in Set(known.messages.keys).union(read.messages.keys).sorted() {
        let (one, other) = (known.messages[seq], read.messages[seq])
        try check(one == other, "\(what): message \(seq) is \(one as Any), not \(other as Any)")
      }
      try check(known.read == read.read && known.lastSeq == read.lastSeq, "\(what): pointers")
      try check(known.draft == read.draft, "\(what): draft")
      try check(known.receipts == read.receipts, "\(what): receipts")
      let id = people[person].id.description
      try check(known.unread(of: id) == model.unread(room, of: person), "\(what): unread")
      try check(known.mentions(of: id) == model.mentions(room, of: person), "\(what): mentions")
      try check(known.role == read.role, "\(what): role")
      for flag in ["muted", "pinned", "mention_level", "cleared_seq"] {
        try check(known.room[flag] == read.room[flag], "\(what): \(flag)")
      }
    }
  }
}
