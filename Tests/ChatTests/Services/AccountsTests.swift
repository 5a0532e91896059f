import Chat
import Testing
@testable import ChatTesting

@Suite("Accounts (A2–A5, SECURITY 1, 5–7, 9)")
struct AccountsTests {
  private let store = InMemoryStore()
  private let clock = ManualClock()
  private let ended = Box<[SessionID]>([])

  private func accounts(
    _ passwords: PlainPasswords = PlainPasswords(), registration: RegistrationMode = .open,
    throttle: Throttle.Limits? = Throttle.Limits()
  ) -> Accounts {
    Accounts(
      store: store, passwords: passwords, secrets: CountedSecrets(), presence: Presence(clock: clock), clock: clock,
      registration: registration, throttle: throttle, onSessionEnded: { [ended] id in ended.update { $0.append(id) } })
  }

  private func signUp(_ accounts: Accounts, _ email: String = "ada@example.org") async throws -> SignedIn {
    try await accounts.signUp(
      email: email, password: "analytical", firstName: "Ada", lastName: "", userAgent: "Test", address: "10.0.0.1")
  }

  private func signIn(
    _ accounts: Accounts, _ email: String = "ada@example.org", _ password: String = "analytical",
    address: String = "10.0.0.1"
  ) async throws -> SignedIn {
    try await accounts.signIn(email: email, password: password, userAgent: "Test", address: address)
  }

  @Test("a sign-up makes an account and a session; the first account is the admin (A3)")
  func signUp() async throws {
    let accounts = accounts()
    let first = try await signUp(accounts, " Ada@Example.org")
    #expect(first.ownUser.isAdmin && first.ownUser.email == "ada@example.org" && first.ownUser.user.name == "Ada")
    #expect(try await accounts.session(secret: first.secret) == first.session)
    #expect(first.session.secretHash == CountedSecrets().hash(first.secret))
    let second = try await signUp(accounts, "bob@example.org")
    #expect(!second.ownUser.isAdmin)
    #expect(try await accounts.ownUser(second.ownUser.user.id) == second.ownUser)
    await #expect(throws: ChatError.notFound) { try await accounts.ownUser(id(77)) }
  }

  @Test("a taken address is told at its field, in any case of letters (A2)")
  func taken() async throws {
    let accounts = accounts()
    _ = try await signUp(accounts)
    let error = await #expect(throws: ChatError.self) { try await signUp(accounts, "ADA@example.org") }
    guard case .invalid(let errors) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(errors.map(\.field) == ["email"] && errors.map(\.code) == ["taken"])
  }

