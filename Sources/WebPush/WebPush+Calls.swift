import Chat
import Foundation
import Logging
import Synchronization

/// Notifies the people whom a message concerns.
extension WebPush {
  /// Handles an event that may concern a subscriber.
  func take(_ event: LoggedEvent) {
    guard case .members(let room, let members) = event.audience else { return read(event) }
    if event.name == "receipt.updated" { return read(event) }
    guard let message = try? JSONDecoder().decode(ToldMessage.self, from: Data(event.data)) else { return }
    let sender = UserID(message.sender.id)
    let concerned = state.withLock { state in members.filter { $0 != sender && state.subscribers.contains($0) } }
    for user in concerned { wait(Call(user: user, room: room), for: Waiting(seq: message.seq), limits.grace) }
  }

  /// A person has read a chat: notifications of it may be closed.
  private func read(_ event: LoggedEvent) {
    guard event.name == "receipt.updated", state.withLock({ !$0.shown.isEmpty }),
      let receipt = try? JSONDecoder().decode(ToldReceipt.self, from: Data(event.data)),
      let user = UserID(receipt.user_id), let room = RoomID(receipt.room_id)
    else { return }
    state.withLock { $0.shown.read(room, by: user, to: receipt.read_seq) }
  }

  /// Queues a call. A queued call for the same chat keeps its place, and then notifies of the newest message.
  private func wait(_ call: Call, for waiting: Waiting, _ time: Duration) {
    let isNew = state.withLock { state in
      guard !state.isClosed, state.waiting[call] == nil else { return false }
      guard state.waiting.count < limits.waiting else {
        state.counts.dropped += 1
        return false
      }
      state.waiting[call] = waiting
      return true
    }
    if isNew { clock.after(time) { [weak self] in self?.ready(call) } }
  }

  private func ready(_ call: Call) {
    state.withLock { state in
      if state.waiting[call] != nil { state.ready.append(call) }
    }
    startWhatMay()
  }

  private func startWhatMay() {
    while let (call, waiting) = next() {
      Task.detached { [self] in
        await answer(call, waiting)
        state.withLock { _ = $0.running.remove(call.chat) }
        startWhatMay()
      }
    }
  }

  /// The next call to process. One at a time for each person and chat: two would both find the same message new, and
  /// send it twice.
  private func next() -> (Call, Waiting)? {
    state.withLock { state in
      while state.running.count < limits.atOnce,
        let index = state.ready.firstIndex(where: { !state.running.contains($0.chat) })
      {
        let call = state.ready.remove(at: index)
        guard let waiting = state.waiting.removeValue(forKey: call) else { continue }
        state.running.insert(call.chat)
        return (call, waiting)
      }
      return nil
    }
  }

  /// Notifies a person, if the message is still unread.
  private func answer(_ call: Call, _ waiting: Waiting) async {
    do {
      for browser in try await absentBrowsers(of: call) {
        // The previous call may have taken seconds, in which sessions end, chats are left and messages are read.
        let own = Call(user: call.user, room: call.room, session: browser.sessionID)
        let present = try await absentBrowsers(of: own)
        guard !state.withLock({ $0.isClosed }), let (message, room) = try await unheard(call, since: waiting.seq) else {
          return
        }
        for subscription in present { await send(message, in: room, to: subscription, waiting) }
      }
    } catch ChatError.notFound {
      // The person has left the room, or the chat is deleted.
    } catch {
      state.withLock { $0.counts.dropped += 1 }
      logger.warning("a push was not sent", metadata: ["error": "\(error)"])
    }
  }

  /// The person's browsers without an open page.
  private func absentBrowsers(of call: Call) async throws -> [PushSubscription] {
    let now = clock.now
    let known = state.withLock { $0.subscribed }
    let all = try await store.pushSubscriptions(of: call.user, at: now)
    state.withLock { state in
      // Unless they have subscribed since the query.
      guard state.subscribed == known else { return }
      if all.isEmpty { state.subscribers.remove(call.user) }
      // Expired sessions and replaced subscriptions are not reported.
      state.shown.keep(all.map(\.sessionID), of: call.user)
    }
    let asked = all.filter { (call.session ?? $0.sessionID) == $0.sessionID && !isHere($0.sessionID) }
    guard !asked.isEmpty, let own = try await store.ownUser(call.user), !own.settings.doNotDisturb.holds(at: now) else {
      return []
    }
    return asked
  }

