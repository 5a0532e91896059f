import HTTP

extension Simulation {
  /// The events on this GitHub.
  var timeline: Timeline {
    Self.timelines.value("\(options.secondsPerEvent)") {
      Timeline(.recorded, interval: Int64(options.secondsPerEvent))
    }
  }

  private static let timelines = Kept<Timeline>()

  /// A page of events with the polling interval. Feeds of received events have no last page, as recorded.
  func news(_ events: [Timeline.Event], target: String, _ query: Query, hasLast: Bool = true) -> Finding {
    let isOverlapping = faultRules.contains { $0.mode == .overlap }
    let size = Self.pageSize(query)
    let number = Self.pageNumber(query)
    var page = Array(events.dropFirst((number - 1).multipliedReportingOverflow(by: size).partialValue).prefix(size))
    if isOverlapping, number > 1, let first = page.first,
      let start = events.firstIndex(where: { $0.number == first.number })
    {
      page = events[max(0, start - 2)..<start] + page.dropLast(min(2, page.count - 1))
    }
    var fields = ["x-poll-interval": String(options.pollSeconds)]
    if let newest = events.first { fields["last-modified"] = HTTPDate(seconds: Int(newest.time)).description }
    let link = link(target, query: query, page: number, size: size, total: events.count, hasLast: hasLast)
    return .value(.array(page.map { eventRecord(renamed($0)) }), link: link, fields: fields)
  }

  /// The event with the accounts' current names.
  private func renamed(_ event: Timeline.Event) -> Timeline.Event {
    var event = event
    event.actor = population.person(id: event.actor.id) ?? event.actor
    event.repository = population.repository(id: event.repository.id) ?? event.repository
    return event
  }

  /// An event in the feeds' format.
  func eventRecord(_ event: Timeline.Event) -> JSONValue {
    let kind = EventKind(of: event.number)
    let (type, payload) = self.payload(kind, event)
    let actor = event.actor
    let path = Person.path(actor.login)
    var record: [String: JSONValue] = [
      "id": .string(String(Self.eventID(event.number))), "type": .string(type), "payload": payload,
      "public": .bool(true), "created_at": .string(Self.isoTime(event.time)),
      "actor": .object([
        "id": .integer(actor.id), "login": .string(actor.login), "display_login": .string(actor.login),
        "gravatar_id": .string(""), "url": .string(base + "/users/" + path),
        "avatar_url": .string(origin + "/u/\(actor.avatar)?"),
      ]),
      "repo": .object([
        "id": .integer(event.repository.id), "name": .string(event.repository.fullName),
        "url": .string(base + "/repos/" + event.repository.fullName),
      ]),
    ]
    let owner = event.repository.owner
    if owner.type == "Organization" {
      record["org"] = .object([
        "id": .integer(owner.id), "login": .string(owner.login), "gravatar_id": .string(""),
        "url": .string(base + "/orgs/" + owner.login), "avatar_url": .string(origin + "/u/\(owner.avatar)?"),
      ])
    }
    return .object(record)
  }

  /// A unique id that does not increase with time, like GitHub's over the years.
  private static func eventID(_ number: Int64) -> Int64 { 10_000_000_000 + number &* 2_654_435_761 & 0x3_FFFF_FFFF }

  /// Whether the payload is trimmed like GitHub's since October 2025.
  func isTrimmed(_ event: Timeline.Event) -> Bool {
    switch options.payloads {
    case .full: false
    case .trimmed: true
    case .mixed: event.hash % 2 == 0
    }
  }
}
