import Chat
import FoundationEssentials
import Logging

/// Issues, pull requests, releases, commits, repositories, lines of files, comments and profiles on GitHub's API: stored
/// with their validators, revalidated after a minute, on cards after an hour, served from the store when GitHub fails.
/// Only public ones, whatever the credential can see. Safe from any thread.
package final class GitHubThingReader: GitHubThings {
  /// For what a thing is shown, which decides how old it may be.
  enum Purpose {
    case page, card

    /// How long a thing is served without a request; on a page as long as GitHub's own `max-age`.
    var freshness: Duration { self == .page ? .seconds(60) : .seconds(3600) }
  }

  /// The number of comments that are fetched.
  static let commentCount = 30

  let client: GitHubClient
  let store: any NewsStore
  let clock: any ChatClock
  private let logger: Logger
  /// "No such thing", by the thing's key.
  private let misses: ShortMemory<String, GitHubError>
  /// The same for cards, which remember it longer.
  private let cardMisses: ShortMemory<String, GitHubError>
  /// The failure after which cards do not ask for a while.
  let outage: ShortMemory<String, DirectoryFailure>
  /// Equal requests for a list are merged; one that has started is completed and stored in any case.
  let issueLists: FetchQueue<String, Result<KnownIssues, any Error>>
  let knownIssues: ShortMemory<String, KnownIssues>
  let issueFailures: ShortMemory<String, GitHubError>

  /// Things from `client`, which is shared with others that use the same quota.
  package init(client: GitHubClient, store: any NewsStore, clock: any ChatClock, logger: Logger) {
    self.client = client
    self.store = store
    self.clock = clock
    self.logger = logger
    misses = ShortMemory(capacity: 1000, clock: clock)
    cardMisses = ShortMemory(capacity: 4000, clock: clock)
    outage = ShortMemory(capacity: 1, clock: clock)
    issueLists = FetchQueue(
      limit: client.configuration.concurrentRequests, finishesStarted: true, clock: clock)
    knownIssues = ShortMemory(capacity: 20, clock: clock)
    issueFailures = ShortMemory(capacity: 1000, clock: clock)
  }

  /// See `GitHubThings`. With an operator's token the repository is fetched first: a private one is reported as not
  /// found, and so is a thing that was transferred into one.
  package func thing(at address: GitHubAddress) async throws -> GitHubAnswer<GitHubThing> {
    try await thing(at: address, for: .page)
  }

  /// The same with the freshness that `purpose` allows.
  func thing(at address: GitHubAddress, for purpose: Purpose) async throws -> GitHubAnswer<GitHubThing> {
    do {
      guard let repository = address.repository else { throw Self.missing }
      if isGuarded, address != .repository(repository) { try await checkIsPublic(repository, for: purpose) }
      let answer = try await answer(address.key, for: purpose) { [self] in
        try await fetch(address, in: repository, etag: $0)
      }
      if isGuarded, let now = RepositoryName(answer.value.repository), !now.isSame(as: repository) {
        try await checkIsPublic(now, for: purpose)
      }
      return answer
    } catch let error as GitHubError {
      throw error.directoryFailure
    }
  }

  /// See `GitHubThings`.
  package func profile(of login: String) async throws -> GitHubAnswer<GitHubProfile> {
    try await profile(of: login, for: .page)
  }

  /// The same with the freshness that `purpose` allows.
  func profile(of login: String, for purpose: Purpose) async throws -> GitHubAnswer<GitHubProfile> {
    do {
      return try await answer(GitHubAddress.person(login: login).key, for: purpose) { [self] in
        let answer = try await client.user(login: login, etag: $0)
        return Fetched(
          value: answer.value.map { record in
            var profile = GitHubProfile(record)
            profile.url = client.configuration.webBase + GitHubAddress.person(login: record.account.login).gitHubPath
            return profile
          }, authors: answer.value.map { [$0.account] } ?? [], etag: answer.etag)
      }
    } catch let error as GitHubError {
      throw error.directoryFailure
    }
  }

  /// See `GitHubThings`.
  package func comments(on address: GitHubAddress) async throws -> GitHubAnswer<[GitHubComment]> {
    do {
      guard let repository = address.repository else { throw Self.missing }
      let (owner, name) = (repository.owner, repository.name)
      // What was transferred may be private now.
      if isGuarded { _ = try await thing(at: address, for: .page) }
      let folder = GitHubAddress.repository(repository).key + "/comments/"
      switch address {
      case .issue(_, let number), .pull(_, let number):
        return try await answer(folder + "issues/\(number)", for: .page) { [self] in
          fetched(try await client.comments(owner: owner, name: name, issue: Int64(number), etag: $0))
        }
      case .commit(_, let sha):
        return try await answer(folder + "commits/" + sha.lowercased(), for: .page) { [self] in
          fetched(try await client.comments(owner: owner, name: name, commit: sha, etag: $0))
        }
      default: throw Self.missing
      }
    } catch let error as GitHubError {
      throw error.directoryFailure
    }
  }

  /// GitHub's response; `value` is nil if the stored validator is still current.
  private struct Fetched<Value: Sendable>: Sendable {
    var value: Value?
    var authors: [GitHubAccount] = []
    var etag: String?
  }

  /// Whether the credential may see more than the public does.
  var isGuarded: Bool {
    if case .token = client.configuration.credential { true } else { false }
  }

  /// Throws `.notFound` if the repository is not public. A private one is never stored.
  func checkIsPublic(_ repository: RepositoryName, for purpose: Purpose) async throws {
    _ = try await answer(GitHubAddress.repository(repository).key, for: purpose) { [self] in
      try await fetch(.repository(repository), in: repository, etag: $0)
    }
  }

  private func fetch(
    _ address: GitHubAddress, in repository: RepositoryName, etag: String?
  ) async throws -> Fetched<GitHubThing> {
    let (owner, name) = (repository.owner, repository.name)
    switch address {
    case .person: throw Self.missing
    case .repository:
      let answer = try await client.repository(owner: owner, name: name, etag: etag)
      guard answer.value?.isPublic ?? true else { throw Self.missing }
      return fetched(answer) { GitHubThing($0) }
    case .issue(_, let number):
      return fetched(try await client.issue(owner: owner, name: name, number: Int64(number), etag: etag)) {
        GitHubThing($0, in: repository)
      }
    case .pull(_, let number):
      return fetched(try await client.pull(owner: owner, name: name, number: Int64(number), etag: etag)) {
        GitHubThing($0, in: repository)
      }
    case .release(_, let tag):
      let answer = try await client.release(owner: owner, name: name, tag: tag, etag: etag)
      guard answer.value?.isDraft != true else { throw Self.missing }
      return fetched(answer) { GitHubThing($0, in: repository) }
    case .commit(_, let sha):
      return fetched(try await client.commit(owner: owner, name: name, ref: sha, etag: etag)) {
        GitHubThing($0, in: repository)
      }
    case .lines(_, let lines): return try await fetch(lines, in: repository, etag: etag)
    }
  }

  /// A file that is too long, or has no such lines, counts as missing.
  private func fetch(
    _ lines: FileLines, in repository: RepositoryName, etag: String?
  ) async throws -> Fetched<GitHubThing> {
    do {
      let answer = try await client.file(
        owner: repository.owner, name: repository.name, path: lines.path, commit: lines.commit, etag: etag)
      guard let record = answer.value else { return Fetched(etag: answer.etag) }
      guard var thing = GitHubThing(record, lines, in: repository) else { throw Self.missing }
      thing.url = client.configuration.webBase + GitHubAddress.lines(repository, lines).gitHubPath
      return Fetched(value: thing, etag: answer.etag)
    } catch let error as GitHubError where error.kind == .oversized {
      throw Self.missing
    }
  }

  private func fetched(_ answer: GitHubClient.Answer<LenientList<CommentRecord>>) -> Fetched<[GitHubComment]> {
    guard let records = answer.value?.values else { return Fetched(etag: answer.etag) }
    return Fetched(value: records.map { GitHubComment($0) }, authors: records.compactMap(\.author), etag: answer.etag)
  }

  private func fetched<Record>(
    _ answer: GitHubClient.Answer<Record>, _ make: (Record) -> GitHubThing
  ) -> Fetched<GitHubThing> {
    guard let record = answer.value else { return Fetched(etag: answer.etag) }
    var thing = make(record)
    thing.url = client.configuration.webBase + (thing.address?.gitHubPath ?? "")
    return Fetched(value: thing, authors: thing.author.map { [$0.account] } ?? [], etag: answer.etag)
  }

  /// Whether GitHub would be asked for the thing now.
  func isDue(_ address: GitHubAddress, for purpose: Purpose) async throws -> Bool {
    if miss(address.key, for: purpose) != nil { return false }
    return try await store.githubThing(address.key).map { !isFresh($0, for: purpose) } ?? true
  }

  /// The stored value, however old; nil without one. One written by an older version that can no longer be decoded
  /// counts as missing.
  func stored<Value: Decodable>(_ address: GitHubAddress, as type: Value.Type) async throws -> Value? {
    try await store.githubThing(address.key).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.content)) }
  }

  private func miss(_ key: String, for purpose: Purpose) -> GitHubError? {
    purpose == .page ? misses[key] : cardMisses[key]
  }

  private func isFresh(_ stored: StoredGitHubThing, for purpose: Purpose) -> Bool {
    (.zero..<purpose.freshness).contains(.milliseconds(clock.now.milliseconds - stored.fetchedAt.milliseconds))
  }

  /// The stored value while it is fresh; otherwise the result of `fetch`; if that fails, the stored value.
  private func answer<Value: Codable & Sendable>(
    _ key: String, for purpose: Purpose, fetch: (String?) async throws -> Fetched<Value>
  ) async throws -> GitHubAnswer<Value> {
    let stored = try await store.githubThing(key)
    let value = stored.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.content)) }
    if let stored, let value, isFresh(stored, for: purpose) {
      return GitHubAnswer(value: value, fetchedAt: stored.fetchedAt)
    }
    if let miss = miss(key, for: purpose) { throw miss }
    do {
      let fetched = try await fetch(value == nil ? nil : stored?.etag)
      guard let current = fetched.value ?? value else {
        throw GitHubError(kind: .malformed, message: "GitHub answered 304 for something that is not stored")
      }
      let time = clock.now
      try await store.saveGitHubThing(
        StoredGitHubThing(
          key: key, content: Array(try JSONEncoder().encode(current)), etag: fetched.etag ?? stored?.etag,
          fetchedAt: time),
        of: fetched.authors.map(client.kept), bounds: NewsBounds())
      cardMisses.forget(key)
      return GitHubAnswer(value: current, fetchedAt: time)
    } catch let error as GitHubError {
      report(error)
      if Self.isGone(error) {
        misses.keep(error, for: key, during: Purpose.page.freshness)
        cardMisses.keep(error, for: key, during: Purpose.card.freshness)
        if stored != nil { try await store.deleteGitHubThing(key) }
        throw error
      }
      guard let stored, let value else { throw error }
      return GitHubAnswer(value: value, fetchedAt: stored.fetchedAt, failure: error.directoryFailure)
    }
  }

  /// Whether GitHub says the thing may not be seen; its stored copy is not shown then either.
  static func isGone(_ error: GitHubError) -> Bool {
    switch error.kind {
    case .notFound, .gone, .blocked, .forbidden, .invalid: true
    default: false
    }
  }

  func report(_ error: GitHubError) {
    if Self.isGone(error) || error.status == nil { return }
    logger.notice(
      "GitHub did not answer as asked",
      metadata: [
        "kind": "\(error.kind)", "status": "\(error.status ?? 0)", "github_request_id": "\(error.requestID ?? "-")",
      ])
  }

  static let missing = GitHubError(kind: .notFound, status: 404, message: "Not Found")
}
