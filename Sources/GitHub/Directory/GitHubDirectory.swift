import Chat
import Logging
import Outbound

/// The directory on GitHub's API. Responses are stored, revalidated with conditional requests, and served from the
/// store when GitHub fails. Safe from any thread.
package final class GitHubDirectory: Directory {
  /// How long a first page is served without a request, in milliseconds; the same as GitHub's own `max-age`.
  static let freshness: Int64 = 60_000
  /// The same for a later page, unless the first page has changed since. Thus a visit to a long list costs one request.
  static let laterFreshness: Int64 = 3_600_000
  /// How long "no such login" is cached.
  static let missMemory = Duration.seconds(60)
  /// How long search results can be served when GitHub fails.
  static let searchMemory = Duration.seconds(600)
  /// After a timeout, how long stored lists are served without waiting for GitHub.
  static let silenceMemory = Duration.seconds(15)

  let store: any DirectoryStore
  let clock: any ChatClock
  let client: GitHubClient
  /// Accounts found by a search that the store does not have yet. Their avatars can be resolved, and opening one costs
  /// no request.
  let strangers: Strangers
  private let logger: Logger
  private let avatars: AvatarCache
  /// Equal requests are merged. A queued request is dropped when its last waiter leaves; one that has started is
  /// completed and stored in any case.
  private let lists: FetchQueue<DirectoryQuestion, Result<DirectoryPage, any Error>>
  private let finds: FetchQueue<DirectoryQuestion, Result<DirectoryPage, any Error>>
  /// Search results, which change too often to be worth storing.
  private let searches: ShortMemory<DirectoryQuestion, StoredDirectoryPage>
  private let missingLists: ShortMemory<DirectoryQuestion, GitHubError>
  private let missingLogins: ShortMemory<String, GitHubError>
  private let silence: ShortMemory<Silence, GitHubError>

  /// The single key of `silence`.
  private enum Silence { case api }

  /// A directory that keeps accounts and pages in `store` and avatars below `cacheFolder`, which is created when
  /// needed.
  ///
  /// - Parameters:
  /// - transport: nil creates one.
  /// - client: the API client, shared with others that use the same quota; nil creates one.
  package init(
    configuration: GitHubConfiguration, store: any DirectoryStore, cacheFolder: String, clock: any ChatClock,
    logger: Logger, transport: (any Transport)? = nil, client: GitHubClient? = nil
  ) {
    let transport = transport ?? CurlTransport()
    self.store = store
    self.clock = clock
    self.logger = logger
    self.client = client ?? GitHubClient(configuration: configuration, transport: transport, clock: clock)
    avatars = AvatarCache(folder: cacheFolder, configuration: configuration, transport: transport, clock: clock)
    strangers = Strangers(clock: clock)
    lists = FetchQueue(limit: configuration.concurrentRequests, finishesStarted: true, clock: clock)
    finds = FetchQueue(limit: 1, finishesStarted: true, clock: clock)
    searches = ShortMemory(capacity: 100, clock: clock)
    missingLists = ShortMemory(capacity: 1000, clock: clock)
    missingLogins = ShortMemory(capacity: 1000, clock: clock)
    silence = ShortMemory(capacity: 1, clock: clock)
  }

  /// See `Directory`. Searches are served from memory only.
  package func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    try await stored(DirectoryQuestion(list, cursor: cursor)).map { Self.page($0) }
  }

  /// See `Directory`. No request is sent while a rate limit applies. A list that was not found counts as missing for a
  /// minute.
  package func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
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
  package func account(login: String) async throws -> GitHubAccount {
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
        // A renamed account keeps its chats, whichever of its names is looked up.
        if let renamed = try await store.githubAccount(formerLogin: login) { return renamed }
      }
      throw error.directoryFailure
    }
  }

  /// See `Directory`. Off the caller's executor.
  package func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
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
  package func quota() -> GitHubQuota { client.quota() }

  // MARK: Pages

  private func stored(_ question: DirectoryQuestion) async throws -> StoredDirectoryPage? {
    if question.isSearch { return searches[question] }
    return try await store.directoryPage(of: question.list, cursor: question.cursor.text)
  }

  private func isFresh(_ page: StoredDirectoryPage, _ question: DirectoryQuestion) -> Bool {
    let isLater = question.cursor != .first && !question.isSearch
    if isLater, let changedAt = page.listChangedAt, changedAt > page.fetchedAt { return false }
    // If the clock was set back, a page must not stay fresh for years.
    return (0..<(isLater ? Self.laterFreshness : Self.freshness))
      .contains(clock.now.milliseconds - page.fetchedAt.milliseconds)
  }

  /// The current page from GitHub, or the stored one with the reason why it is served.
  private func confirmed(_ question: DirectoryQuestion) async throws -> DirectoryPage {
    // Checked again, because an equal request may have completed meanwhile.
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

  /// The same page under the login's current name; nil if no rename can be found. The new name may be known already;
  /// otherwise GitHub's numeric id leads to it, the only part of an account that never changes.
  private func presentPage(_ question: DirectoryQuestion) async throws -> DirectoryPage? {
    guard let login = question.login else { return nil }
    let current = try await store.githubAccount(login: login)
    let former = current == nil ? try await store.githubAccount(formerLogin: login) : nil
    guard let known = current ?? former else { return nil }
    do {
      if let page = try await page(of: known, insteadOf: question) { return page }
    } catch let error as GitHubError where error.kind == .notFound {
      // The account was renamed again.
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

  /// The same page of the same kind of list for `account`; nil if that is the list already requested.
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

  /// Requests the page from GitHub and stores it.
  private func ask(_ question: DirectoryQuestion, stored: StoredDirectoryPage?) async throws -> StoredDirectoryPage {
    let answer = try await client.page(of: question.list, at: question.cursor, etag: stored?.etag)
    let time = clock.now
    guard let answer else {
      guard var stored else {
        throw GitHubError(kind: .malformed, message: "GitHub answered 304 for something that is not stored")
      }
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
    // Read back, because only the store knows which accounts have joined this server.
    return try await store.directoryPage(of: page.list, cursor: page.cursor) ?? page
  }

  /// Logs the failure, but not repeatedly while a rate limit applies.
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
