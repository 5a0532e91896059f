import Chat
import EventLoop
import HTTP
import HTTPServer

/// `GET /sync`: events as JSON by long polls, for clients behind proxies that buffer streams.
struct SyncController: Controller {
  /// The longest wait in seconds: proxies time out after a minute.
  static let longestWait = 55

  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/sync", "The event stream by long polls", query: ["after", "wait"], answers: .ok("events")) {
      try await wait($0)
    }
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
    // Stop waiting when the client disconnects or the server shuts down.
    visit.request.onInterruption { poll.cancel() }
    let answer = try await poll.value
    return Answer.json { json in
      json.object { json in
        var last = answer.lastEventID
        json.name("events")
        json.array { json in
          for (index, event) in answer.events.enumerated() {
            // The rest comes with the next request.
            if json.bytes.count >= PageRules.bytes {
              last = answer.events[index - 1].id
              break
            }
            json.value(event)
          }
        }
        json.name("last_event_id")
        json.value(last)
        json.member("reset", answer.reset)
      }
    }
  }
}

extension JSONWriter {
  /// An event as JSON; its data is already encoded.
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
