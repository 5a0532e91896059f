import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

/// A person's relation to a group, from none to owner.
enum Actor: String, CaseIterable, Sendable {
  /// Not signed in.
  case nobody
  /// Signed in, and never in the group.
  case outsider
  /// A former member who was removed.
  case removed
  /// A former member who was banned.
  case banned
  case member
  case admin
  case owner

  var isIn: Bool { self == .member || self == .admin || self == .owner }
}

/// A person of each kind, and groups in which they are that.
struct Cast: Sendable {
  let hub: TestHub
  private let people: [Actor: Person]
  /// Another member of each group.
  let other: Person
  /// The person whom operations are about.
  let target: Person

  init(_ hub: TestHub) async throws {
    self.hub = hub
    var people: [Actor: Person] = [:]
    for actor in Actor.allCases.reversed() where actor != .nobody {
      people[actor] = try await hub.signUp(actor.rawValue.prefix(1).uppercased() + actor.rawValue.dropFirst())
    }
    self.people = people
    (other, target) = (try await hub.signUp("Other"), try await hub.signUp("Target"))
  }

  subscript(_ actor: Actor) -> Person {
    guard let person = people[actor] else { preconditionFailure("nobody is no person") }
    return person
  }

  var owner: Person { self[.owner] }
  var admin: Person { self[.admin] }
  var member: Person { self[.member] }

  /// A group of the owner's, in which everyone has their role. The former members have been members.
  func group(_ name: String = "Engine", isPublic: Bool = false) async throws -> String {
    let in_ = [admin, member, other, self[.removed], self[.banned]].map { "\"\($0.id)\"" }.joined(separator: ",")
    let made = try await owner.send(
      .post, "/rooms", #"{"kind":"group","name":"\#(name)","public":\#(isPublic),"member_ids":[\#(in_)]}"#)
    let group = try #require(try made.json()["id"]?.text)
    let path = "/rooms/\(group)"
    for person in [self[.removed], self[.banned]] { try #require(try await person.get(path).status == .ok) }
    let steps: [(HTTP.Method, String, String?)] = [
      (.put, "/members/\(admin.id)", #"{"role":"admin"}"#), (.delete, "/members/\(self[.removed].id)", nil),
      (.put, "/bans/\(self[.banned].id)", nil),
    ]
    for (method, rest, body) in steps {
      let answer = try await owner.send(method, path + rest, body)
      try #require(answer.status.code < 300, "\(answer.text)")
    }
    return group
  }

  /// Everything that a change to a group would affect, as its owner sees it.
  func state(of group: String) async throws -> [String] {
    var state = ["\(try await hub.store.lastEventID())"]
    for rest in ["", "/members", "/bans", "/invitations", "/pins", "/messages", "/receipts"] {
      state.append(try await owner.get("/rooms/\(group)\(rest)").text)
    }
    return state
  }

  /// Creates an invitation to a group; returns its id and token.
  func invite(_ group: String, by person: Person? = nil, _ limits: String = "{}") async throws -> (
    id: String, token: String
  ) {
    let answer = try await (person ?? owner).send(.post, "/rooms/\(group)/invitations", limits)
    try #require(answer.status == .created, "\(answer.text)")
    let made = try answer.json()
    let token = try #require(made["url"]?.text?.split(separator: "/").last)
    return (try #require(made["id"]?.text), String(token))
  }
}

extension Person {
  /// Logged events since `id`: name and payload.
  func told(after id: EventID) async throws -> [(name: String, data: JSONValue)] {
    let events = try await get("/sync?after=\(id)").json()["events"]?.array ?? []
    return try events.map { (try #require($0["event"]?.text), try #require($0["data"])) }
  }

  /// A person's role in a room according to the list of members; nil if they are not a member.
  func role(of person: Person, in room: String) async throws -> String? {
    let members = try await get("/rooms/\(room)/members?limit=200").json().array
    return members.first { $0["id"]?.text == "\(person.id)" }?["role"]?.text
  }

  /// Whether a room is on the list of chats.
  func lists(_ room: String) async throws -> Bool {
    try await get("/rooms?limit=200").json().array.contains { $0["id"]?.text == room }
  }
}
