import Chat
import Logging
import Outbound

/// The directory over GitHub's API: what was fetched is stored, shown again when GitHub fails, and confirmed by
/// conditional requests (D1, D3–D5, D8). Safe from any thread.
public final class GitHubDirectory: Directory {
  /// How long a first page is served without asking, as GitHub's own `max-age` says.
  static let freshness: Int64 = 60_000
  /// How long a later page is, unless the first one has changed since: a visit to a long list costs one request.
  static let laterFreshness: Int64 = 3_600_000
  /// How long "there is no such login" is believed.
  static let missMemory = Duration.seconds(60)
  /// How long the results of a search can still be shown when GitHub fails.
  static let searchMemory = Duration.seconds(600)
  /// How long a stored list does not wait for a GitHub that has let the last question run out of time.
  static let silenceMemory = Duration.seconds(15)

  let store: any DirectoryStore
  let clock: any ChatClock
  let client: GitHubClient
  /// Accounts that a search found and nobody has asked for yet, so that their pictures are found and pressing one costs
  /// no request.
  let strangers: Strangers
  private let logger: Logger
  private let avatars: AvatarCache
  /// Equal questions are one. Those that nobody waits for any more leave before they are asked; what has been asked is
  /// stored, whoever waits.
  private let lists: FetchQueue<DirectoryQuestion, Result<DirectoryPage, any Error>>
  private let finds: FetchQueue<DirectoryQuestion, Result<DirectoryPage, any Error>>
  /// Results of searches, which change too much to be worth storing.
  private let searches: ShortMemory<DirectoryQuestion, StoredDirectoryPage>
  private let missingLists: ShortMemory<DirectoryQuestion, GitHubError>
  private let missingLogins: ShortMemory<String, GitHubError>
  private let silence: ShortMemory<Silence, GitHubError>

