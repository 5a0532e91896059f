import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Profile", .shows("A4", "A5", "control 5", "control 6", "control 7", "control 9"))
struct ProfileTests {
  private let store = InMemoryStore()
  private let clock = ManualClock()
  private let ended = Box<[SessionID]>([])

  private func accounts(
    _ passwords: PlainPasswords = PlainPasswords(), throttle: Throttle.Limits? = Throttle.Limits()
  ) -> Accounts {
    Accounts(
      store: store, passwords: passwords, secrets: CountedSecrets(), presence: Presence(clock: clock), clock: clock,
      throttle: throttle, onSessionEnded: { [ended] id in ended.update { $0.append(id) } })
  }

  private func signUp(_ accounts: Accounts, _ name: String = "ada") async throws -> SignedIn {
    try await accounts.signUp(
      email: "\(name)@example.org", password: "analytical", firstName: name, lastName: "", userAgent: "", address: "a")
  }

  private func signIn(_ accounts: Accounts, _ password: String = "analytical") async throws -> SignedIn {
    try await accounts.signIn(email: "ada@example.org", password: password, userAgent: "", address: "a")
  }

  /// The fields and codes of the error thrown by `body`.
  private func refusal(_ body: () async throws -> Void) async -> [String] {
    do {
      try await body()
      return []
    } catch ChatError.invalid(let errors) {
      return errors.map { "\($0.field) \($0.code)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("A new address requires the password and must be free; the failing field is named", .shows("A4"))
  func email() async throws {
    let accounts = accounts()
    let (ada, _) = (try await signUp(accounts), try await signUp(accounts, "bob"))
    func change(_ email: String, _ password: String) async -> [String] {
      await refusal {
        _ = try await accounts.changeEmail(of: ada.session, to: email, password: password, address: "a")
      }
    }
    #expect(await change(" ", "") == ["email required", "password required"])
    #expect(await change("no address", "analytical") == ["email invalid"])
    #expect(await change("new@example.org", "wrong") == ["password wrong"])
    // A taken address is reported only to somebody who knows the password.
    #expect(await change("bob@example.org", "wrong") == ["password wrong"])
    #expect(await change("BOB@example.org", "analytical") == ["email taken"])
    let before = try await store.lastEventID()
    #expect(await change("ada@example.org", "analytical") == [])
    #expect(try await store.lastEventID() == before, "the same address is no news")
    #expect(await change(" Countess@Example.org", "analytical") == [])
    #expect(try await accounts.ownUser(ada.session.userID).email == "countess@example.org")
    let events = try await store.events(after: before, for: ada.session.userID, limit: 10).events
    #expect(events.map(\.name) == ["me.updated"] && events.first?.audience == .user(ada.session.userID))
    await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts) }
    _ = try await accounts.signIn(
      email: "countess@example.org", password: "analytical", userAgent: "", address: "a")
  }

  @Test("A new password ends all other sessions and keeps this one; errors are reported at their fields", .shows("A5"))
  func password() async throws {
    let accounts = accounts()
    let (ada, bob) = (try await signUp(accounts), try await signUp(accounts, "bob"))
    let (second, third) = (try await signIn(accounts), try await signIn(accounts))
    func change(_ current: String, _ new: String) async -> [String] {
      await refusal { try await accounts.changePassword(of: second.session, from: current, to: new, address: "a") }
    }
    #expect(await change("", "short") == ["current required", "new too_short"])
    #expect(await change("analytical", "12345678") == ["new too_common"])
    #expect(await change("analytical", String(repeating: "x", count: 257)) == ["new too_long"])
    #expect(await change("wrong", "difference engine") == ["current wrong"])
    #expect(ended.value.isEmpty)
    #expect(await change("analytical", "difference engine") == [])
    #expect(Set(ended.value) == [ada.session.id, third.session.id])
    #expect(try await accounts.session(secret: second.secret) != nil)
    #expect(try await accounts.session(secret: third.secret) == nil)
    #expect(try await accounts.session(secret: bob.secret) != nil)
    await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts) }
    _ = try await signIn(accounts, "difference engine")
  }

  @Test(
    "Wrong passwords count alike when signing in and when changing address or password", .shows("control 6"))
  func throttled() async throws {
    let accounts = accounts(throttle: .init(burst: 4))
    let ada = try await signUp(accounts)
    await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts, "wrong") }
    for number in 0..<3 {
      let refused = await refusal {
        if number == 1 {
          _ = try await accounts.changeEmail(of: ada.session, to: "x@y.z", password: "wrong", address: "a")
        } else {
          try await accounts.changePassword(of: ada.session, from: "wrong", to: "something else", address: "a")
        }
      }
      #expect(refused == [number == 1 ? "password wrong" : "current wrong"])
    }
    // The right one is refused too, but only here.
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) {
      try await accounts.changePassword(of: ada.session, from: "analytical", to: "something else", address: "a")
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) {
      try await accounts.changeEmail(of: ada.session, to: "x@y.z", password: "analytical", address: "a")
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signIn(accounts) }
    _ = try await accounts.changeEmail(of: ada.session, to: "a@b.c", password: "analytical", address: "other")
    clock.advance(by: .seconds(60))
    try await accounts.changePassword(of: ada.session, from: "analytical", to: "something else", address: "a")
  }

  @Test("Probing for accounts by changing one's address is throttled like guessing", .shows("control 6"))
  func enumeration() async throws {
    let accounts = accounts(throttle: .init(burst: 3))
    let (ada, _) = (try await signUp(accounts), try await signUp(accounts, "bob"))
    func ask() async -> [String] {
      await refusal {
        _ = try await accounts.changeEmail(
          of: ada.session, to: "bob@example.org", password: "analytical", address: "here")
      }
    }
    for _ in 0..<3 { #expect(await ask() == ["email taken"]) }
    #expect(await ask() == ["rateLimited(retryAfter: 60)"])
  }

  @Test("A sign-in or change based on a password that changes meanwhile fails", .shows("A5"))
  func overtaken() async throws {
    let door = Door()
    let accounts = accounts(PlainPasswords(gate: { await door.pass() }))
    let ada = try await signUp(accounts)
    door.close()
    let lane = ManualLane()
    let results = Box<[String]>([])
    for number in 0..<3 {
      Task(executorPreference: lane) { [accounts] in
        do {
          switch number {
          case 0:
            _ = try await accounts.signIn(
              email: "ada@example.org", password: "analytical", userAgent: "", address: "b")
          case 1:
            _ = try await accounts.changeEmail(of: ada.session, to: "n@b.c", password: "analytical", address: "b")
          default:
            try await accounts.changePassword(of: ada.session, from: "analytical", to: "by a thief", address: "b")
          }
          results.update { $0.append("done") }
        } catch ChatError.invalid(let errors) {
          results.update { $0.append(errors[0].field + " " + errors[0].code) }
        } catch {
          results.update { $0.append("\(error)") }
        }
      }
    }
    lane.drain()
    #expect(door.count == 3)
    _ = try await store.setPassword(
      "plain:difference engine", of: ada.session.userID, replacing: nil, keeping: ada.session.id)
    door.open()
    lane.drain()
    #expect(results.value.sorted() == ["current wrong", "password wrong", "unauthenticated"])
    #expect(try await accounts.sessions(of: ada.session.userID) == [ada.session])
    #expect(try await accounts.ownUser(ada.session.userID).email == "ada@example.org")
  }

  @Test("The operator sets a password; the person's sessions end", .shows("A5"))
  func operatorsPassword() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts)
    await #expect(throws: ChatError.notFound) { try await accounts.resetPassword(email: "x@y.z", to: "something") }
    await #expect(throws: ChatError.notFound) { try await accounts.resetPassword(email: "none", to: "something") }
    #expect(
      await refusal { try await accounts.resetPassword(email: "ada@example.org", to: "short") } == ["new too_short"])
    try await accounts.resetPassword(email: " ADA@example.org", to: "difference engine")
    #expect(ended.value == [ada.session.id])
    #expect(try await accounts.session(secret: ada.secret) == nil)
    _ = try await signIn(accounts, "difference engine")
  }

  @Test("The use of a session is recorded once an hour, and reading works even if that fails", .shows("A5"))
  func lastUse() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts)
    func lastUse() async throws -> Timestamp? {
      try await store.sessions(of: ada.session.userID, at: clock.now).first?.lastUsedAt
    }
    let start = clock.now
    #expect(try await lastUse() == start)
    clock.advance(by: .seconds(3599))
    _ = try await accounts.session(secret: ada.secret)
    #expect(try await lastUse() == start)
    clock.advance(by: .seconds(1))
    _ = try await accounts.session(secret: ada.secret)
    #expect(try await lastUse() == start.adding(seconds: 3600))
    clock.setCivilTime(start)
    _ = try await accounts.session(secret: ada.secret)
    #expect(try await lastUse() == start.adding(seconds: 3600), "a clock that was put back changes nothing")
  }

  @Test("A new picture is announced to everyone, and deleted when nobody uses it any more", .shows("A4"))
  func picture() async throws {
    let accounts = accounts()
    let (ada, bob) = (try await signUp(accounts).session.userID, try await signUp(accounts, "bob").session.userID)
    let picture = Picture(id: PictureID(digest: [UInt8](repeating: 1, count: 32)), mediaType: "image/png", bytes: [1])
    let before = try await store.lastEventID()
    #expect(try await accounts.setPicture(picture, of: ada).user.avatarKey == .picture(picture.id))
    #expect(try await accounts.setPicture(picture, of: ada).user.picture == picture.id)
    _ = try await accounts.setPicture(picture, of: bob)
    let events = try await store.events(after: before, for: id(99), limit: 10).events
    #expect(events.map(\.name) == ["user.updated", "user.updated"], "the same picture is no news")
    #expect(try await accounts.setPicture(nil, of: ada).user.picture == nil)
    #expect(try await store.picture(picture.id) == picture)
    _ = try await accounts.setPicture(nil, of: bob)
    #expect(try await store.picture(picture.id) == nil)
  }
}
