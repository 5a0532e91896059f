import Base
import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// A random sequence of operations by three people on two devices each, applied to the real program through its API and
/// to the model, which predicts the status of each response.
struct ModelPlay {
  static let emoji = ["👍", "🎉", "❤️", "👀"]

  let people: [Person]
  var devices: [[ModelDevice]]
  var model: ChatModel
  var random: SeededRandom
  /// The program's ids of the model's rooms.
  var ids: [String] = []
  /// The operations so far, to explain a failure.
  var story: [String] = []

  init(hub: TestHub, seed: UInt64) async throws {
    random = SeededRandom(seed: seed)
    let names = ["Ada", "Bob", "Cleo"]
    var people: [Person] = []
    for name in names { people.append(try await hub.signUp(name)) }
    self.people = people
    model = ChatModel(handles: names)
    devices = []
    for person in people as [Person] {
      var both = [ModelDevice(person), ModelDevice(try await hub.signIn(person))]
      for index in both.indices { try await both[index].load() }
      devices.append(both)
    }
  }

  // MARK: Choosing

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func anybody() -> Int { Int.random(in: 0..<3, using: &random) }

  /// A person and a room; now and then one that they are not in.
  private mutating func place() -> (person: Int, room: Int)? {
    let person = anybody()
    let own = model.rooms.indices.filter { model.rooms[$0].views[person] != nil }
    let room = chance(8) ? model.rooms.indices.randomElement(using: &random) : own.randomElement(using: &random)
    return room.map { (person, $0) }
  }

  private mutating func seq(_ room: Int) -> Int {
    Int.random(in: 1...max(1, model.rooms[room].messages.count), using: &random)
  }

  private mutating func text() -> String {
    let mention = chance(25) ? "@\(model.handles[anybody()]) " : ""
    return "\(mention)text \(Int.random(in: 0..<1000, using: &random)) "
  }

  // MARK: Doing

  /// Sends a request from a device of `person`, and compares the status with the model's.
  @discardableResult
  mutating func ask(
    _ person: Int, _ method: HTTP.Method, _ path: String, _ body: String? = nil, expect status: Status
  ) async throws -> TestResponse {
    let device = devices[person][Int.random(in: 0..<2, using: &random)].person
    let answer = try await device.send(method, path, body)
    story.append("\(model.handles[person].prefix(4)) \(method) \(path) \(body ?? "") → \(answer.status.code)")
    if answer.status != status { throw Disagreement(what: "the model says \(status)", story: story.suffix(20)) }
    return answer
  }

  func path(_ room: Int) -> String { "/rooms/\(ids[room])" }

  /// One random operation.
  mutating func step() async throws {
    guard model.rooms.count > 1 else { return try await open() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: try await send()
    case 30..<36: try await edit()
    case 36..<41: try await delete()
    case 41..<45: try await hideMessage()
    case 45..<53: try await react()
    case 53..<57: try await pin()
    case 57..<67: try await read()
    case 67..<70: try await markUnread()
    case 70..<75: try await changeView()
    case 75..<78: try await clear()
    case 78..<81: try await hide()
    case 81..<85: try await open()
    default: try await membership()
    }
    // A device reads its events now and then, so that it usually lags behind.
    if chance(20) {
      let (person, index) = (anybody(), Int.random(in: 0..<2, using: &random))
      _ = try await devices[person][index].follow()
    }
  }

  private mutating func open() async throws {
    let (person, other) = (anybody(), anybody())
    guard person != other else { return }
    let known = model.direct(person, other)
    let answer = try await ask(
      person, .post, "/rooms", #"{"kind":"direct","user_id":"\#(people[other].id)"}"#,
      expect: known == nil ? .created : .ok)
    let id = try #require(try answer.json()["id"]?.text)
    if let known {
      try #require(ids[known] == id)
      model.open(known, person)
    } else {
      _ = model.make(.direct, [person, other])
      ids.append(id)
    }
  }

  private mutating func send() async throws {
    guard let (person, room) = place() else { return }
    let isMember = model.rooms[room].views[person] != nil
    let visible = model.visible(room, to: person)
    // Sent again, as after a lost response.
    if chance(15), let index = model.rooms[room].messages.lastIndex(where: { $0.sender == person && $0.author == nil })
    {
      let message = model.rooms[room].messages[index]
      guard !message.isEdited, !message.isDeleted else { return }
      _ = try await ask(
        person, .post, path(room) + "/messages", body(message), expect: isMember ? .ok : .notFound)
      return
    }
    if chance(10), let source = place(), source.person == person, let seq = model.visible(source.room, to: person).last
    {
      return try await forward(person, from: source.room, seq, to: room, isMember)
    }
    let replyTo = chance(20) ? seq(room) : nil
    let message = ChatModel.Message(
      sender: person, text: text(), replyTo: replyTo, clientID: newID(), author: nil)
    let isRight = replyTo.map { visible.contains($0) } ?? true
    let answer = try await ask(
      person, .post, path(room) + "/messages", body(message),
      expect: !isMember ? .notFound : isRight ? .created : .unprocessableContent)
    guard isMember, isRight else { return }
    try #require(try answer.json()["seq"]?.integer == model.send(message, to: room))
  }

  private mutating func forward(_ person: Int, from source: Int, _ seq: Int, to room: Int, _ isMember: Bool)
    async throws
  {
    let original = model.rooms[source].messages[seq - 1]
    let message = ChatModel.Message(
      sender: person, text: original.text, replyTo: nil, clientID: newID(), author: original.author ?? original.sender)
    let answer = try await ask(
      person, .post, path(room) + "/messages",
      #"{"client_id":"\#(message.clientID)","forward":{"room_id":"\#(ids[source])","seq":\#(seq)}}"#,
      expect: !isMember ? .notFound : original.isDeleted ? .unprocessableContent : .created)
    guard isMember, !original.isDeleted else { return }
    try #require(try answer.json()["seq"]?.integer == model.send(message, to: room))
  }

