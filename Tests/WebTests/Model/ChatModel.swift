import Chat
import HTTPServerTesting

/// A minimal model of chat from the users' point of view, which the real program is compared with. People are numbers;
/// rooms are numbers in the order of their creation.
struct ChatModel {
  typealias Person = Int

  struct Message {
    let sender: Person
    var text: String
    let replyTo: Int?
    let clientID: ClientMessageID
    let author: Person?
    var isEdited = false
    var isDeleted = false
    var mentions: Set<Person> = []
    /// Emoji in the order of their first use, each with its users.
    var reactions: [(emoji: String, people: [Person])] = []
  }

  /// One person's view of a room.
  struct View {
    var role = Room.Role.member
    /// The turn of the model in which the person joined.
    var joined: Int
    var read = 0
    var delivered = 0
    /// The number of messages from before they joined.
    var before = 0
    var cleared = 0
    var isHidden = false
    var isMuted = false
    var isPinned = false
    var level = Room.MentionLevel.all
    var draft = ""
    var hidden: Set<Int> = []
    /// The room's place on the person's list when they joined.
    var place: Int
  }

  struct ModelRoom {
    let kind: Room.Kind
    let isPublic: Bool
    /// The members.
    var views: [Person: View]
    var banned: Set<Person> = []
    var messages: [Message] = []
    /// The turn of the newest message, or of the room's creation.
    var place: Int
    /// Last pinned first.
    var pins: [Int] = []
  }

  /// Each person's handle.
  let handles: [String]
  private(set) var rooms: [ModelRoom] = []
  /// Increases with each change, as event ids do.
  private var turn = 0

  init(handles: [String]) {
    self.handles = handles
  }

  // MARK: What each person sees

  /// A person's list: pinned first, then by the newest.
  func list(of person: Person) -> [Int] {
    rooms.indices.filter { rooms[$0].views[person].map { !$0.isHidden } ?? false }.sorted { one, other in
      place(one, person) > place(other, person)
    }
  }

  private func place(_ room: Int, _ person: Person) -> (Int, Int) {
    guard let view = rooms[room].views[person] else { return (0, 0) }
    return (view.isPinned ? 1 : 0, max(rooms[room].place, view.place))
  }

  /// The numbers of the messages visible to a person.
  func visible(_ room: Int, to person: Person) -> [Int] {
    guard let view = rooms[room].views[person] else { return [] }
    return rooms[room].messages.indices.map { $0 + 1 }.filter { $0 > view.cleared && !view.hidden.contains($0) }
  }

  func unread(_ room: Int, of person: Person) -> Int {
    guard let view = rooms[room].views[person] else { return 0 }
    return visible(room, to: person).filter { seq in
      let message = rooms[room].messages[seq - 1]
      return seq > view.read && message.sender != person && !message.isDeleted
    }.count
  }

  func mentions(_ room: Int, of person: Person) -> Int {
    guard let view = rooms[room].views[person] else { return 0 }
    return visible(room, to: person)
      .filter { $0 > view.read && rooms[room].messages[$0 - 1].mentions.contains(person) }.count
  }

  /// How far a person has received and read a room, as reported to another or to themselves.
  func receipt(_ room: Int, of person: Person, for other: Person) -> (delivered: Int, read: Int) {
    guard let view = rooms[room].views[person] else { return (0, 0) }
    if person == other { return (view.delivered, view.read) }
    return (view.delivered > view.before ? view.delivered : 0, view.read > view.before ? view.read : 0)
  }

  func sees(_ person: Person, _ room: Int, _ seq: Int) -> Bool { visible(room, to: person).contains(seq) }

  func isModerator(_ person: Person, _ room: Int) -> Bool {
    rooms[room].kind == .group && rooms[room].views[person].map { $0.role != .member } ?? false
  }

  // MARK: Changes; those that are not allowed are asked about before

  private mutating func nextTurn() -> Int {
    turn += 1
    return turn
  }

  mutating func make(_ kind: Room.Kind, _ people: [Person], isPublic: Bool = false) -> Int {
    let place = nextTurn()
    var views: [Person: View] = [:]
    for person in people { views[person] = View(joined: nextTurn(), place: turn) }
    if kind == .group, let owner = people.first { views[owner]?.role = .owner }
    if kind == .direct { for peer in people.dropFirst() { views[peer]?.isHidden = true } }
    rooms.append(ModelRoom(kind: kind, isPublic: isPublic, views: views, place: place))
    return rooms.count - 1
  }

  /// A direct chat without messages comes onto the list of whoever opens it.
  mutating func open(_ room: Int, _ person: Person) {
    guard rooms[room].messages.isEmpty, rooms[room].views[person]?.isHidden == true else { return }
    rooms[room].views[person]?.isHidden = false
    let place = nextTurn()
    rooms[room].views[person]?.place = place
  }

