import Base
import Chat
import EventLoop
import FoundationEssentials
import Logging
import Web

/// The demo's peers: each GitHub account that receives a message reads it, types for a moment, and replies with its
/// text twice. In a group it replies when mentioned, or when it is the only other member.
///
/// A peer is a client of the core: it observes commits, and writes through the same services as people. The id of a
/// reply is derived from the message, so that after a crash unanswered messages are answered exactly once.
actor DemoPeers {
  private let core: Core
  private let guests: GuestRegister
  private let pause: Duration
  private let logger: Logger
  private let arrivals: AsyncStream<LoggedEvent>
  private let arrive: AsyncStream<LoggedEvent>.Continuation
  /// The unanswered messages by room; a room has an entry while a task handles it.
  private var waiting: [RoomID: [(peer: UserID, question: Question)]] = [:]

  /// Peers that type for `pause` before they reply, and are online once `guests` contains them.
  init(core: Core, guests: GuestRegister, pause: Duration = .milliseconds(900), logger: Logger) {
    self.core = core
    self.guests = guests
    self.pause = pause
    self.logger = logger
    (arrivals, arrive) = AsyncStream.makeStream(of: LoggedEvent.self, bufferingPolicy: .bufferingNewest(10_000))
  }

  /// Handles a commit's events. Callable from any thread, in the order of the commits.
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

  /// Answers messages left unanswered by an earlier run, then new ones, until the task is cancelled.
  func run() async {
    do { try await catchUp() } catch {
      logger.warning("demo peers could not catch up", metadata: ["error": "\(error)"])
    }
    for await event in arrivals {
      guard let question = Question(event) else { continue }
      await take(question)
    }
  }

  /// A guest is online once someone has opened a chat with them.
  private nonisolated func welcome(_ event: LoggedEvent) {
    guard let room = try? JSONDecoder().decode(NewRoom.self, from: Data(event.data)), let peer = room.peer,
      !peer.member,
      let id = UserID(peer.id), guests.insert(id)
    else { return }
    core.broker.announce(.presence(userID: id, isOnline: true, lastSeenAt: nil), to: .everyone)
  }

  /// A guest who has signed in is no longer simulated.
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

  /// Answers messages sequentially within a room, and rooms concurrently.
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
      // The guest may have signed in meanwhile.
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

  /// The text twice, each half drawn as it came: in one message if it fits and they can be kept apart, else in two.
  static func saidTwice(_ text: String) -> [String] {
    guard let first = Repetition(text).beforeItself else { return [text, text] }
    let twice = first + text
    return twice.unicodeScalars.count <= MessageRules.longestText ? [twice] : [text, text]
  }
}

/// The guests known so far. Callable from any thread.
final class GuestRegister: Sendable {
  private let ids = Lock(Set<UserID>())

  /// Returns true if the guest is new.
  func insert(_ id: UserID) -> Bool { ids.withLock { $0.insert(id).inserted } }

  /// Returns true if the guest was present.
  func remove(_ id: UserID) -> Bool { ids.withLock { $0.remove(id) != nil } }

  func contains(_ id: UserID) -> Bool { ids.withLock { $0.contains(id) } }
}

/// The parts of a `room.created`, and of the person in a `user.updated`, that peers use.
private struct NewRoom: Decodable {
  struct Peer: Decodable {
    let id: String
    let member: Bool
  }
  let peer: Peer?
}

/// A message to a peer.
private struct Question {
  let roomID: RoomID
  let seq: Int
  let senderID: UserID
  let text: String
  /// The peers to answer: the only other member, else those mentioned.
  var addressees: [UserID] = []

  init(roomID: RoomID, seq: Int, senderID: UserID, text: String) {
    self.roomID = roomID
    self.seq = seq
    self.senderID = senderID
    self.text = text
  }

  /// Decodes a `message.created` as clients receive it.
  init?(_ event: LoggedEvent) {
    guard case .members(_, let members) = event.audience,
      let content = try? JSONDecoder().decode(Content.self, from: Data(event.data)),
      let roomID = RoomID(content.room_id), let senderID = UserID(content.sender.id)
    else { return nil }
    self.init(roomID: roomID, seq: content.seq, senderID: senderID, text: content.text)
    addressees = members.count == 2 ? members : content.mentions.compactMap { UserID($0) }
    addressees.removeAll { $0 == senderID }
  }

  /// The reply's id: a UUID of version 8 (RFC 9562 section 5.8) from the message's room and number.
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
