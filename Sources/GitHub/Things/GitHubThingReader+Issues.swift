import Chat
import FoundationEssentials

/// A repository's issues and pull requests, for completing their numbers as they are typed.
///
/// Each repository has one stored list, which grows by GitHub's newest page: at most one request every few minutes,
/// however many people type. Issues that were stored one by one, because somebody looked at them, are found too.
extension GitHubThingReader {
  /// How long a list is served without a request, in milliseconds.
  static let issueFreshness: Int64 = 180_000
  /// The number of issues in a stored list.
  static let issueCount = 300
  /// The number of issues stored one by one that are read in addition, of each kind.
  static let singleCount = 100
  /// How long a list is kept in memory, so that a key press costs no read and no decoding.
  static let issueMemory = Duration.seconds(30)
  /// After a failure, how long GitHub is not asked again for this list.
  static let issueSilence = Duration.seconds(15)

  /// See `GitHubThings`.
  package func storedIssues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]>? {
    try await knownIssues(of: repository).answer(filter, limit: limit)
  }

  /// See `GitHubThings`. With an operator's token the repository is fetched before its list: that of a private one is
  /// not found.
  package func issues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]> {
    let known = try await knownIssues(of: repository)
    if isFresh(known), let answer = known.answer(filter, limit: limit) { return answer }
    do {
      let current = try await issueLists.value(for: Self.listKey(repository)) { [self] in
        do {
          return .success(try await confirmedIssues(of: repository))
        } catch {
          return .failure(error)
        }
      }.get()
      if let answer = current.answer(filter, limit: limit) { return answer }
      throw Self.missing
    } catch let error as GitHubError {
      guard !Self.isGone(error), var answer = known.answer(filter, limit: limit) else { throw error.directoryFailure }
      answer.failure = error.directoryFailure
      return answer
    }
  }

  private static func listKey(_ repository: RepositoryName) -> String {
    GitHubAddress.repository(repository).key + "/issues"
  }

  private func isFresh(_ known: KnownIssues) -> Bool {
    known.listedAt.map { (0..<Self.issueFreshness).contains(clock.now.milliseconds - $0.milliseconds) } ?? false
  }

  /// What is stored of a repository.
  private func knownIssues(of repository: RepositoryName) async throws -> KnownIssues {
    let key = Self.listKey(repository)
    if let known = knownIssues[key] { return known }
    var known = KnownIssues(list: try await store.githubThing(key))
    for kind in ["/issues/", "/pulls/"] {
      let prefix = GitHubAddress.repository(repository).key + kind
      // One that was moved has the name of another repository, which may be private now.
      known.add(try await store.githubThings(under: prefix, limit: Self.singleCount)) {
        RepositoryName($0.repository)?.isSame(as: repository) == true
      }
    }
    knownIssues.keep(known, for: key, during: Self.issueMemory)
    return known
  }

  /// The list as GitHub has it now.
  private func confirmedIssues(of repository: RepositoryName) async throws -> KnownIssues {
    let key = Self.listKey(repository)
    // Checked again, because an equal request may have completed meanwhile.
    let known = try await knownIssues(of: repository)
    if isFresh(known) { return known }
    if let failure = issueFailures[key] { throw failure }
    do {
      try await fetchIssues(of: repository, known)
      knownIssues.forget(key)
      return try await knownIssues(of: repository)
    } catch let error as GitHubError {
      report(error)
      issueFailures.keep(error, for: key, during: Self.isGone(error) ? Purpose.page.freshness : Self.issueSilence)
      if Self.isGone(error) {
        for key in [key] + known.singleKeys { try await store.deleteGitHubThing(key) }
        knownIssues.forget(key)
      }
      throw error
    }
  }

  /// Adds GitHub's newest page to the stored list.
  private func fetchIssues(of repository: RepositoryName, _ known: KnownIssues) async throws {
    if isGuarded { try await checkIsPublic(repository, for: .page) }
    let answer = try await newestPage(of: repository, etag: known.listedAt == nil ? nil : known.etag)
    var list = known.list
    var authors: [GitHubAccount] = []
    if let records = answer.value?.values {
      let page = records.map { record in
        var thing = GitHubThing(record, in: repository)
        thing.text = ""
        thing.url = client.configuration.webBase + (thing.address?.gitHubPath ?? "")
        return thing
      }
      list = KnownIssues.merged(page, isWhole: answer.next == nil, with: list, limit: Self.issueCount)
      let faces = page.compactMap(\.author)
      authors = Dictionary(faces.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }).values
        .map { client.kept($0.account) }
    } else if known.listedAt == nil {
      throw GitHubError(kind: .malformed, message: "GitHub answered 304 for something that is not stored")
    }
    try await store.saveGitHubThing(
      StoredGitHubThing(
        key: Self.listKey(repository), content: Array(try JSONEncoder().encode(list)), etag: answer.etag ?? known.etag,
        fetchedAt: clock.now),
      of: authors, bounds: NewsBounds())
  }

  /// A hundred issues, or thirty where a hundred with their texts exceed the limit of a response.
  private func newestPage(
    of repository: RepositoryName, etag: String?
  ) async throws -> GitHubClient.Answer<LenientList<IssueRecord>> {
    let (owner, name) = (repository.owner, repository.name)
    do {
      return try await client.issues(owner: owner, name: name, etag: etag)
    } catch let error as GitHubError where error.kind == .oversized {
      return try await client.issues(owner: owner, name: name, count: 30, etag: etag)
    }
  }
}
