import Chat
import HTTP
import HTTPServer

/// `/github/repos/…`, `/github/users/<login>` and `/github/cards`: public repositories, issues, pull requests, releases,
/// commits, their comments, people.
struct GitHubThingsController: Controller {
  /// The number of references that one request may ask for.
  private static let cardLimit = 50

  let core: Core

  func add(to routes: inout Routes) {
    let repository = "/github/repos/:owner/:repo"
    routes.signedIn(
      .get, repository, "A public repository", answers: .ok("thing"), allowance: .gitHub
    ) {
      try await show(.repository($0.repository()), $0)
    }
    routes.signedIn(
      .get, repository + "/issues", "Issues and pull requests of a public repository, by number or words of the title",
      query: ["q", "limit", "stored"], answers: .list("thing"), allowance: .gitHub
    ) { try await listIssues($0) }
    routes.signedIn(
      .get, repository + "/issues/:number", "An issue of a public repository", answers: .ok("thing"),
      allowance: .gitHub
    ) {
      try await show(.issue($0.repository(), number: $0.issueNumber()), $0)
    }
    routes.signedIn(
      .get, repository + "/issues/:number/comments", "The first thirty comments on an issue or a pull request",
      answers: .list("github comment"), allowance: .gitHub
    ) {
      try await listComments(on: .issue($0.repository(), number: $0.issueNumber()), $0)
    }
    routes.signedIn(
      .get, repository + "/pulls/:number", "A pull request of a public repository",
      answers: .ok("thing"), allowance: .gitHub
    ) {
      try await show(.pull($0.repository(), number: $0.issueNumber()), $0)
    }
    routes.signedIn(
      .get, repository + "/releases/:tag", "A release of a public repository", answers: .ok("thing"),
      allowance: .gitHub
    ) {
      try await show(.release($0.repository(), tag: $0.tag()), $0)
    }
    routes.signedIn(
      .get, repository + "/commits/:sha", "A commit of a public repository", answers: .ok("thing"),
      allowance: .gitHub
    ) {
      try await show(.commit($0.repository(), sha: $0.sha()), $0)
    }
    routes.signedIn(
      .get, repository + "/commits/:sha/comments", "The first thirty comments on a commit",
      answers: .list("github comment"), allowance: .gitHub
    ) {
      try await listComments(on: .commit($0.repository(), sha: $0.sha()), $0)
    }
    routes.signedIn(
      .get, "/github/users/:login", "A GitHub account's profile", answers: .ok("github profile"),
      allowance: .gitHub
    ) { try await showProfile($0) }
    routes.signedIn(.get, "/github/cards", "What references name", query: ["refs"], answers: .list("github card")) {
      try await showCards($0)
    }
  }

  /// Counts what GitHub is asked, not the request: stored cards are free.
  private func showCards(_ visit: Visit) async throws -> Response {
    let references = try Self.references(visit)
    let requests = try await core.things.requests(forCardsOf: references)
    let balance = requests > 0 ? try visit.spend(requests, of: .gitHub) : nil
    let things = core.things
    let answer = try await core.whileAwaited(by: visit.request) { try await things.cards(for: references) }
    var accounts: [Int64: GitHubAccount] = [:]
    for case let face? in answer.cards.map({ $0?.face }) where accounts[face.id] == nil {
      accounts[face.id] = try await known(face)
    }
    var fields = Fields()
    fields.setAge(fetchedAt: nil, failure: answer.failure, now: core.clock.now)
    if let balance { fields.set(balance) }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for (reference, card) in zip(references, answer.cards) {
          json.object { json in
            json.member("ref", reference)
            json.name("thing")
            json.value(card, accounts, core.presence(for: visit))
          }
        }
      }
    }
  }

  private static func references(_ visit: Visit) throws(ChatError) -> [String] {
    let references = (QueryInput(visit.request).text("refs") ?? "").split(separator: ",").map(String.init)
    guard !references.isEmpty else {
      throw .invalid([FieldError(field: "refs", code: "required", detail: "Enter references, with commas between.")])
    }
    guard references.count <= cardLimit else {
      throw .invalid([FieldError(field: "refs", code: "too_long", detail: "At most \(cardLimit) references at once.")])
    }
    return references
  }

  private func show(_ address: GitHubAddress, _ visit: Visit) async throws -> Response {
    let answer = try await found { try await core.things.thing(at: address) }
    let author = try await known(answer.value.author)
    return self.answer(visit, answer) { $0.value(answer.value, author: author, core.presence(for: visit)) }
  }

  private func listComments(on address: GitHubAddress, _ visit: Visit) async throws -> Response {
    let answer = try await found { try await core.things.comments(on: address) }
    var comments: [(comment: GitHubComment, author: GitHubAccount?)] = []
    for comment in answer.value { comments.append((comment, try await known(comment.author))) }
    return self.answer(visit, answer) { json in
      json.array { json in
        for (comment, author) in comments { json.value(comment, author: author, core.presence(for: visit)) }
      }
    }
  }

  private func listIssues(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit(default: 10, most: 50)
    let repository = try visit.repository()
    let filter = IssueFilter((query.text("q") ?? "").trimmed(to: 100))
    let found: GitHubAnswer<[GitHubThing]>?
    do {
      found =
        query.text("stored") == "1"
        ? try await core.things.storedIssues(of: repository, matching: filter, limit: limit)
        : try await core.things.issues(of: repository, matching: filter, limit: limit)
    } catch let failure as DirectoryFailure where failure.kind == .notFound {
      var problem = Problem.notFound
      problem.detail = "GitHub has no public repository of this name."
      throw problem
    }
    var fields = Fields()
    fields.setAge(fetchedAt: found?.fetchedAt, failure: found?.failure, now: core.clock.now)
    var things: [(thing: GitHubThing, author: GitHubAccount?)] = []
    for thing in found?.value ?? [] { things.append((thing, try await known(thing.author))) }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for (thing, author) in things { json.value(thing, author: author, core.presence(for: visit)) }
      }
    }
  }

  private func showProfile(_ visit: Visit) async throws -> Response {
    let login = try visit.login()
    let answer = try await found { try await core.things.profile(of: login) }
    var account = try await known(answer.value.face) ?? answer.value.face.account
    account.name = answer.value.name
    return self.answer(visit, answer) { $0.value(answer.value, account, core.presence(for: visit)) }
  }

  /// Missing and private things are 404 like unknown addresses.
  private func found<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do {
      return try await ask()
    } catch let failure as DirectoryFailure where failure.kind == .notFound {
      throw ChatError.notFound
    }
  }

  /// The account with its person on this instance, if any.
  private func known(_ face: GitHubProfile.Face?) async throws -> GitHubAccount? {
    guard let face else { return nil }
    return try await core.store.githubAccount(id: face.id) ?? face.account
  }

  private func answer<Value>(
    _ visit: Visit, _ answer: GitHubAnswer<Value>, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var fields = Fields()
    fields.setAge(fetchedAt: answer.fetchedAt, failure: answer.failure, now: core.clock.now)
    return Answer.entity(visit.request, fields: fields, write)
  }
}
