import Chat
import EventLoop
import HTTP
import HTTPServer

/// `GET /sync`: the stream as JSON, by long polls, for clients behind proxies that hold streams back.
struct SyncController: Controller {
  /// The longest wait in seconds: proxies give up after a minute.
  static let longestWait = 55

  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/sync") { try await wait($0) }
  }

  private func wait(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let after = try query.eventID("after")
    let seconds = min(try query.number("wait") ?? 0, SyncController.longestWait)
    let number = visit.request.loop.flatMap { core.laneNumber(of: $0) } ?? 0
    let poll = Task(executorPreference: core.lanes[number].loop) {
      try await core.broker.poll(
        user: visit.userID, session: visit.session.id, lane: number, after: after, wait: .seconds(seconds),
        store: core.store)
    }
    // Nobody is left to tell, or the server stops: no reason to wait on.
    visit.request.onInterruption { poll.cancel() }
    let answer = try await poll.value
    return Answer.json { json in
      json.object { json in
        json.name("last_event_id")
        json.value(answer.lastEventID)
        json.name("events")
        json.array { json in
          for event in answer.events { json.value(event) }
        }
        json.member("reset", answer.reset)
      }
    }
  }
}

extension JSONWriter {
  /// A stream's event as JSON; its data is JSON already.
  fileprivate mutating func value(_ event: LoggedEvent) {
    object { json in
      json.name("id")
      json.value(event.id)
      json.member("event", event.name)
      json.name("data")
      json.raw(event.data)
    }
  }
}