  /// The newest message of a chat that notifies the person, and the chat as they see it; nil if there is none.
  private func unheard(_ call: Call, since seq: Int) async throws -> (Message, Room)? {
    let room = try await store.room(call.room, for: call.user).value
    guard !room.isMuted, room.mentionLevel != .nothing, room.lastSeq > room.readSeq else { return nil }
    let page = try await store.messages(in: call.room, for: call.user, .newest(limit: 50)).value
    let message = page.messages.last { message in
      message.seq >= seq && message.seq > room.readSeq && message.sender.id != call.user && message.deletedAt == nil
        && (room.mentionLevel == .all || message.mentions.contains(call.user))
    }
    return message.map { ($0, room) }
  }

  private func send(_ message: Message, in room: Room, to subscription: PushSubscription, _ waiting: Waiting) async {
    let call = Call(user: subscription.userID, room: room.id, session: subscription.sessionID)
    let (closed, told) = state.withLock { state in
      let shown = state.shown
      return (
        shown.closed(for: subscription.sessionID, but: room.id), shown.told(room.id, to: subscription.sessionID)
      )
    }
    // Already sent, by an earlier push in flight or by a call that was waiting to retry.
    guard message.seq > told else { return }
    if let pause = pause(of: subscription) { return wait(call, for: waiting, pause) }
    do {
      let outcome = try await sender.send(
        PushPayload.message(message, in: room, closing: closed), to: subscription,
        PushSender.Handling(
          room: room.id, isUrgent: room.kind == .direct || message.mentions.contains(subscription.userID)))
      note(outcome, of: subscription)
      switch outcome {
      case .accepted:
        state.withLock { $0.shown.show(room.id, message.seq, closing: closed, to: subscription) }
        await forgetIfEnded(subscription)
      case .gone: try await end(subscription)
      case .later(let time, _):
        let attempts = waiting.attempts + 1
        guard attempts < limits.attempts else {
          state.withLock { $0.counts.dropped += 1 }
          return
        }
        let pause = time ?? limits.retryPause * (1 << waiting.attempts)
        wait(call, for: Waiting(seq: waiting.seq, attempts: attempts), pause)
      case .refused: break
      }
    } catch {
      state.withLock { $0.counts.dropped += 1 }
      logger.warning("a push was not sent", metadata: ["error": "\(error)"])
    }
  }

  /// Removes the entries of a session that ended or unsubscribed while a push to its browser was in flight.
  private func forgetIfEnded(_ subscription: PushSubscription) async {
    // If the store cannot be read, the next message to this person cleans up.
    guard let all = try? await store.pushSubscriptions(of: subscription.userID, at: clock.now) else { return }
    let id = subscription.sessionID
    if !all.contains(where: { $0.sessionID == id }) { state.withLock { $0.shown.forget(id) } }
  }

  /// Deletes a subscription that its push service has ended, with its entries, unless a newer one has replaced it.
  func end(_ subscription: PushSubscription) async throws {
    let id = subscription.sessionID
    guard try await store.deletePushSubscription(of: id, endpoint: subscription.endpoint) else { return }
    state.withLock { $0.shown.forget(id) }
  }

  /// How long the push service still refuses pushes, for this subscription or in general; nil if it accepts them.
  private func pause(of subscription: PushSubscription) -> Duration? {
    let now = clock.monotonic
    return state.withLock { state in
      let names = [PushLog.service(of: subscription), subscription.endpoint]
      guard let until = names.compactMap({ state.pauses[$0] }).max() else { return nil }
      return until > now ? until - now : nil
    }
  }

  /// Counts and logs the outcome of a push: the service's name and status, no person and no content.
  func note(_ outcome: PushSender.Outcome, of subscription: PushSubscription) {
    let service = PushLog.service(of: subscription)
    let now = clock.monotonic
    state.withLock { state in
      state.pauses = state.pauses.filter { $0.value > now }
      switch outcome {
      case .accepted: state.counts.accepted += 1
      case .gone: state.counts.gone += 1
      case .refused: state.counts.refused += 1
      // A limit of one subscription does not affect others.
      case .later(let time?, 429): state.pauses[subscription.endpoint] = now + time
      case .later(let time?, _): state.pauses[service] = now + time
      // The service was not reached, which does not delay others.
      case .later(nil, 0): state.pauses[service] = now + limits.retryPause
      case .later: break
      }
    }
    switch outcome {
    case .later(_, let status):
      logger.info("a push service is not ready", metadata: ["service": "\(service)", "status": "\(status)"])
    case .refused(let status):
      logger.warning("a push service refused a push", metadata: ["service": "\(service)", "status": "\(status)"])
    case .accepted, .gone: break
    }
  }
}

/// The members of a `message.created` that are needed before the store is queried.
private struct ToldMessage: Decodable {
  struct Sender: Decodable { let id: String }
  let seq: Int
  let sender: Sender
}

/// A `receipt.updated`.
private struct ToldReceipt: Decodable {
  let room_id: String
  let user_id: String
  let read_seq: Int
}
