import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

/// Joining and leaving groups.
extension ModelPlay {
  mutating func membership() async throws {
    let groups = model.rooms.indices.filter { model.rooms[$0].kind == .group }
    guard let room = groups.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 else {
      return try await makeGroup()
    }
    let (actor, other) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try await join(actor, room)
    case 1: try await leave(actor, room)
    case 2: try await add(other, to: room, by: actor)
    case 3: try await remove(other, from: room, by: actor)
    case 4: try await ban(other, from: room, by: actor)
    default: try await appoint(other, in: room, by: actor)
    }
  }

  private func role(_ person: Int, _ room: Int) -> Room.Role? { model.rooms[room].views[person]?.role }

  private mutating func makeGroup() async throws {
    let owner = Int.random(in: 0..<3, using: &random)
    let others = (0..<3).filter { $0 != owner }.filter { _ in Bool.random(using: &random) }
    let isPublic = Bool.random(using: &random)
    let members = others.map { "\"\(people[$0].id)\"" }.joined(separator: ",")
    let answer = try await ask(
      owner, .post, "/rooms", #"{"kind":"group","name":"G","public":\#(isPublic),"member_ids":[\#(members)]}"#,
      expect: .created)
    _ = model.make(.group, [owner] + others, isPublic: isPublic)
    ids.append(try #require(try answer.json()["id"]?.text))
  }

  private mutating func join(_ person: Int, _ room: Int) async throws {
    let known = model.rooms[room]
    let isIn = known.views[person] != nil
    let status: Status =
      isIn ? .ok : !known.isPublic || known.views.isEmpty ? .notFound : known.banned.contains(person) ? .forbidden : .ok
    try await ask(person, .put, path(room) + "/membership", expect: status)
    if status == .ok { model.letIn(person, to: room) }
  }

  private mutating func leave(_ person: Int, _ room: Int) async throws {
    let isIn = role(person, room) != nil
    try await ask(person, .delete, path(room) + "/membership", expect: isIn ? .noContent : .notFound)
    if isIn { model.takeOut(person, of: room) }
  }

  private mutating func add(_ other: Int, to room: Int, by actor: Int) async throws {
    // Members and banned people are covered elsewhere.
    guard role(other, room) == nil, !model.rooms[room].banned.contains(other) else { return }
    let status: Status = role(actor, room) == nil ? .notFound : role(actor, room) == .member ? .forbidden : .created
    try await ask(actor, .put, path(room) + "/members/\(people[other].id)", "{}", expect: status)
    if status == .created { model.letIn(other, to: room) }
  }

  private func mayPutOut(_ other: Int, _ room: Int, by actor: Int) -> Status {
    guard let mine = role(actor, room) else { return .notFound }
    if mine == .member { return .forbidden }
    guard let theirs = role(other, room) else { return .notFound }
    return mine == .owner || theirs == .member ? .noContent : .forbidden
  }

  private mutating func remove(_ other: Int, from room: Int, by actor: Int) async throws {
    guard other != actor else { return }
    let status = mayPutOut(other, room, by: actor)
    try await ask(actor, .delete, path(room) + "/members/\(people[other].id)", expect: status)
    if status == .noContent { model.takeOut(other, of: room) }
  }

  private mutating func ban(_ other: Int, from room: Int, by actor: Int) async throws {
    guard other != actor else { return }
    let isBanned = model.rooms[room].banned.contains(other)
    guard isBanned || role(other, room) != nil else { return }
    let mine = role(actor, room)
    let status: Status =
      mine == nil ? .notFound : mine == .member ? .forbidden : isBanned ? .noContent : mayPutOut(other, room, by: actor)
    try await ask(actor, isBanned ? .delete : .put, path(room) + "/bans/\(people[other].id)", expect: status)
    if status == .noContent { model.ban(other, from: room, isOn: !isBanned) }
  }

  /// Only the owner appoints admins and transfers the room.
  private mutating func appoint(_ other: Int, in room: Int, by actor: Int) async throws {
    guard other != actor, role(other, room) != nil, role(actor, room) != .admin else { return }
    let role: Room.Role = [.admin, .member, .owner].randomElement(using: &random) ?? .member
    let mine = model.rooms[room].views[actor]?.role
    let status: Status = mine == nil ? .notFound : mine == .owner ? .ok : .forbidden
    try await ask(
      actor, .put, path(room) + "/members/\(people[other].id)", #"{"role":"\#(role.rawValue)"}"#, expect: status)
    guard status == .ok else { return }
    model.change(room, other) { $0.role = role }
    if role == .owner { model.change(room, actor) { $0.role = .admin } }
  }
}