  @Test("asking who is here by signing up is throttled like guessing")
  func enumeration() async throws {
    let accounts = accounts(throttle: .init(failures: 3))
    _ = try await signUp(accounts)
    for _ in 0..<3 { await #expect(throws: ChatError.self) { try await signUp(accounts) } }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signUp(accounts, "new@example.org") }
  }

  @Test("registration that is not open refuses (A3)", arguments: [RegistrationMode.invite, .github, .closed])
  func registration(mode: RegistrationMode) async throws {
    let passwords = PlainPasswords()
    let accounts = accounts(passwords, registration: mode)
    let error = await #expect(throws: ChatError.self) { try await signUp(accounts) }
    guard case .forbidden = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(passwords.calls.value.hashed == 0)
  }

  @Test("every sign-in makes a new session of 180 days (SECURITY 1)")
  func sessions() async throws {
    let accounts = accounts()
    let first = try await signUp(accounts)
    clock.advance(by: .seconds(1))
    let second = try await signIn(accounts, " ADA@example.org ")
    #expect(first.secret != second.secret && first.session.id != second.session.id)
    #expect(try await accounts.sessions(of: first.ownUser.user.id) == [second.session, first.session])
    #expect(second.session.expiresAt == clock.now.adding(seconds: 180 * 86_400))
    clock.setCivilTime(second.session.expiresAt.adding(seconds: -1))
    #expect(try await accounts.session(secret: second.secret) != nil)
    clock.setCivilTime(second.session.expiresAt.adding(seconds: 1))
    #expect(try await accounts.session(secret: second.secret) == nil)
    #expect(try await accounts.session(secret: "guess") == nil)
  }

  @Test("a browser's name is kept without controls, 200 characters of it")
  func userAgent() async throws {
    let accounts = accounts()
    let signedIn = try await accounts.signUp(
      email: "a@b.c", password: "analytical", firstName: "A", lastName: "",
      userAgent: "a\u{1B}[1m" + String(repeating: "x", count: 300), address: "")
    #expect(signedIn.session.userAgent == "a[1m" + String(repeating: "x", count: 196))
  }

  @Test("unknown address, address that is none, and wrong password fail alike, after the same work (SECURITY 7)")
  func sameAnswer() async throws {
    let passwords = PlainPasswords()
    let accounts = accounts(passwords)
    _ = try await signUp(accounts)
    for (email, password) in [
      ("ada@example.org", "wrong"), ("eve@example.org", "analytical"), ("no address", "analytical"),
      ("ada@example.org", String(repeating: "x", count: 257)),
    ] {
      await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts, email, password) }
    }
    #expect(passwords.calls.value.verified == ["plain:analytical", nil, nil, nil])
  }

  @Test("an empty field is told at the field, without work")
  func empty() async throws {
    let passwords = PlainPasswords()
    let error = await #expect(throws: ChatError.self) { try await signIn(accounts(passwords), " ", "") }
    guard case .invalid(let errors) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(errors.map(\.field) == ["email", "password"])
    #expect(passwords.calls.value.verified.isEmpty)
  }

  @Test("20 wrong passwords slow the account for every address, and not for good (SECURITY 6)")
  func accountThrottle() async throws {
    let accounts = accounts()
    _ = try await signUp(accounts)
    for number in 0..<20 {
      await #expect(throws: ChatError.unauthenticated) {
        try await signIn(
          accounts, number % 2 == 0 ? "ada@example.org" : "Ada@Example.org", "wrong", address: "\(number)")
      }
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signIn(accounts, address: "other") }
    clock.advance(by: .seconds(60))
    _ = try await signIn(accounts, address: "other")
    // Success has reset the account's counter.
    for number in 0..<19 {
      await #expect(throws: ChatError.unauthenticated) {
        try await signIn(accounts, "ada@example.org", "wrong", address: "again \(number)")
      }
    }
    _ = try await signIn(accounts, address: "other")
  }

  @Test("20 wrong ones from an address slow it for every account, known or not (SECURITY 6)")
  func addressThrottle() async throws {
    let accounts = accounts()
    _ = try await signUp(accounts)
    for number in 0..<20 {
      await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts, "x\(number)@example.org") }
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signIn(accounts) }
    _ = try await signIn(accounts, address: "10.0.0.2")
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signIn(accounts) }
  }

  @Test("many guesses at once learn no more than one after the other (SECURITY 6)")
  func concurrentGuesses() async throws {
    let door = Door()
    let accounts = accounts(PlainPasswords(gate: { await door.pass() }), throttle: .init(failures: 3))
    _ = try await signUp(accounts)
    door.close()
    let lane = ManualLane()
    let results = Box<[String]>([])
    for number in 0..<6 {
      Task(executorPreference: lane) { [accounts] in
        let password = number == 5 ? "analytical" : "wrong"
        do {
          _ = try await accounts.signIn(
            email: "ada@example.org", password: password, userAgent: "", address: "\(number)")
          results.update { $0.append("in") }
        } catch {
          results.update { $0.append("\(error)") }
        }
      }
    }
    lane.drain()
    #expect(door.count == 6)
    door.open()
    lane.drain()
    #expect(
      results.value == Array(repeating: "unauthenticated", count: 3)
        + Array(repeating: "rateLimited(retryAfter: 60)", count: 3))
  }

  @Test("without a throttle everybody guesses at will")
  func unthrottled() async throws {
    let accounts = accounts(throttle: nil)
    _ = try await signUp(accounts)
    for _ in 0..<50 { await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts, "x@y.z") } }
    _ = try await signIn(accounts)
  }

  @Test("signing out ends the session on the server and its streams (A5, SECURITY 9)")
  func signOut() async throws {
    let accounts = accounts()
    let signedIn = try await signUp(accounts)
    try await accounts.signOut(signedIn.session)
    #expect(try await accounts.session(secret: signedIn.secret) == nil)
    #expect(ended.value == [signedIn.session.id])
  }

  @Test("one session or all others can be ended, and nobody else's (A5)")
  func endSessions() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts)
    let bob = try await signUp(accounts, "bob@example.org")
    let second = try await signIn(accounts)
    let third = try await signIn(accounts)
    await #expect(throws: ChatError.notFound) {
      try await accounts.endSession(second.session.id, of: bob.ownUser.user.id)
    }
    #expect(ended.value.isEmpty)
    try await accounts.endSession(second.session.id, of: ada.ownUser.user.id)
    #expect(ended.value == [second.session.id])
    try await accounts.endOtherSessions(of: third.session)
    #expect(ended.value == [second.session.id, ada.session.id])
    #expect(try await accounts.sessions(of: ada.ownUser.user.id) == [third.session])
    #expect(try await accounts.session(secret: bob.secret) != nil)
  }

  @Test("a new name is checked, kept and told to everyone; the same name is no news (A4)")
  func rename() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts).ownUser.user.id
    let before = try await store.lastEventID()
    #expect(try await accounts.rename(ada, firstName: nil, lastName: " King ").user.name == "Ada King")
    #expect(try await accounts.rename(ada, firstName: "Ada", lastName: nil).user.name == "Ada King")
    let events = try await store.events(after: before, for: id(99), limit: 10).events
    #expect(events.map(\.name) == ["user.updated"])
    await #expect(throws: ChatError.self) { try await accounts.rename(ada, firstName: " ", lastName: nil) }
  }
}