  private mutating func newID() -> ClientMessageID {
    ClientMessageID(at: Timestamp(milliseconds: 1), using: &random)
  }

  private func body(_ message: ChatModel.Message) -> String {
    let reply = message.replyTo.map { #","reply_to":\#($0)"# } ?? ""
    return #"{"client_id":"\#(message.clientID)","text":"\#(message.text)"\#(reply)}"#
  }

  private mutating func edit() async throws {
    guard let (person, room) = place() else { return }
    let (seq, text) = (seq(room), text())
    let status: Status
    if !model.sees(person, room, seq) {
      status = .notFound
    } else {
      let message = model.rooms[room].messages[seq - 1]
      status =
        message.sender != person
        ? .forbidden
        : message.isDeleted ? .conflict : message.author != nil ? .forbidden : .ok
    }
    try await ask(person, .patch, path(room) + "/messages/\(seq)", #"{"text":"\#(text)"}"#, expect: status)
    if status == .ok { model.edit(seq, in: room, text) }
  }

  private mutating func delete() async throws {
    guard let (person, room) = place() else { return }
    let seq = seq(room)
    let sees = model.sees(person, room, seq)
    let mayDelete = sees && (model.rooms[room].messages[seq - 1].sender == person || model.isModerator(person, room))
    try await ask(
      person, .delete, path(room) + "/messages/\(seq)",
      expect: !sees ? .notFound : mayDelete ? .noContent : .forbidden)
    if mayDelete { model.delete(seq, in: room) }
  }

  private mutating func hideMessage() async throws {
    guard let (person, room) = place() else { return }
    let seq = seq(room)
    let sees = model.sees(person, room, seq)
    try await ask(
      person, .delete, path(room) + "/messages/\(seq)?for=me", expect: sees ? .noContent : .notFound)
    if sees { model.change(room, person) { $0.hidden.insert(seq) } }
  }

  private mutating func react() async throws {
    guard let (person, room) = place() else { return }
    let (seq, isAdded) = (seq(room), chance(70))
    let emoji = Self.emoji.randomElement(using: &random) ?? "👍"
    let sees = model.sees(person, room, seq)
    let isDeleted = sees && model.rooms[room].messages[seq - 1].isDeleted
    try await ask(
      person, isAdded ? .put : .delete,
      path(room) + "/messages/\(seq)/reactions/" + PercentEncoding.encode(emoji),
      expect: !sees ? .notFound : isDeleted && isAdded ? .conflict : .noContent)
    if sees, !isDeleted { model.react(person, seq, in: room, emoji, isAdded: isAdded) }
  }

  private mutating func pin() async throws {
    guard let (person, room) = place() else { return }
    let (seq, isAdded) = (seq(room), chance(70))
    let sees = model.sees(person, room, seq)
    let isAllowed = model.rooms[room].kind == .direct || model.isModerator(person, room)
    let isDeleted = sees && model.rooms[room].messages[seq - 1].isDeleted
    let status: Status = !sees ? .notFound : !isAllowed ? .forbidden : isDeleted && isAdded ? .conflict : .noContent
    try await ask(person, isAdded ? .put : .delete, path(room) + "/pins/\(seq)", expect: status)
    if status == .noContent { model.pin(seq, in: room, isAdded: isAdded) }
  }

  private mutating func read() async throws {
    guard let (person, room) = place() else { return }
    let (delivered, read) = (seq(room), chance(70) ? seq(room) : 0)
    let isMember = model.rooms[room].views[person] != nil
    try await ask(
      person, .put, path(room) + "/receipt", #"{"delivered_seq":\#(delivered),"read_seq":\#(read)}"#,
      expect: isMember ? .ok : .notFound)
    let last = model.rooms[room].messages.count
    model.change(room, person) { view in
      view.read = min(max(view.read, read), last)
      view.delivered = min(max(view.delivered, delivered, view.read), last)
    }
  }

  private mutating func markUnread() async throws {
    guard let (person, room) = place() else { return }
    let seq = seq(room)
    let isMember = model.rooms[room].views[person] != nil
    try await ask(
      person, .put, path(room) + "/receipt", #"{"unread_from":\#(seq)}"#, expect: isMember ? .ok : .notFound)
    model.change(room, person) { $0.read = min($0.read, seq - 1) }
  }

  private mutating func changeView() async throws {
    guard let (person, room) = place() else { return }
    let isMember = model.rooms[room].views[person] != nil
    let (muted, pinned, draft) = (chance(50), chance(50), chance(50) ? "" : text())
    let level = Room.MentionLevel.allCases.randomElement(using: &random) ?? .all
    try await ask(
      person, .patch, path(room),
      #"{"muted":\#(muted),"pinned":\#(pinned),"mention_level":"\#(level.rawValue)","draft":"\#(draft)"}"#,
      expect: isMember ? .ok : .notFound)
    model.change(room, person) { view in
      (view.isMuted, view.isPinned, view.level, view.draft) = (muted, pinned, level, draft)
    }
  }

  private mutating func clear() async throws {
    guard let (person, room) = place() else { return }
    let isMember = model.rooms[room].views[person] != nil
    try await ask(person, .post, path(room) + "/clearing", expect: isMember ? .noContent : .notFound)
    if isMember { model.clear(room, person) }
  }

  private mutating func hide() async throws {
    guard let (person, room) = place() else { return }
    let view = model.rooms[room].views[person]
    try await ask(person, .post, path(room) + "/hiding", expect: view != nil ? .noContent : .notFound)
    if let view, !view.isHidden { model.hide(room, person) }
  }
}
