import Chat
import TestSupport
import Testing
@testable import ChatTesting

@testable import Chat

@Suite("Accounts with GitHub sign-in")
struct GitHubAccountsTests {
  private let store = InMemoryStore()
  private let clock = ManualClock()
  private let ended = Box<[SessionID]>([])
  private static let octocat = GitHubAccount(
    id: 583_231, login: "octocat", type: "User", name: "The Octocat", avatarURL: "https://example.org/a.png")

  private func accounts(
    _ registration: RegistrationMode = .open, store other: (any ChatStore)? = nil,
    passwords: PlainPasswords = PlainPasswords()
  ) -> Accounts {
    Accounts(
      store: other ?? store, passwords: passwords, secrets: CountedSecrets(), presence: Presence(clock: clock),
      clock: clock, registration: registration, onSessionEnded: { [ended] id in ended.update { $0.append(id) } })
  }

  private func enter(
    _ accounts: Accounts, _ account: GitHubAccount = octocat, invitation: String? = nil
  ) async throws -> Accounts.GitHubSignedIn {
    try await accounts.signInWithGitHub(account, invitation: invitation, userAgent: "Browser", address: "a")
  }

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

  @Test(
    "First and last name are derived from GitHub's single name, cleaned; without one the login is the name",
    .shows("A1"),
    arguments: [
      ("Ada Lovelace", "Ada", "Lovelace"), ("  Ada   King  Lovelace ", "Ada", "King Lovelace"), ("Ada", "Ada", ""),
      ("山田太郎", "山田太郎", ""), ("", "octocat", ""), ("   ", "octocat", ""), ("\u{202E}\u{0}", "octocat", ""),
      ("A\u{7}da\tLovelace", "AdaLovelace", ""),
      (String(repeating: "x", count: 60), String(repeating: "x", count: 50), ""),
      ("A " + String(repeating: "y", count: 60), "A", String(repeating: "y", count: 50)),
    ])
  func names(name: String, first: String, last: String) throws {
    let names = GitHubAccount.names(of: name, login: "octocat")
    #expect(names == (first, last))
    let change = ProfileChange(firstName: names.first, lastName: names.last)
    #expect(try AccountRules.check(change) == change)
  }

  @Test("Without any name the login is the name", .shows("A1"))
  func noName() {
    #expect(GitHubAccount.names(of: nil, login: "octocat") == ("octocat", ""))
  }

