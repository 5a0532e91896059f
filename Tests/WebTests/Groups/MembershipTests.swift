import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// Joining and leaving groups, and who may decide it.
@Suite("Group membership")
struct MembershipTests {
  private func with(isPublic: Bool = false, _ body: (TestHub, Cast, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      try await body(hub, cast, try await cast.group(isPublic: isPublic))
    }
  }

  @Test(
    "An added member has read earlier messages; they and the room are notified, once", .shows("R1"))
  func adds() async throws {
    try await with { hub, cast, room in
      try await cast.owner.say("before", in: room)
      let start = try await hub.store.lastEventID()
      let path = "/rooms/\(room)/members/\(cast.target.id)"
      let added = try await cast.admin.send(.put, path)
      #expect(try added.status == .created && added.json()["role"]?.text == "member")
      #expect(try added.json()["id"]?.text == "\(cast.target.id)")
      let told = try await cast.target.told(after: start)
      #expect(told.map(\.name) == ["room.created", "member.updated", "room.changed"])
      #expect(told[0].data["unread_count"]?.integer == 0 && told[0].data["last_seq"]?.integer == 1)
      let heard = try await cast.member.told(after: start)
      #expect(heard.map(\.name) == ["member.updated", "room.changed"] && heard[0].data["role"]?.text == "member")
      #expect(heard[0].data["members_count"]?.integer == 5)
      #expect(heard[0].data["user"]?["id"]?.text == "\(cast.target.id)" && heard[0].data["room_id"]?.text == room)
      #expect(try await cast.target.get("/rooms/\(room)/messages").json().array.count == 1)
      let after = try await hub.store.lastEventID()
      #expect(try await cast.admin.send(.put, path, "{}").status == .ok)
      #expect(try await cast.admin.send(.put, path, #"{"role":"member"}"#).status == .ok)
      #expect(try await hub.store.lastEventID() == after)
      let nobody = UserID(at: hub.clock.now)
      for user in ["\(nobody)", "nonsense"] {
        try await cast.owner.send(.put, "/rooms/\(room)/members/\(user)", "{}").expectProblem(.notFound, "not-found")
        try await cast.owner.send(.delete, "/rooms/\(room)/members/\(user)").expectProblem(.notFound, "not-found")
        try await cast.owner.send(.put, "/rooms/\(room)/bans/\(user)", "{}").expectProblem(.notFound, "not-found")
      }
    }
  }

