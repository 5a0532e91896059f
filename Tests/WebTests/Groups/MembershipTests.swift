import Chat
import HTTP
import HTTPServer
import Testing

@testable import Web

/// Who comes into a group, who goes, and who may decide it.
@Suite("Membership of groups")
struct MembershipTests {
  private func with(isPublic: Bool = false, _ body: (TestHub, Cast, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      try await body(hub, cast, try await cast.group(isPublic: isPublic))
    }
  }

  @Test("R1 Who is added has read what was there, hears of the room, and the room of him; again nothing changes")
  func adds() async throws {
    try await with { hub, cast, room in
      try await cast.owner.say("before", in: room)
      let start = try await hub.store.lastEventID()
      let path = "/rooms/\(room)/members/\(cast.target.id)"
      let added = try await cast.admin.send(.put, path)
      #expect(try added.status == .created && added.json()["role"]?.text == "member")
      #expect(try added.json()["id"]?.text == "\(cast.target.id)")
      let told = try await cast.target.told(after: start)
      #expect(told.map(\.name) == ["room.created", "member.updated"])
      #expect(told[0].data["unread_count"]?.integer == 0 && told[0].data["last_seq"]?.integer == 1)
      let heard = try await cast.member.told(after: start)
      #expect(heard.map(\.name) == ["member.updated"] && heard[0].data["role"]?.text == "member")
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

  @Test("R1 The owner makes and unmakes admins and hands the room over; what is no role is told by field")
  func roles() async throws {
    try await with { hub, cast, room in
      func set(_ person: Person, _ role: String, by actor: Person) async throws -> TestResponse {
        try await actor.send(.put, "/rooms/\(room)/members/\(person.id)", #"{"role":"\#(role)"}"#)
      }
      let start = try await hub.store.lastEventID()
      #expect(try await set(cast.member, "admin", by: cast.owner).status == .ok)
      #expect(try await cast.member.told(after: start).map { $0.data["role"]?.text } == ["admin"])
      // The new admin may at once what he could not; and no more once he is one no longer.
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
      // A room has an owner: he steps down by handing it over.
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

  @Test("R1 SECURITY 8 Whom one does not outrank one can neither remove nor ban", arguments: [true, false])
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

  @Test("R1 Who leaves is out, is told so last, and the room hears of it")
  func leaves() async throws {
    try await with { hub, cast, room in
      try await cast.owner.say("one", in: room)
      let start = try await hub.store.lastEventID()
      #expect(try await cast.member.send(.delete, "/rooms/\(room)/membership").status == .noContent)
      #expect(try await cast.member.told(after: start).map(\.name) == ["room.removed"])
      let heard = try await cast.other.told(after: start)
      #expect(heard.map(\.name) == ["member.updated"] && heard[0].data["role"] == .null)
      #expect(heard[0].data["members_count"]?.integer == 3)
      #expect(try await !cast.member.lists(room))
      try await cast.member.get("/rooms/\(room)/messages").expectProblem(.notFound, "not-found")
      try await cast.member.send(.delete, "/rooms/\(room)/membership").expectProblem(.notFound, "not-found")
      // To remove oneself is to leave.
      #expect(try await cast.owner.send(.delete, "/rooms/\(room)/members/\(cast.owner.id)").status == .noContent)
      #expect(try await cast.admin.role(of: cast.admin, in: room) == "owner")
    }
  }

  @Test("R1 Of an owner who goes the longest-serving admin takes over, else the longest-serving member, at last nobody")
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
      let told = try await cast.other.told(after: start)
      #expect(told.map { $0.data["role"] } == [.null, .text("owner")])
      #expect(told.map { $0.data["user"]?["id"]?.text } == ["\(cast.owner.id)", "\(cast.admin.id)"])
      try await leave(cast.admin)
      #expect(try await cast.other.role(of: second, in: room) == "owner")
      try await leave(second)
      // Both came with the room; the one who was named first counts as come first.
      #expect(try await cast.other.role(of: cast.member, in: room) == "owner")
      try await leave(cast.member)
      #expect(try await cast.other.role(of: cast.other, in: room) == "owner")
      try await leave(cast.other)
      // Nobody is left who could let anybody in.
      for person in [cast.owner, cast[.outsider]] {
        try await person.get("/rooms/\(room)").expectProblem(.notFound, "not-found")
        try await person.send(.put, "/rooms/\(room)/membership", "{}").expectProblem(.notFound, "not-found")
      }
      #expect(try await cast.owner.get("/public_rooms").json() == .array([]))
    }
  }

  @Test("R1 An owner's place goes to somebody with an account before somebody who never signed in here")
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

  @Test("R1 Anybody joins a public group, once, and has read what was there")
  func joins() async throws {
    try await with(isPublic: true) { hub, cast, room in
      try await cast.owner.say("before", in: room)
      let outsider = cast[.outsider]
      let start = try await hub.store.lastEventID()
      let joined = try await outsider.send(.put, "/rooms/\(room)/membership", "{}")
      #expect(try joined.status == .ok && joined.json()["role"]?.text == "member")
      #expect(try joined.json()["unread_count"]?.integer == 0 && joined.json()["last_seq"]?.integer == 1)
      #expect(try await outsider.told(after: start).map(\.name) == ["room.created", "member.updated"])
      #expect(try await cast.owner.told(after: start).map(\.name) == ["member.updated"])
      let after = try await hub.store.lastEventID()
      #expect(try await outsider.send(.put, "/rooms/\(room)/membership", "{}").status == .ok)
      #expect(try await hub.store.lastEventID() == after)
      // It is the newest chat of who has just come, though its message is old.
      #expect(try await outsider.get("/rooms").json()[0]?["id"]?.text == room)
      try await cast.other.say("after", in: room)
      #expect(try await outsider.get("/rooms/\(room)").json()["unread_count"]?.integer == 1)
    }
  }

  @Test("R1 Whoever is banned comes back by no way, until the ban is lifted; all who are banned are listed in pages")
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
      // Also who was never in; again nothing changes; nobody bans himself.
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

  @Test("R1 A direct room has its two people: nobody leaves, comes, or is banned")
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