  func direct(_ one: Person, _ other: Person) -> Int? {
    rooms.firstIndex { $0.kind == .direct && $0.views[one] != nil && $0.views[other] != nil }
  }

  /// Returns the number of the message.
  mutating func send(_ message: Message, to room: Int) -> Int {
    var message = message
    message.mentions = mentioned(message.text, room, message.sender)
    for person in rooms[room].views.keys where rooms[room].views[person]?.isHidden == true {
      rooms[room].views[person]?.isHidden = false
    }
    // Sending reads nothing that was not seen, and receives nothing that has not come.
    let hasReadAll = unread(room, of: message.sender) == 0
    let hasAll = hasReadAll || rooms[room].views[message.sender]?.delivered == rooms[room].messages.count
    rooms[room].messages.append(message)
    rooms[room].place = nextTurn()
    let seq = rooms[room].messages.count
    if hasReadAll { rooms[room].views[message.sender]?.read = seq }
    if hasAll { rooms[room].views[message.sender]?.delivered = seq }
    return seq
  }

  private func mentioned(_ text: String, _ room: Int, _ sender: Person) -> Set<Person> {
    Set(rooms[room].views.keys.filter { $0 != sender && text.contains("@" + handles[$0] + " ") })
  }

  mutating func edit(_ seq: Int, in room: Int, _ text: String) {
    rooms[room].messages[seq - 1].text = text
    rooms[room].messages[seq - 1].isEdited = true
    let sender = rooms[room].messages[seq - 1].sender
    rooms[room].messages[seq - 1].mentions = mentioned(text, room, sender)
  }

  mutating func delete(_ seq: Int, in room: Int) {
    rooms[room].messages[seq - 1].text = ""
    rooms[room].messages[seq - 1].isDeleted = true
    rooms[room].messages[seq - 1].mentions = []
    rooms[room].messages[seq - 1].reactions = []
    rooms[room].pins.removeAll { $0 == seq }
  }

  mutating func react(_ person: Person, _ seq: Int, in room: Int, _ emoji: String, isAdded: Bool) {
    var reactions = rooms[room].messages[seq - 1].reactions
    if let index = reactions.firstIndex(where: { $0.emoji == emoji }) {
      reactions[index].people.removeAll { $0 == person }
      if isAdded { reactions[index].people.append(person) }
      if reactions[index].people.isEmpty { reactions.remove(at: index) }
    } else if isAdded {
      reactions.append((emoji, [person]))
    }
    rooms[room].messages[seq - 1].reactions = reactions
  }

  mutating func pin(_ seq: Int, in room: Int, isAdded: Bool) {
    let isThere = rooms[room].pins.contains(seq)
    guard isThere != isAdded else { return }
    if isAdded { rooms[room].pins.insert(seq, at: 0) } else { rooms[room].pins.removeAll { $0 == seq } }
  }

  mutating func change(_ room: Int, _ person: Person, _ change: (inout View) -> Void) {
    guard var view = rooms[room].views[person] else { return }
    change(&view)
    rooms[room].views[person] = view
  }

  /// Hides the chat and clears it.
  mutating func hide(_ room: Int, _ person: Person) {
    clear(room, person)
    change(room, person) { view in
      view.isHidden = true
      view.isPinned = false
      view.draft = ""
    }
  }

  mutating func clear(_ room: Int, _ person: Person) {
    let last = rooms[room].messages.count
    change(room, person) { view in
      view.cleared = last
      view.hidden = []
    }
  }

  // MARK: Membership

  mutating func letIn(_ person: Person, to room: Int) {
    guard rooms[room].views[person] == nil else { return }
    let (joined, last) = (nextTurn(), rooms[room].messages.count)
    rooms[room].views[person] = View(joined: joined, read: last, delivered: last, before: last, place: joined)
  }

  /// Removes a member; an owner is succeeded by the longest-serving member, admins first.
  mutating func takeOut(_ person: Person, of room: Int) {
    let wasOwner = rooms[room].views.removeValue(forKey: person)?.role == .owner
    guard wasOwner else { return }
    let heir = rooms[room].views.min { one, other in
      (one.value.role == .admin ? 0 : 1, one.value.joined) < (other.value.role == .admin ? 0 : 1, other.value.joined)
    }
    if let heir { rooms[room].views[heir.key]?.role = .owner }
  }

  mutating func ban(_ person: Person, from room: Int, isOn: Bool) {
    if isOn {
      takeOut(person, of: room)
      rooms[room].banned.insert(person)
    } else {
      rooms[room].banned.remove(person)
    }
  }
}
