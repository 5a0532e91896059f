import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Accounts", .shows("A2", "A3", "A4", "A5", "control 1", "control 5", "control 6", "control 7", "control 9"))
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

  @Test("a sign-up creates an account and a session; the first account is the admin", .shows("A3"))
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

  @Test("a taken address is reported at its field, in any case", .shows("A2"))
  func taken() async throws {
    let accounts = accounts()
    _ = try await signUp(accounts)
    let error = await #expect(throws: ChatError.self) { try await signUp(accounts, "ADA@example.org") }
    guard case .invalid(let errors) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(errors.map(\.field) == ["email"] && errors.map(\.code) == ["taken"])
  }

  @Test("probing for accounts by signing up is throttled like guessing")
  func enumeration() async throws {
    let accounts = accounts(throttle: .init(burst: 3))
    _ = try await signUp(accounts)
    for _ in 0..<3 { await #expect(throws: ChatError.self) { try await signUp(accounts) } }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signUp(accounts, "new@example.org") }
  }

  @Test("sign-up requires open registration", .shows("A3"), arguments: [RegistrationMode.invite, .github, .closed])
  func registration(mode: RegistrationMode) async throws {
    let passwords = PlainPasswords()
    let accounts = accounts(passwords, registration: mode)
    let error = await #expect(throws: ChatError.self) { try await signUp(accounts) }
    guard case .forbidden = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(passwords.calls.value.hashed == 0)
  }

  @Test("every sign-in creates a new session of 180 days", .shows("control 1"))
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

  @Test("a browser's name is stored without control characters, up to 200 characters")
  func userAgent() async throws {
    let accounts = accounts()
    let signedIn = try await accounts.signUp(
      email: "a@b.c", password: "analytical", firstName: "A", lastName: "",
      userAgent: "a\u{1B}[1m" + String(repeating: "x", count: 300), address: "")
    #expect(signedIn.session.userAgent == "a[1m" + String(repeating: "x", count: 196))
  }

  @Test(
    "an unknown address, an invalid one and a wrong password fail alike, after the same work", .shows("control 7"))
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

  @Test("an empty field is reported without hashing")
  func empty() async throws {
    let passwords = PlainPasswords()
    let error = await #expect(throws: ChatError.self) { try await signIn(accounts(passwords), " ", "") }
    guard case .invalid(let errors) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(errors.map(\.field) == ["email", "password"])
    #expect(passwords.calls.value.verified.isEmpty)
  }

  @Test("20 wrong passwords throttle an account at their address, for a while, and not elsewhere", .shows("control 6"))
  func accountThrottle() async throws {
    let accounts = accounts()
    _ = try await signUp(accounts)
    for number in 0..<20 {
      await #expect(throws: ChatError.unauthenticated) {
        try await signIn(accounts, number % 2 == 0 ? "ada@example.org" : "Ada@Example.org", "wrong", address: "eve")
      }
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await signIn(accounts, address: "eve") }
    _ = try await signIn(accounts, address: "other")
    clock.advance(by: .seconds(60))
    _ = try await signIn(accounts, address: "eve")
    // The sign-in has reset the account's failures at this address.
    clock.advance(by: .seconds(1200))
    for _ in 0..<19 {
      await #expect(throws: ChatError.unauthenticated) {
        try await signIn(accounts, "ada@example.org", "wrong", address: "eve")
      }
    }
    _ = try await signIn(accounts, address: "eve")
  }

  @Test("guesses from everywhere throttle an account at 200, except on a device known to it", .shows("control 6"))
  func accountCeiling() async throws {
    let accounts = accounts()
    let device = try await signUp(accounts).device
    for number in 0..<200 {
      await #expect(throws: ChatError.unauthenticated) {
        try await signIn(accounts, "ada@example.org", "wrong", address: "\(number)")
      }
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 6)) { try await signIn(accounts, address: "other") }
    let own = try await accounts.signIn(
      email: "ada@example.org", password: "analytical", userAgent: "Test", address: "other", device: device)
    #expect(own.device != nil && own.device != device)
    clock.advance(by: .seconds(6))
    _ = try await signIn(accounts, address: "other")
  }

  @Test(
    "a device has its own limit of 20 guesses; its token ends with the password and is invalid for other accounts",
    .shows("control 6"))
  func deviceToken() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts)
    let bob = try await signUp(accounts, "bob@example.org")
    func guess(_ password: String, device: String?, address: String = "eve") async throws {
      _ = try await accounts.signIn(
        email: "ada@example.org", password: password, userAgent: "", address: address, device: device)
    }
    for _ in 0..<20 {
      await #expect(throws: ChatError.unauthenticated) { try await guess("wrong", device: ada.device, address: "home") }
    }
    await #expect(throws: ChatError.rateLimited(retryAfter: 60)) {
      try await guess("analytical", device: ada.device, address: "elsewhere")
    }
    // None of these counted against the address.
    try await guess("analytical", device: nil, address: "home")
    clock.advance(by: .seconds(1200))
    let token = try await accounts.changePassword(
      of: ada.session, from: "analytical", to: "differential", address: "home", device: ada.device)
    for _ in 0..<20 { await #expect(throws: ChatError.unauthenticated) { try await guess("wrong", device: nil) } }
    let forged = token.split(separator: ".").dropLast().joined(separator: ".") + ".0"
    for useless in [ada.device, bob.device, forged, "", "..", nil] {
      await #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try await guess("differential", device: useless) }
    }
    try await guess("differential", device: token)
  }

  @Test("60 accounts can be created from an address at once, then one every 20 seconds", .shows("control 6"))
  func signUps() async throws {
    let accounts = accounts()
    for number in 0..<60 { _ = try await signUp(accounts, "a\(number)@example.org") }
    await #expect(throws: ChatError.rateLimited(retryAfter: 20)) { try await signUp(accounts, "late@example.org") }
    clock.advance(by: .seconds(20))
    _ = try await signUp(accounts, "late@example.org")
  }

  @Test("20 failures from an address throttle it for every account, known or not", .shows("control 6"))
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

  @Test("concurrent guesses reveal no more than sequential ones", .shows("control 6"))
  func concurrentGuesses() async throws {
    let door = Door()
    let accounts = accounts(PlainPasswords(gate: { await door.pass() }), throttle: .init(burst: 3))
    _ = try await signUp(accounts)
    door.close()
    let lane = ManualLane()
    let results = Box<[String]>([])
    for number in 0..<6 {
      Task(executorPreference: lane) { [accounts] in
        let password = number == 5 ? "analytical" : "wrong"
        do {
          _ = try await accounts.signIn(
            email: "ada@example.org", password: password, userAgent: "", address: "eve")
          results.update { $0.append("in") }
        } catch {
          results.update { $0.append("\(error)") }
        }
      }
    }
    lane.drain()
    // A guess is counted before any work is done for it.
    #expect(door.count == 3)
    door.open()
    lane.drain()
    #expect(
      results.value == Array(repeating: "rateLimited(retryAfter: 60)", count: 3)
        + Array(repeating: "unauthenticated", count: 3))
  }

  @Test("without a throttle guesses are unlimited")
  func unthrottled() async throws {
    let accounts = accounts(throttle: nil)
    _ = try await signUp(accounts)
    for _ in 0..<50 { await #expect(throws: ChatError.unauthenticated) { try await signIn(accounts, "x@y.z") } }
    _ = try await signIn(accounts)
  }

  @Test("signing out ends the session on the server and its streams", .shows("A5", "control 9"))
  func signOut() async throws {
    let accounts = accounts()
    let signedIn = try await signUp(accounts)
    try await accounts.signOut(signedIn.session)
    #expect(try await accounts.session(secret: signedIn.secret) == nil)
    #expect(ended.value == [signedIn.session.id])
  }

  @Test("a person can end one of their sessions or all others, and nobody else's", .shows("A5"))
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

  @Test("a new name is checked, stored and announced to everyone; an unchanged name is not", .shows("A4"))
  func rename() async throws {
    let accounts = accounts()
    let ada = try await signUp(accounts).ownUser.user.id
    let before = try await store.lastEventID()
    #expect(try await accounts.changeProfile(of: ada, ProfileChange(lastName: " King ")).user.name == "Ada King")
    #expect(try await accounts.changeProfile(of: ada, ProfileChange(firstName: "Ada")).user.name == "Ada King")
    let events = try await store.events(after: before, for: id(99), limit: 10).events
    #expect(events.map(\.name) == ["user.updated"])
    await #expect(throws: ChatError.self) { try await accounts.changeProfile(of: ada, ProfileChange(firstName: " ")) }
  }
}
