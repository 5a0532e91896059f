import Chat
import EventLoop
import FoundationEssentials
import Logging
import Web

/// The peers of the demo (X2): every GitHub account that somebody writes to reads the message, types for a moment, and
/// says it back twice. In a group it does so where it is mentioned, or is the only other.
///
/// A peer is one more client of the core: it hears of messages from the commits, and writes through the same services as
/// people do. The id of an answer follows from the message it answers, so that after a crash everything unanswered can
/// be answered again without ever answering twice.
actor DemoPeers {
  private let core: Core
  private let guests: GuestRegister
  private let pause: Duration
  private let logger: Logger
  private let arrivals: AsyncStream<LoggedEvent>
  private let arrive: AsyncStream<LoggedEvent>.Continuation
  /// What waits for an answer in each room; a room is here while a task works on it.
  private var waiting: [RoomID: [(peer: UserID, question: Question)]] = [:]

  /// Peers who type for `pause` before they answer, and who are online as soon as `guests` knows them.
  init(core: Core, guests: GuestRegister, pause: Duration = .milliseconds(900), logger: Logger) {
    self.core = core
    self.guests = guests
    self.pause = pause
    self.logger = logger
    (arrivals, arrive) = AsyncStream.makeStream(of: LoggedEvent.self, bufferingPolicy: .bufferingNewest(10_000))
  }

  /// Takes note of a commit's events. Callable from any thread, in the order of the commits.
  nonisolated func notice(_ events: [LoggedEvent]) {
    for event in events {
      switch event.name {
      case "message.created": arrive.yield(event)
      case "room.created": welcome(event)
      case "user.updated": release(event)
      default: break
      }
    }
  }

  /// Answers what an earlier run left unanswered, then what arrives, until the task is cancelled.
  func run() async {
    do { try await catchUp() } catch {
      logger.warning("demo peers could not catch up", metadata: ["error": "\(error)"])
    }
    for await event in arrivals {
      guard let question = Question(event) else { continue }
      await take(question)
    }
  }

  /// A guest is online from the moment somebody opened a chat with him.
  private nonisolated func welcome(_ event: LoggedEvent) {
    guard let room = try? JSONDecoder().decode(NewRoom.self, from: Data(event.data)), let peer = room.peer,
      !peer.member,
      let id = UserID(peer.id), guests.insert(id)
    else { return }
    core.broker.announce(.presence(userID: id, isOnline: true, lastSeenAt: nil), to: .everyone)
  }

  /// A guest who has signed in speaks for himself.
  private nonisolated func release(_ event: LoggedEvent) {
    guard let person = try? JSONDecoder().decode(NewRoom.Peer.self, from: Data(event.data)), person.member,
      let id = UserID(person.id), guests.remove(id)
    else { return }
    core.broker.announce(.presence(userID: id, isOnline: false, lastSeenAt: nil), to: .everyone)
  }

  private func catchUp() async throws {
    for guest in try await core.store.guests(limit: 1000) {
      _ = guests.insert(guest.id)
      for room in try await core.store.rooms(of: guest.id, after: nil, limit: 200).value {
        let page = try await core.store.messages(in: room.id, for: guest.id, .newest(limit: 200)).value
        let answered = Set(page.messages.filter { $0.sender.id == guest.id }.map(\.clientID))
        for message in page.messages where message.sender.isMember && message.deletedAt == nil {
          guard room.membersCount == 2 || message.mentions.contains(guest.id) else { continue }
          let question = Question(roomID: room.id, seq: message.seq, senderID: message.sender.id, text: message.text)
          if !answered.contains(question.answerID(part: 0)) { ask(guest.id, question) }
        }
      }
    }
  }

  private func take(_ question: Question) async {
    do {
      guard try await core.store.user(question.senderID)?.isMember == true else { return }
      for id in question.addressees {
        guard let peer = try await core.store.user(id), !peer.isMember else { continue }
        ask(peer.id, question)
      }
    } catch {
      logger.warning("a demo peer missed a message", metadata: ["error": "\(error)"])
    }
  }

  /// Questions of one room are answered one after the other, rooms beside each other.
  private func ask(_ peer: UserID, _ question: Question) {
    if waiting[question.roomID] != nil {
      waiting[question.roomID]?.append((peer, question))
      return
    }
    waiting[question.roomID] = [(peer, question)]
    Task {
      while let next = self.waiting[question.roomID]?.first {
        await self.answer(next.question, as: next.peer)
        self.waiting[question.roomID]?.removeFirst()
      }
      self.waiting[question.roomID] = nil
    }
  }

  private func answer(_ question: Question, as peer: UserID) async {
    do {
      // He may have signed in since.
      guard try await core.store.user(peer)?.isMember == false else { return }
      _ = try await core.receipts.move(in: question.roomID, of: peer, delivered: question.seq, read: nil)
      await wait(pause / 3)
      _ = try await core.receipts.move(in: question.roomID, of: peer, delivered: nil, read: question.seq)
      try await core.typing.set(true, in: question.roomID, by: peer)
      await wait(pause)
      for (part, text) in DemoPeers.saidTwice(question.text).enumerated() {
        _ = try await core.messages.send(
          text, in: question.roomID, by: peer, clientID: question.answerID(part: part), replyTo: nil)
      }
      try await core.typing.set(false, in: question.roomID, by: peer)
    } catch {
      logger.warning("a demo peer could not answer", metadata: ["error": "\(error)"])
    }
  }

  private func wait(_ delay: Duration) async {
    await withCheckedContinuation { continuation in
      core.clock.after(delay) { continuation.resume() }
    }
  }

  /// The text twice: in one message where it fits, else in two.
  static func saidTwice(_ text: String) -> [String] {
    let glue = text.contains("\n") ? "\n" : " "
    let twice = text + glue + text
    return twice.unicodeScalars.count <= MessageRules.longestText ? [twice] : [text, text]
  }
}

