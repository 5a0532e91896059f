import Chat
import Logging

/// The directory over GitHub's API: what was fetched is stored, shown again when GitHub fails, and confirmed by
/// conditional requests (D1, D3–D5, D8). Safe from any thread.
public final class GitHubDirectory: Directory {
  /// How long a page is served without asking, as GitHub's own `max-age` says.
  static let freshness: Int64 = 60_000
  /// How long "there is no such login" is believed.
  static let missMemory = Duration.seconds(60)
  /// How long the results of a search can still be shown when GitHub fails.
  static let searchMemory = Duration.seconds(600)

  private let store: any DirectoryStore
  private let clock: any ChatClock
  private let logger: Logger
  private let client: GitHubClient
  private let avatars: AvatarCache
  /// Results of searches, which change too much to be worth storing.
  private let searches: ShortMemory<DirectoryQuestion, StoredDirectoryPage>
  private let missingLists: ShortMemory<DirectoryQuestion, GitHubError>
  private let missingLogins: ShortMemory<String, GitHubError>

  /// A directory that keeps accounts and pages in `store` and pictures below `cacheFolder`, which is made when needed.
  ///
  /// - Parameters:
  ///   - transport: nil for a `URLSession`, which starts with the first request.
  ///   - client: who asks GitHub's API, shared with whatever else draws on the same quota; nil for one of its own.
  public init(
    configuration: GitHubConfiguration, store: any DirectoryStore, cacheFolder: String, clock: any ChatClock,
    logger: Logger, transport: (any Transport)? = nil, client: GitHubClient? = nil
  ) {
    let transport = transport ?? URLSessionTransport(clock: clock)
    self.store = store
    self.clock = clock
    self.logger = logger
    self.client = client ?? GitHubClient(configuration: configuration, transport: transport, clock: clock)
    avatars = AvatarCache(folder: cacheFolder, configuration: configuration, transport: transport, clock: clock)
    searches = ShortMemory(capacity: 100, clock: clock)
    missingLists = ShortMemory(capacity: 1000, clock: clock)
    missingLogins = ShortMemory(capacity: 1000, clock: clock)
  }

  /// See `Directory`. A search is kept in memory only.
  public func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    try await stored(DirectoryQuestion(list, cursor: cursor)).map { Self.page($0) }
  }

  /// See `Directory`. While GitHub limits us it is not asked; a list that was not found is believed missing for a minute.
  public func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
    let question = try DirectoryQuestion(list, cursor: cursor)
    let stored = try await stored(question)
    // A clock that was set back must not make a page fresh for years.
    if let stored, (0..<Self.freshness).contains(clock.now.milliseconds - stored.fetchedAt.milliseconds) {
      return Self.page(stored)
    }
    do {
      if let miss = missingLists[question] { throw miss }
      return Self.page(try await ask(question, stored: stored))
    } catch let error as GitHubError {
      report(error)
      if error.kind == .notFound { missingLists.keep(error, for: question, during: Self.missMemory) }
      guard let stored else { throw error.directoryFailure }
      return Self.page(stored, failure: error.directoryFailure)
    }
  }

  /// See `Directory`.
  public func account(login: String) async throws -> GitHubAccount {
    let login = try DirectoryQuestion.login(login)
    if let known = try await store.githubAccount(login: login) { return known }
    do {
      if let miss = missingLogins[login] { throw miss }
      let account = kept(try await client.account(login: login))
      try await store.saveGitHubAccount(account, at: clock.now)
      return try await store.githubAccount(id: account.id) ?? account
    } catch let error as GitHubError {
      report(error)
      if error.kind == .notFound { missingLogins.keep(error, for: login, during: Self.missMemory) }
      throw error.directoryFailure
    }
  }

  /// See `Directory`. Off the caller's executor.
  public func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    guard let account = try await store.githubAccount(id: githubID), !account.avatarURL.isEmpty else {
      throw DirectoryFailure(kind: .notFound, message: "this account has no picture here")
    }
    let isOurs = account.avatarURL.hasPrefix("/")
    let address = isOurs ? (client.base?.origin ?? "") + account.avatarURL : account.avatarURL
    do {
      return try await avatars.picture(at: address, size: size)
    } catch let error as GitHubError {
      throw error.directoryFailure
    }
  }

  /// See `Directory`.
  public func quota() -> GitHubQuota { client.quota() }

  private func stored(_ question: DirectoryQuestion) async throws -> StoredDirectoryPage? {
    if question.isSearch { return searches[question] }
    return try await store.directoryPage(of: question.list, cursor: question.cursor.text)
  }

  /// Asks GitHub, and keeps what it says.
  private func ask(_ question: DirectoryQuestion, stored: StoredDirectoryPage?) async throws -> StoredDirectoryPage {
    let answer = try await client.page(of: question.list, at: question.cursor, etag: stored?.etag)
    let time = clock.now
    guard let answer else {
      guard var stored else { throw GitHubError(kind: .malformed, message: "GitHub confirmed what was never stored") }
      try await store.confirmDirectoryPage(of: question.list, cursor: question.cursor.text, at: time)
      stored.fetchedAt = time
      return stored
    }
    var page = StoredDirectoryPage(
      list: question.list, cursor: question.cursor.text, accounts: answer.accounts.map(kept), next: answer.next?.text,
      etag: answer.etag, fetchedAt: time)
    if question.isSearch {
      page.accounts = try await recognised(page.accounts)
      searches.keep(page, for: question, during: Self.searchMemory)
      return page
    }
    try await store.saveDirectoryPage(page)
    // Read back, since the store knows who of them is here.
    return try await store.directoryPage(of: page.list, cursor: page.cursor) ?? page
  }

  /// The accounts of a search with what the store knows of them; new ones are stored, so that their pictures are found.
  private func recognised(_ accounts: [GitHubAccount]) async throws -> [GitHubAccount] {
    var recognised: [GitHubAccount] = []
    for account in accounts {
      let known = try await store.githubAccount(id: account.id)
      if let known, known.login == account.login, known.avatarURL == account.avatarURL {
        recognised.append(known)
      } else {
        var account = account
        account.name = account.name ?? known?.name
        try await store.saveGitHubAccount(account, at: clock.now)
        recognised.append(try await store.githubAccount(id: account.id) ?? account)
      }
    }
    return recognised
  }

  /// The account as it is stored: a picture on the API's own origin loses the origin, which may change (a stand-in's
  /// port, a renamed Enterprise host).
  private func kept(_ account: GitHubAccount) -> GitHubAccount {
    guard let base = client.base, let address = WebAddress(account.avatarURL), address.hasOrigin(of: base) else {
      return account
    }
    var account = account
    account.avatarURL = address.target
    return account
  }

  /// Tells the operator; not again and again while a limit keeps us from asking.
  private func report(_ error: GitHubError) {
    if error.status == nil, case .rateLimited = error.directoryFailure.kind { return }
    logger.notice(
      "GitHub did not answer as asked",
      metadata: [
        "kind": "\(error.kind)", "status": "\(error.status ?? 0)", "github_request_id": "\(error.requestID ?? "-")",
      ])
  }

  private static func page(_ stored: StoredDirectoryPage, failure: DirectoryFailure? = nil) -> DirectoryPage {
    DirectoryPage(accounts: stored.accounts, next: stored.next, fetchedAt: stored.fetchedAt, failure: failure)
  }
}
