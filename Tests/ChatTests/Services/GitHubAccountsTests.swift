import Chat
import Testing
@testable import ChatTesting

@testable import Chat

@Suite("Accounts by GitHub's word")
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
    "A1 First and last name come from GitHub's one name, without what no name may hold; else the login is the name",
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
    #expect(try AccountRules.checkNames(first: names.first, last: names.last) == names)
  }

  @Test("A1 Where there is no name at all the login is the name")
  func noName() {
    #expect(GitHubAccount.names(of: nil, login: "octocat") == ("octocat", ""))
  }

  @Test("A3 Who may come in follows the mode of registration; who has an account always may")
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

  @Test("A3 By invite, what anybody makes for a group of his own makes no account, by GitHub neither")
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
    // Where everybody may come in, it leads into its room.
    let entered = try await enter(open, other, invitation: made.token)
    #expect(entered.roomID == group.id && admin != entered.signedIn.ownUser.user.id)
  }

  @Test("SECURITY 6 Refused invitations and noted failures count for the address, as wrong passwords do")
  func throttled() async throws {
    let accounts = accounts(.invite)
    for _ in 0..<10 { _ = await refusal { _ = try await enter(accounts, invitation: "guess") } }
    for _ in 0..<10 { accounts.recordFailedGitHubTry(from: "a") }
    #expect(throws: ChatError.rateLimited(retryAfter: 60)) { try accounts.checkGitHubTries(from: "a") }
    #expect(throws: Never.self) { try accounts.checkGitHubTries(from: "b") }
    #expect(await refusal { _ = try await enter(accounts, invitation: "guess") } == ["rateLimited(retryAfter: 60)"])
  }

  @Test("A6 SECURITY 20 The first password needs a recent sign-in by the monotonic clock; other sessions end with it")
  func firstPassword() async throws {
    let accounts = accounts()
    let other = try await enter(accounts).signedIn
    let mine = try await enter(accounts).signedIn
    clock.advance(by: .seconds(899))
    let email = try await accounts.changeEmail(
      of: mine.session, to: "Octo@Example.org", password: "", address: "a")
    #expect(email.email == "octo@example.org")
    clock.advance(by: .seconds(1))
    // A clock that is put back makes no session young again.
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

  @Test("A6 A password that another browser sets meanwhile is not replaced without being known")
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

  @Test("A6 Linking and unlinking through the service: another's is taken, the only way in stays")
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

  @Test("Sessions that are recent are kept in a bounded table; the oldest goes first")
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

/// Sets somebody's password while another is being hashed.
private struct PasswordMeanwhile {
  let passwords: PlainPasswords

  init(store: InMemoryStore, user: UserID, session: SessionID) {
    passwords = PlainPasswords(hashing: {
      _ = try? await store.setFirstPassword("theirs", of: user, keeping: session)
    })
  }
}