  @Test("Who may join depends on the registration mode; existing accounts always may", .shows("A3"))
  func modes() async throws {
    #expect(await refusal { _ = try await enter(accounts(.closed)) } == ["registration closed"])
    #expect(await refusal { _ = try await enter(accounts(.invite)) } == ["registration invite"])
    #expect(await refusal { _ = try await enter(accounts(.invite), invitation: "none") } == ["invitation invalid"])
    let made = try await accounts(.invite).invitations.createForOperator(maxUses: 1)
    let first = try await enter(accounts(.invite), invitation: made.token)
    #expect(first.isNew && first.signedIn.ownUser.isAdmin && !first.signedIn.ownUser.hasPassword)
    for mode in RegistrationMode.allCases {
      let again = try await enter(accounts(mode), invitation: "whatever")
      #expect(!again.isNew && again.signedIn.ownUser.user.id == first.signedIn.ownUser.user.id)
    }
    var other = Self.octocat
    (other.id, other.login) = (2, "other")
    #expect(
      await refusal { _ = try await enter(accounts(.invite), other, invitation: made.token) } == ["invitation used"])
    #expect(try await enter(accounts(.github), other).isNew)
  }

  @Test("With registration by invite or GitHub, a member's group invitation creates no account", .shows("A3"))
  func groupInvitation() async throws {
    let open = accounts()
    let admin = try await enter(open).signedIn.ownUser.user.id
    let bob = try await open.signUp(
      email: "bob@example.org", password: "analytical", firstName: "Bob", lastName: "", userAgent: "", address: "b")
    let group = NewGroup(id: RoomID(at: clock.now), makerID: bob.ownUser.user.id, name: "Engine", createdAt: clock.now)
    _ = try await store.createGroup(group)
    let made = try await open.invitations.create(into: group.id, by: bob.ownUser.user.id)
    var other = Self.octocat
    (other.id, other.login) = (2, "other")
    #expect(
      await refusal { _ = try await enter(accounts(.invite), other, invitation: made.token) } == ["invitation invalid"])
    // With open registration it leads to its room.
    let entered = try await enter(open, other, invitation: made.token)
    #expect(entered.roomID == group.id && admin != entered.signedIn.ownUser.user.id)
  }

  @Test("Refused invitations and recorded failures count against the address like wrong passwords", .shows("control 6"))
  func throttled() async throws {
    let accounts = accounts(.invite)
    for _ in 0..<10 { _ = await refusal { _ = try await enter(accounts, invitation: "guess") } }
    for _ in 0..<10 { accounts.recordFailedGitHubTry(from: "a") }
    #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try accounts.checkGitHubTries(from: "a") }
    #expect(throws: Never.self) { try accounts.checkGitHubTries(from: "b") }
    #expect(await refusal { _ = try await enter(accounts, invitation: "guess") } == ["rateLimited(retryAfter: 60)"])
  }

  @Test(
    "The first password requires a recent sign-in in monotonic time; other sessions end with it",
    .shows("A6", "control 20"))
  func firstPassword() async throws {
    let accounts = accounts()
    let other = try await enter(accounts).signedIn
    let mine = try await enter(accounts).signedIn
    clock.advance(by: .seconds(899))
    let email = try await accounts.changeEmail(
      of: mine.session, to: "Octo@Example.org", password: "", address: "a")
    #expect(email.email == "octo@example.org")
    clock.advance(by: .seconds(1))
    // Setting the clock back does not make a session recent again.
    clock.setCivilTime(mine.session.createdAt)
    let late = await refusal {
      try await accounts.changePassword(of: mine.session, from: "", to: "analytical", address: "a")
    }
    #expect(late.count == 1 && late[0].hasPrefix("forbidden"))
    let again = try await enter(accounts).signedIn
    try await accounts.changePassword(of: again.session, from: "", to: "analytical", address: "a")
    #expect(Set(ended.value) == [other.session.id, mine.session.id])
    #expect(try await accounts.ownUser(again.session.userID).hasPassword)
    #expect(
      await refusal { try await accounts.changePassword(of: again.session, from: "", to: "analytical2", address: "a") }
        == ["current required"])
  }

  @Test("A password set by another browser meanwhile is not replaced without being known", .shows("A6"))
  func raced() async throws {
    let accounts = accounts()
    let session = try await enter(accounts).signedIn.session
    let meanwhile = PasswordMeanwhile(store: store, user: session.userID, session: session.id)
    let other = self.accounts(passwords: meanwhile.passwords)
    other.recent.note(session.id)
    #expect(
      await refusal { try await other.changePassword(of: session, from: "", to: "analytical", address: "a") }
        == ["current required"])
    #expect(try await store.credentials(of: session.userID)?.passwordHash == "theirs")
    await #expect(throws: ChatError.unauthenticated) {
      _ = try await store.setFirstEmail("a@example.org", of: session.userID)
    }
    #expect(
      await refusal { _ = try await accounts.setFirstEmail("a@example.org", of: session, address: "a") }
        == ["password required"])
  }

  @Test("Linking and unlinking: another's account is taken, the only way to sign in stays", .shows("A6"))
  func link() async throws {
    let accounts = accounts()
    let ada = try await accounts.signUp(
      email: "ada@example.org", password: "analytical", firstName: "Ada", lastName: "", userAgent: "", address: "a")
    let octo = try await enter(accounts).signedIn
    #expect(
      await refusal { _ = try await accounts.linkGitHub(Self.octocat, to: ada.session.userID) } == ["github taken"])
    await #expect(throws: ChatError.self) { _ = try await accounts.unlinkGitHub(of: octo.session.userID) }
    var other = Self.octocat
    (other.id, other.login) = (2, "other")
    #expect(try await accounts.linkGitHub(other, to: ada.session.userID).user.login == "other")
    #expect(try await accounts.unlinkGitHub(of: ada.session.userID).user.login == nil)
  }

  @Test("Recent sessions are kept in a bounded table; the oldest is dropped first")
  func bounded() {
    let recent = RecentSessions(clock: clock)
    let first: SessionID = id(1)
    recent.note(first)
    for number in 2...16_384 as ClosedRange<UInt64> {
      clock.advance(by: .milliseconds(1))
      recent.note(id(number))
    }
    #expect(recent.contains(first))
    recent.note(id(99_999))
    #expect(!recent.contains(first) && recent.contains(id(99_999)) && recent.contains(id(2)))
    clock.advance(by: .seconds(901))
    recent.note(id(100_000))
    #expect(!recent.contains(id(2)) && recent.contains(id(100_000)))
  }
}

/// Sets somebody's password while another one is being hashed.
private struct PasswordMeanwhile {
  let passwords: PlainPasswords

  init(store: InMemoryStore, user: UserID, session: SessionID) {
    passwords = PlainPasswords(hashing: {
      _ = try? await store.setFirstPassword("theirs", of: user, keeping: session)
    })
  }
}