  /// The one key of `silence`.
  private enum Silence { case api }

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
    strangers = Strangers(clock: clock)
    lists = FetchQueue(limit: configuration.concurrentRequests, clock: clock)
    finds = FetchQueue(limit: 1, clock: clock)
    searches = ShortMemory(capacity: 100, clock: clock)
    missingLists = ShortMemory(capacity: 1000, clock: clock)
    missingLogins = ShortMemory(capacity: 1000, clock: clock)
    silence = ShortMemory(capacity: 1, clock: clock)
  }

  /// See `Directory`. A search is kept in memory only.
  public func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    try await stored(DirectoryQuestion(list, cursor: cursor)).map { Self.page($0) }
  }

  /// See `Directory`. While GitHub limits us it is not asked; a list that was not found is believed missing for a minute.
  public func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
    let question = try DirectoryQuestion(list, cursor: cursor)
    if let stored = try await stored(question), isFresh(stored, question) { return Self.page(stored) }
    let queue = question.isSearch ? finds : lists
    return try await queue.value(for: question) { [self] in
      do {
        return .success(try await confirmed(question))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// See `Directory`.
  public func account(login: String) async throws -> GitHubAccount {
    let login = try DirectoryQuestion.login(login)
    if let known = try await store.githubAccount(login: login) { return known }
    do {
      if let stranger = strangers.account(login: login) { return try await keep(stranger) }
      if let miss = missingLogins[login] { throw miss }
      return try await keep(client.kept(try await client.account(login: login)))
    } catch let error as GitHubError {
      report(error)
      if error.kind == .notFound {
        missingLogins.keep(error, for: login, during: Self.missMemory)
        // Who was renamed keeps his chats, by whichever name somebody comes to him.
        if let renamed = try await store.githubAccount(formerLogin: login) { return renamed }
      }
      throw error.directoryFailure
    }
  }

  /// See `Directory`. Off the caller's executor.
  public func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    let account = try await store.githubAccount(id: githubID) ?? strangers.account(id: githubID)
    guard let account, !account.avatarURL.isEmpty else {
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

  // MARK: Pages

  private func stored(_ question: DirectoryQuestion) async throws -> StoredDirectoryPage? {
    if question.isSearch { return searches[question] }
    return try await store.directoryPage(of: question.list, cursor: question.cursor.text)
  }

  private func isFresh(_ page: StoredDirectoryPage, _ question: DirectoryQuestion) -> Bool {
    let isLater = question.cursor != .first && !question.isSearch
    if isLater, let changedAt = page.listChangedAt, changedAt > page.fetchedAt { return false }
    // A clock that was set back must not make a page fresh for years.
    return (0..<(isLater ? Self.laterFreshness : Self.freshness))
      .contains(clock.now.milliseconds - page.fetchedAt.milliseconds)
  }

  /// The page as GitHub has it now, or the stored one with the reason why it comes from there.
  private func confirmed(_ question: DirectoryQuestion) async throws -> DirectoryPage {
    // Looked at again, since an equal question may have been answered since.
    let stored = try await stored(question)
    if let stored, isFresh(stored, question) { return Self.page(stored) }
    do {
      if stored != nil, let silence = silence[.api] { throw silence }
      if let miss = missingLists[question] { throw miss }
      let page = Self.page(try await ask(question, stored: stored))
      silence.forget(.api)
      return page
    } catch let error as GitHubError {
      report(error)
      if error.kind == .timedOut { silence.keep(error, for: .api, during: Self.silenceMemory) }
      if error.kind == .notFound {
        if let present = try await presentPage(question) { return present }
        missingLists.keep(error, for: question, during: Self.missMemory)
      }
      guard let stored else { throw error.directoryFailure }
      return Self.page(stored, failure: error.directoryFailure)
    }
  }

  /// The same page by the name that its login has now; nil where it has not been renamed, as far as can be found out.
  /// A new name may be known here already; else GitHub's number leads to it, the only thing of an account that stays.
  private func presentPage(_ question: DirectoryQuestion) async throws -> DirectoryPage? {
    guard let login = question.login else { return nil }
    let current = try await store.githubAccount(login: login)
    let former = current == nil ? try await store.githubAccount(formerLogin: login) : nil
    guard let known = current ?? former else { return nil }
    do {
      if let page = try await page(of: known, insteadOf: question) { return page }
    } catch let error as GitHubError where error.kind == .notFound {
      // Renamed once more.
    } catch is GitHubError {
      return nil
    }
    do {
      let account = try await keep(client.kept(try await client.account(id: known.id)))
      return try await page(of: account, insteadOf: question)
    } catch is GitHubError {
      return nil
    }
  }

  /// The page of the same kind of list of `account`; nil where that is the very list that was asked for.
  private func page(of account: GitHubAccount, insteadOf question: DirectoryQuestion) async throws -> DirectoryPage? {
    let present = question.named(account.login)
    guard present != question else { return nil }
    let stored = try await stored(present)
    var page: DirectoryPage
    if let stored, isFresh(stored, present) {
      page = Self.page(stored)
    } else {
      page = Self.page(try await ask(present, stored: stored))
    }
    page.movedTo = question.list.named(account.login)
    return page
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
      list: question.list, cursor: question.cursor.text, accounts: answer.accounts.map(client.kept),
      next: answer.next?.text,
      etag: answer.etag, fetchedAt: time)
    if question.isSearch {
      page.found = answer.found
      page.accounts = try await recognised(page.accounts)
      searches.keep(page, for: question, during: Self.searchMemory)
      return page
    }
    try await store.saveDirectoryPage(page)
    // Read back, since the store knows who of them is here.
    return try await store.directoryPage(of: page.list, cursor: page.cursor) ?? page
  }

  /// Tells the operator; not again and again while a limit keeps us from asking.
  func report(_ error: GitHubError) {
    if error.status == nil, case .rateLimited = error.directoryFailure.kind { return }
    logger.notice(
      "GitHub did not answer as asked",
      metadata: [
        "kind": "\(error.kind)", "status": "\(error.status ?? 0)", "github_request_id": "\(error.requestID ?? "-")",
      ])
  }

  private static func page(_ stored: StoredDirectoryPage, failure: DirectoryFailure? = nil) -> DirectoryPage {
    DirectoryPage(
      accounts: stored.accounts, next: stored.next, fetchedAt: stored.fetchedAt, failure: failure, found: stored.found)
  }
}