/// The guests known so far. Callable from any thread.
final class GuestRegister: Sendable {
  private let ids = Lock(Set<UserID>())

  /// True if the guest was not known yet.
  func insert(_ id: UserID) -> Bool { ids.withLock { $0.insert(id).inserted } }

  /// True if the guest was known.
  func remove(_ id: UserID) -> Bool { ids.withLock { $0.remove(id) != nil } }

  func contains(_ id: UserID) -> Bool { ids.withLock { $0.contains(id) } }
}

/// What a peer reads of a `room.created`, and of the person in a `user.updated`.
private struct NewRoom: Decodable {
  struct Peer: Decodable {
    let id: String
    let member: Bool
  }
  let peer: Peer?
}

/// A message that a peer has heard of.
private struct Question {
  let roomID: RoomID
  let seq: Int
  let senderID: UserID
  let text: String
  /// Who is to answer, if he is a peer: the only other, or else who is mentioned.
  var addressees: [UserID] = []

  init(roomID: RoomID, seq: Int, senderID: UserID, text: String) {
    self.roomID = roomID
    self.seq = seq
    self.senderID = senderID
    self.text = text
  }

  /// From a `message.created` as clients get it.
  init?(_ event: LoggedEvent) {
    guard case .members(_, let members) = event.audience,
      let content = try? JSONDecoder().decode(Content.self, from: Data(event.data)),
      let roomID = RoomID(content.room_id), let senderID = UserID(content.sender.id)
    else { return nil }
    self.init(roomID: roomID, seq: content.seq, senderID: senderID, text: content.text)
    addressees = members.count == 2 ? members : content.mentions.compactMap { UserID($0) }
    addressees.removeAll { $0 == senderID }
  }

  /// The answer's id: a UUID of version 8 (RFC 9562 section 5.8) made of the room and the number of the message.
  func answerID(part: Int) -> ClientMessageID {
    ClientMessageID(
      high: roomID.low & ~0xF000 | 0x8000, low: 0x8000_0000_0000_0000 | UInt64(seq) << 1 | UInt64(part))
  }

  private struct Content: Decodable {
    struct Sender: Decodable { let id: String }
    let room_id: String
    let seq: Int
    let sender: Sender
    let text: String
    let mentions: [String]
  }
}
