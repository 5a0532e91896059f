import Chat
import FakeGitHub
import FoundationEssentials
import Testing

@testable import GitHub

/// The client against what GitHub really said.
@Suite("Recorded exchanges")
struct ContractTests {
  private let clock = ManualClock()

  private func client(_ recording: Recording) -> GitHubClient {
    let fields = recording.fields.filter { !$0.value.contains("{{") }
    let answer = TransportResponse(status: recording.status, fields: fields, body: recording.body)
    return GitHubClient(configuration: GitHubConfiguration(), transport: ScriptedTransport([answer]), clock: clock)
  }

  private func raw(_ recording: Recording) throws -> [AccountRecord] {
    try JSONDecoder().decode([AccountRecord].self, from: Data(recording.body))
  }

  @Test("There are recordings to replay")
  func exist() {
    #expect(Recording.all.count > 50)
    #expect(Recording.all.allSatisfy { $0.status == 304 || $0.status == 204 || $0.status == 302 || !$0.body.isEmpty })
  }

  @Test(
    "A recorded list gives all its accounts and its next page",
    arguments: [
      ("users-page-1", DirectoryList.users, 30, PageCursor.since(46)),
      ("users-per-page-25-anonymous-2013", .users, 100, .since(135)),
      ("user-rtyler-followers-page-1", .followers(of: "rtyler"), 30, .page(2)),
      ("user-rtyler-following-page-1", .following(of: "rtyler"), 30, .page(2)),
      ("org-public-members-codeforamerica-2014", .members(of: "codeforamerica"), 30, .page(2)),
      ("org-members-hub4j-test-org", .members(of: "hub4j-test-org"), 5, nil),
      ("org-members-filter-all", .members(of: "hub4j-test-org"), 12, nil),
      ("me-followers-page-100", .followers(of: "me"), 70, nil),
    ] as [(String, DirectoryList, Int, PageCursor?)])
  func lists(_ name: String, _ list: DirectoryList, _ count: Int, _ next: PageCursor?) async throws {
    let recording = try #require(Recording.named(name))
    let page = try #require(try await client(recording).page(of: list, at: .first, etag: nil))
    #expect(page.accounts.count == count)
    #expect(page.accounts.allSatisfy { $0.id > 0 && !$0.login.isEmpty && $0.avatarURL.hasPrefix("https://") })
    #expect(page.next == next)
    #expect(page.etag == recording.fields["etag"].map { "anonymous " + $0 })
  }

  @Test("A recorded account keeps id, login, type and name", arguments: Recording.all.filter(\.isAccount).map(\.name))
  func accounts(_ name: String) async throws {
    let recording = try #require(Recording.named(name))
    let record = try JSONDecoder().decode(AccountRecord.self, from: Data(recording.body))
    let account = try await client(recording).account(login: "any")
    #expect(account.id == record.id && account.login == record.login)
    #expect(["User", "Organization", "Bot"].contains(account.type))
    #expect(account.name != "")
    if name == "user-mojombo" { #expect(account.name == "Tom Preston-Werner") }
    if name == "user-bot-shipit" { #expect(account.type == "Bot" && account.avatarURL.contains("12433555")) }
  }

  @Test("Recorded searches give their accounts, and lead to the second page and no further")
  func searches() async throws {
    func page(_ name: String, at cursor: PageCursor) async throws -> GitHubClient.AccountsPage? {
      try await client(try #require(Recording.named(name))).page(of: .search("x"), at: cursor, etag: nil)
    }
    let tom = try await page("search-users-tom", at: .first)
    #expect(tom?.accounts.count == 6)
    #expect(tom?.accounts.first?.login == "mojombo")
    #expect(tom?.next == nil && tom?.etag == nil)
    #expect(try await page("search-users-page-1-of-2", at: .first)?.next == .page(2))
    #expect(try await page("search-users-page-2-of-2", at: .page(2))?.next == nil)
  }

  @Test(
    "A recorded failure is a failure with its status and request id",
    arguments: Recording.all.filter(\.isFailure).map(\.name))
  func failures(_ name: String) async throws {
    let recording = try #require(Recording.named(name))
    let error = try #require(
      await #expect(throws: GitHubError.self) { try await client(recording).account(login: "a") })
    #expect(error.status == recording.status)
    #expect(error.requestID == recording.fields["x-github-request-id"])
    #expect(!error.message.isEmpty && !error.message.contains("<"))
    let isLimit = recording.name.hasPrefix("limit-secondary")
    if case .secondaryLimit = error.kind { #expect(isLimit) } else { #expect(!isLimit) }
  }

  @Test("A recorded 304 confirms, with its tag strong where the first was weak")
  func confirmation() async throws {
    let recording = try #require(Recording.named("conditional-2-304"))
    #expect(recording.fields["etag"]?.hasPrefix("\"") == true)
    let page = try await client(recording).page(of: .users, at: .first, etag: CredentialState(.anonymous, clock: clock).validator("W/" + (recording.fields["etag"] ?? "")))
    #expect(page == nil)
  }

  @Test("A recorded redirect is followed to its numeric address")
  func redirect() async throws {
    let moved = try #require(Recording.named("redirect-301-repo-betamax"))
    let target = try #require(Recording.named("redirect-301-target-betamax"))
    let transport = ScriptedTransport(
      [moved, target].map { TransportResponse(status: $0.status, fields: $0.fields, body: $0.body) })
    let client = GitHubClient(configuration: GitHubConfiguration(), transport: transport, clock: clock)
    let repository = try #require(try await client.repository(owner: "sigmavirus24", name: "betamax").value)
    #expect(repository.fullName == "betamaxpy/betamax")
    #expect(transport.requests.last?.address.path == "/repositories/11439734")
  }
}

extension Recording {
  /// A full record of one account.
  fileprivate var isAccount: Bool {
    status == 200 && (name.hasPrefix("user-") || name.hasPrefix("org-")) && !name.contains("page")
      && !name.contains("member") && !name.contains("orgs")
  }

  /// An error or limit with a body.
  fileprivate var isFailure: Bool { status >= 400 && method == "GET" && !body.isEmpty }
}
