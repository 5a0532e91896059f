import Chat

/// Cards of references: from storage while that is younger than an hour, at most four requests at once.
extension GitHubThingReader {
  /// How long cards come from storage alone after GitHub could not be reached.
  static let outagePause = Duration.seconds(15)
  /// Requests of one call at once; the same as the client's limit, so that a room full of references does not queue in
  /// front of what others wait for.
  private static let concurrency = 4
  private static let outageKey = "cards"

  /// See `GitHubThings`.
  package func requests(forCardsOf references: [String]) async throws -> Int {
    if outage[Self.outageKey] != nil { return 0 }
    var addresses = Set(references.compactMap(address(of:)))
    // With a token that sees more, each repository is asked whether it is public.
    if isGuarded { addresses.formUnion(addresses.compactMap(\.repository).map { .repository($0) }) }
    var seen: Set<String> = []
    var count = 0
    for address in addresses where seen.insert(address.key).inserted {
      if try await isDue(address, for: .card) { count += 1 }
    }
    return count
  }

  /// See `GitHubThings`. After the first failure the rest comes from storage, so that a silent GitHub costs one timeout
  /// and not one for each reference.
  package func cards(for references: [String]) async throws -> GitHubCards {
    let addresses = references.map(address(of:))
    var wanted: [GitHubAddress] = []
    var seen: Set<String> = []
    for case let address? in addresses where seen.insert(address.key).inserted { wanted.append(address) }
    var found: [String: GitHubCards.Card] = [:]
    var failure = outage[Self.outageKey]
    var rest = wanted[...]
    try await withThrowingTaskGroup(of: Outcome.self) { tasks in
      for address in rest.prefix(Self.concurrency) where failure == nil {
        rest.removeFirst()
        tasks.addTask { try await self.outcome(address) }
      }
      while let outcome = try await tasks.next() {
        found[outcome.address.key] = outcome.card
        if let failed = outcome.failure {
          failure = failed
          // Only a failure of now: a pause that each call renewed would never end.
          if failed.kind == .unreachable { outage.keep(failed, for: Self.outageKey, during: Self.outagePause) }
        }
        guard failure == nil, let address = rest.popFirst() else { continue }
        tasks.addTask { try await self.outcome(address) }
      }
    }
    for address in rest { found[address.key] = try await storedCard(address) }
    return GitHubCards(cards: addresses.map { $0.flatMap { found[$0.key] } }, failure: failure)
  }

  private struct Outcome: Sendable {
    let address: GitHubAddress
    var card: GitHubCards.Card?
    var failure: DirectoryFailure?
  }

  private func outcome(_ address: GitHubAddress) async throws -> Outcome {
    do {
      if case .person(let login) = address {
        let answer = try await profile(of: login, for: .card)
        return Outcome(address: address, card: .person(answer.value), failure: answer.failure)
      }
      let answer = try await thing(at: address, for: .card)
      return Outcome(address: address, card: .thing(answer.value), failure: answer.failure)
    } catch let failure as DirectoryFailure {
      // That GitHub refuses one thing says nothing about the others.
      let isMissing = failure.kind == .notFound || failure.kind == .refused
      return Outcome(address: address, failure: isMissing ? nil : failure)
    }
  }

  /// The stored card. With a token that sees more, only if its repository is stored too, which a public one is.
  private func storedCard(_ address: GitHubAddress) async throws -> GitHubCards.Card? {
    guard let repository = address.repository else {
      return try await stored(address, as: GitHubProfile.self).map { .person($0) }
    }
    if isGuarded, try await stored(.repository(repository), as: GitHubThing.self) == nil { return nil }
    guard let thing = try await stored(address, as: GitHubThing.self) else { return nil }
    if isGuarded, let now = RepositoryName(thing.repository), !now.isSame(as: repository),
      try await stored(.repository(now), as: GitHubThing.self) == nil
    {
      return nil
    }
    return .thing(thing)
  }

  private func address(of reference: String) -> GitHubAddress? {
    GitHubAddress(reference: reference, sites: client.configuration.referenceSites)
  }
}

extension GitHubConfiguration {
  /// The websites whose addresses name things of this GitHub. References in messages lead to github.com, also with the
  /// stand-in, which has no website that people know.
  var referenceSites: [String] {
    webBase.hasPrefix("http://") ? [webBase, "https://github.com"] : [webBase]
  }
}