  @Test("The owner appoints admins and transfers the room; an invalid role is a field error", .shows("R1"))
  func roles() async throws {
    try await with { hub, cast, room in
      func set(_ person: Person, _ role: String, by actor: Person) async throws -> TestResponse {
        try await actor.send(.put, "/rooms/\(room)/members/\(person.id)", #"{"role":"\#(role)"}"#)
      }
      let start = try await hub.store.lastEventID()
      #expect(try await set(cast.member, "admin", by: cast.owner).status == .ok)
      #expect(try await cast.member.told(after: start).map { $0.data["role"]?.text } == ["admin", nil])
      // The new admin's rights apply at once, and end with the role.
      #expect(try await cast.member.get("/rooms/\(room)/bans").status == .ok)
      #expect(try await set(cast.member, "member", by: cast.owner).status == .ok)
      try await cast.member.get("/rooms/\(room)/bans").expectProblem(.forbidden, "forbidden")
      for wrong in ["king", "", "Owner"] {
        let answer = try await set(cast.member, wrong, by: cast.owner)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == ["role": "invalid"])
      }
      let typed = try await cast.owner.send(.put, "/rooms/\(room)/members/\(cast.member.id)", #"{"role":1}"#)
      #expect(try typed.expectProblem(.unprocessableContent, "invalid") == ["role": "wrong_type"])
      let outside = try await set(cast.target, "owner", by: cast.owner)
      #expect(try outside.expectProblem(.unprocessableContent, "invalid") == ["role": "invalid"])
      // A room has one owner, who steps down by transferring it.
      try await set(cast.owner, "member", by: cast.owner).expectProblem(.conflict, "conflict")
      #expect(try await set(cast.owner, "owner", by: cast.owner).status == .ok)
      #expect(try await set(cast.target, "admin", by: cast.owner).status == .created)
      try await set(cast.other, "admin", by: cast.admin).expectProblem(.forbidden, "forbidden")
      #expect(try await set(cast.admin, "owner", by: cast.owner).status == .ok)
      #expect(try await cast.member.role(of: cast.admin, in: room) == "owner")
      #expect(try await cast.member.role(of: cast.owner, in: room) == "admin")
      try await set(cast.other, "admin", by: cast.owner).expectProblem(.forbidden, "forbidden")
    }
  }

  @Test(
    "Nobody can remove or ban a member of equal or higher rank", .shows("R1", "control 8"), arguments: [true, false])
  func ranks(bans: Bool) async throws {
    try await with { hub, cast, _ in
      let second = try await hub.signUp("Second")
      for actor in [Actor.member, .admin, .owner] {
        for (victim, rank) in [(cast.owner, 0), (second, 1), (cast.other, 2)] where victim.id != cast[actor].id {
          let room = try await cast.group()
          _ = try await cast.owner.send(.put, "/rooms/\(room)/members/\(second.id)", #"{"role":"admin"}"#)
          let may = actor == .owner || actor == .admin && rank == 2
          let before = try await cast.state(of: room)
          let answer =
            bans
            ? try await cast[actor].send(.put, "/rooms/\(room)/bans/\(victim.id)", "{}")
            : try await cast[actor].send(.delete, "/rooms/\(room)/members/\(victim.id)")
          if may {
            #expect(answer.status == .noContent, "\(actor) \(rank)")
            #expect(try await cast.owner.role(of: victim, in: room) == nil)
          } else {
            try answer.expectProblem(.forbidden, "forbidden")
            #expect(try await cast.state(of: room) == before)
          }
        }
      }
    }
  }

  @Test("A member who leaves gets a last event about it, and the room is notified", .shows("R1"))
  func leaves() async throws {
    try await with { hub, cast, room in
      try await cast.owner.say("one", in: room)
      let start = try await hub.store.lastEventID()
      #expect(try await cast.member.send(.delete, "/rooms/\(room)/membership").status == .noContent)
      #expect(try await cast.member.told(after: start).map(\.name) == ["room.removed"])
      let heard = try await cast.other.told(after: start)
      #expect(heard.map(\.name) == ["member.updated", "room.changed"] && heard[0].data["role"] == .null)
      #expect(heard[0].data["members_count"]?.integer == 3)
      #expect(try await !cast.member.lists(room))
      try await cast.member.get("/rooms/\(room)/messages").expectProblem(.notFound, "not-found")
      try await cast.member.send(.delete, "/rooms/\(room)/membership").expectProblem(.notFound, "not-found")
      // Removing oneself is leaving.
      #expect(try await cast.owner.send(.delete, "/rooms/\(room)/members/\(cast.owner.id)").status == .noContent)
      #expect(try await cast.admin.role(of: cast.admin, in: room) == "owner")
    }
  }

  @Test(
    "A leaving owner is succeeded by the longest-serving admin, then member, and at last by nobody",
    .shows("R1"))
  func succession() async throws {
    try await with(isPublic: true) { hub, cast, room in
      let second = try await hub.signUp("Second")
      for role in ["member", "admin"] {
        _ = try await cast.owner.send(.put, "/rooms/\(room)/members/\(second.id)", #"{"role":"\#(role)"}"#)
      }
      func leave(_ person: Person) async throws {
        #expect(try await person.send(.delete, "/rooms/\(room)/membership").status == .noContent)
      }
      let start = try await hub.store.lastEventID()
      try await leave(cast.owner)
      #expect(try await cast.other.role(of: cast.admin, in: room) == "owner")
      let told = try await cast.other.told(after: start).filter { $0.name != "room.changed" }
      #expect(told.map { $0.data["role"] } == [.null, .text("owner")])
      #expect(told.map { $0.data["user"]?["id"]?.text } == ["\(cast.owner.id)", "\(cast.admin.id)"])
      try await leave(cast.admin)
      #expect(try await cast.other.role(of: second, in: room) == "owner")
      try await leave(second)
      // Both joined with the room; the one named first counts as first.
      #expect(try await cast.other.role(of: cast.member, in: room) == "owner")
      try await leave(cast.member)
      #expect(try await cast.other.role(of: cast.other, in: room) == "owner")
      try await leave(cast.other)
      // Nobody is left to admit anyone.
      for person in [cast.owner, cast[.outsider]] {
        try await person.get("/rooms/\(room)").expectProblem(.notFound, "not-found")
        try await person.send(.put, "/rooms/\(room)/membership", "{}").expectProblem(.notFound, "not-found")
      }
      #expect(try await cast.owner.get("/public_rooms").json() == .array([]))
    }
  }

  @Test("An owner is succeeded by somebody with an account before somebody who never signed in", .shows("R1"))
  func successionOfGuests() async throws {
    try await with { hub, cast, _ in
      let account = GitHubAccount(id: 583_231, login: "octocat", type: "User", avatarURL: "")
      let guest = try await hub.store.person(for: account, newID: UserID(at: hub.clock.now), at: hub.clock.now)
      let made = try await cast.owner.send(
        .post, "/rooms", #"{"kind":"group","name":"G","member_ids":["\#(guest.id)","\#(cast.member.id)"]}"#)
      let room = try #require(try made.json()["id"]?.text)
      #expect(try await cast.owner.send(.delete, "/rooms/\(room)/membership").status == .noContent)
      #expect(try await cast.member.role(of: cast.member, in: room) == "owner")
    }
  }

  @Test("Anyone can join a public group, once, and has read earlier messages", .shows("R1"))
  func joins() async throws {
    try await with(isPublic: true) { hub, cast, room in
      try await cast.owner.say("before", in: room)
      let outsider = cast[.outsider]
      let start = try await hub.store.lastEventID()
      let joined = try await outsider.send(.put, "/rooms/\(room)/membership", "{}")
      #expect(try joined.status == .ok && joined.json()["role"]?.text == "member")
      #expect(try joined.json()["unread_count"]?.integer == 0 && joined.json()["last_seq"]?.integer == 1)
      #expect(try await outsider.told(after: start).map(\.name) == ["room.created", "member.updated", "room.changed"])
      #expect(try await cast.owner.told(after: start).map(\.name) == ["member.updated", "room.changed"])
      let after = try await hub.store.lastEventID()
      #expect(try await outsider.send(.put, "/rooms/\(room)/membership", "{}").status == .ok)
      #expect(try await hub.store.lastEventID() == after)
      // It is the newest chat for the new member, though its message is old.
      #expect(try await outsider.get("/rooms").json()[0]?["id"]?.text == room)
      try await cast.other.say("after", in: room)
      #expect(try await outsider.get("/rooms/\(room)").json()["unread_count"]?.integer == 1)
    }
  }

  @Test(
    "A banned person cannot return by any route until the ban is lifted; bans are listed in pages",
    .shows("R1"))
  func bans() async throws {
    try await with(isPublic: true) { hub, cast, room in
      let banned = cast[.banned]
      let invitation = try await cast.invite(room)
      func ways() async throws -> [TestResponse] {
        [
          try await banned.send(.put, "/rooms/\(room)/membership", "{}"),
          try await banned.send(.post, "/invitations/\(invitation.token)", "{}"),
          try await cast.owner.send(.put, "/rooms/\(room)/members/\(banned.id)", "{}"),
        ]
      }
      let refused = try await ways()
      try refused[0].expectProblem(.forbidden, "forbidden")
      try refused[1].expectProblem(.forbidden, "forbidden")
      try refused[2].expectProblem(.conflict, "conflict")
      #expect(try await cast.owner.get("/rooms/\(room)/invitations").json()[0]?["uses"]?.integer == 0)
      // Also people who were never members; repeating changes nothing; nobody can ban themselves.
      let others = [cast.target, cast[.outsider], cast[.removed]]
      for person in others + others {
        #expect(try await cast.admin.send(.put, "/rooms/\(room)/bans/\(person.id)", "{}").status == .noContent)
      }
      try await cast.admin.send(.put, "/rooms/\(room)/bans/\(cast.admin.id)", "{}").expectProblem(.conflict, "conflict")
      for limit in 1...5 {
        var (seen, path) = ([String?](), String?.some("/api/v1/rooms/\(room)/bans?limit=\(limit)"))
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: cast.admin.cookie])
          seen += try page.json().array.map { $0["name"]?.text }
          path = page.link("next")
        }
        #expect(seen == ["Banned", "Outsider", "Removed", "Target"])
      }
      for _ in 1...2 {
        #expect(try await cast.admin.send(.delete, "/rooms/\(room)/bans/\(banned.id)").status == .noContent)
      }
      #expect(try await banned.send(.put, "/rooms/\(room)/membership", "{}").status == .ok)
      #expect(try await cast.owner.role(of: banned, in: room) == "member")
    }
  }

  @Test("A direct room keeps its two people: nobody leaves, joins, or is banned", .shows("R1"))
  func direct() async throws {
    try await with { hub, cast, _ in
      let room = try await cast.owner.room(with: cast.other)
      for (method, rest) in [
        (HTTP.Method.delete, "membership"), (.put, "members/\(cast.target.id)"), (.delete, "members/\(cast.other.id)"),
        (.put, "bans/\(cast.other.id)"), (.post, "invitations"),
      ] {
        let answer = try await cast.owner.send(method, "/rooms/\(room)/\(rest)", method == .delete ? nil : "{}")
        try answer.expectProblem(.conflict, "conflict")
      }
    }
  }
}
