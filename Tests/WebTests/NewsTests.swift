import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("News and GitHub objects over HTTP")
struct NewsTests {
  private static let octocat = GitHubAccount(id: 583_231, login: "octocat", type: "User", avatarURL: "x")

  private static func item(_ id: String, at time: Timestamp) -> NewsItem {
    NewsItem(
      id: id, type: "IssuesEvent", action: "opened", actor: octocat, repository: RepositoryName("o/r"),
      subject: NewsSubject(
        kind: .issue, path: "/github/o/r/issues/5", number: 5, title: "<b>Title</b>", text: "Text", state: "open",
        ref: "main", count: 2), url: "https://github.com/o/r/issues/5", createdAt: time)
  }

  private func withScript(_ body: (TestHub, Person, ScriptedGitHub) async throws -> Void) async throws {
    try await TestHub.with { hub in
      try await body(hub, try await hub.signUp("Ada"), try #require(hub.gitHub as? ScriptedGitHub))
    }
  }

  @Test(
    "A page of news has its owner, its age, its polling interval, and the next page", .shows("N1", "N4"))
  func page() async throws {
    try await withScript { hub, ada, gitHub in
      let now = hub.clock.now
      var other = Self.item("2", at: now)
      other.action = nil
      other.repository = nil
      other.subject = NewsSubject(kind: .other)
      gitHub.script.page = .success(
        NewsPage(items: [Self.item("1", at: now), other], hasMore: true, fetchedAt: now, pollInterval: 75))
      let answer = try await ada.get("/news?limit=2")
      #expect(answer.status == .ok && answer.fields["hubbub-fetched-at"] == now.description)
      #expect(answer.fields["hubbub-poll-interval"] == "75" && answer.fields["hubbub-feed"] == "public")
      #expect(answer.fields["hubbub-stale"] == nil && answer.fields[.etag] != nil)
      #expect(answer.link("next") == "/api/v1/news?limit=2&page=2")
      let items = try answer.json().array
      #expect(items[0].names == ["id", "type", "action", "actor", "repo", "org", "subject", "url", "created_at"])
      #expect(items[0]["id"]?.text == "1" && items[0]["repo"]?["name"]?.text == "o/r" && items[0]["org"] == .null)
      #expect(
        items[0]["subject"]?.names == ["kind", "path", "number", "title", "text", "state", "ref", "count"])
      #expect(items[0]["actor"]?["avatar_url"]?.text == "/api/v1/avatars/github-583231")
      #expect(items[1]["action"] == nil && items[1]["repo"] == .null && items[1]["subject"]?.names == ["kind"])

      gitHub.script.page = .success(
        NewsPage(
          items: [], hasMore: false, fetchedAt: now, pollInterval: 60,
          failure: DirectoryFailure(kind: .rateLimited(resetAt: now.adding(seconds: 90)), message: "limit")))
      let stale = try await ada.get("/news?page=3")
      #expect(stale.fields["hubbub-stale"] == "1" && stale.fields["hubbub-stale-reason"] == "github-rate-limited")
      #expect(stale.fields["hubbub-reset-at"] == now.adding(seconds: 90).description && stale.link("next") == nil)
      gitHub.script.storedPage = NewsPage(items: [], hasMore: false, fetchedAt: nil, pollInterval: 60)
      let stored = try await ada.get("/news?stored=1")
      #expect(stored.status == .ok && stored.fields["hubbub-fetched-at"] == nil)
      #expect(gitHub.script.asked == ["news 0 1 2", "news 0 3 50", "stored news 0 1 50"])
      for page in ["0", "x", "1001"] {
        #expect(
          try await ada.get("/news?page=\(page)").expectProblem(.unprocessableContent, "invalid")
            == ["page": "invalid"])
      }
    }
  }

  @Test("Without a stored page the failure is returned with GitHub's response", .shows("N1", "N4"))
  func failures() async throws {
    try await withScript { hub, ada, gitHub in
      let reset = hub.clock.now.adding(seconds: 30)
      gitHub.script.page = .failure(DirectoryFailure(kind: .rateLimited(resetAt: reset), status: 403, message: "limit"))
      let limited = try await ada.get("/news")
      try limited.expectProblem(.tooManyRequests, "github-rate-limited")
      #expect(try limited.json()["reset_at"]?.text == reset.description)
      gitHub.script.page = .failure(DirectoryFailure(kind: .broken, status: 503, requestID: "A:B", message: "Server"))
      let broken = try await ada.get("/news")
      try broken.expectProblem(.badGateway, "github-unavailable")
      #expect(try broken.json()["github_request_id"]?.text == "A:B")
    }
  }

  @Test(
    "A thing has its author, figures and notes, and its addresses here and on GitHub",
    .shows("N3"))
  func thing() async throws {
    try await withScript { hub, ada, gitHub in
      try await hub.store.saveGitHubAccount(Self.octocat, at: hub.clock.now)
      _ = try await hub.store.person(for: Self.octocat, newID: UserID(at: hub.clock.now), at: hub.clock.now)
      var pull = GitHubThing(kind: .pull, repository: "o/r")
      pull.number = 5
      pull.title = "Title"
      pull.text = "Text"
      pull.state = "merged"
      pull.author = GitHubProfile.Face(id: 583_231, login: "octocat", type: "User", avatarURL: "x")
      pull.labels = [.init(name: "bug", colour: "ff0000"), .init(name: "old", colour: nil)]
      pull.topics = ["swift"]
      for count in GitHubThing.Count.allCases { pull.counts[count] = 3 }
      for note in GitHubThing.Note.allCases { pull.notes[note] = note.rawValue }
      (pull.createdAt, pull.updatedAt, pull.closedAt) = (hub.clock.now, hub.clock.now, hub.clock.now)
      pull.url = "https://github.com/o/r/pull/5"
      gitHub.script.thing = .success(GitHubAnswer(value: pull, fetchedAt: hub.clock.now))
      let answer = try await ada.get("/github/repos/O/R/pulls/5")
      #expect(answer.status == .ok && answer.fields["hubbub-fetched-at"] == hub.clock.now.description)
      let json = try answer.json()
      #expect(json["kind"]?.text == "pull" && json["repo"]?["name"]?.text == "o/r" && json["state"]?.text == "merged")
      // That somebody has written to them makes nobody a person of this instance.
      #expect(json["author"]?["user_id"] == .null && json["path"]?.text == "/github/o/r/pulls/5")
      #expect(json["labels"]?[0]?["color"]?.text == "ff0000" && json["labels"]?[1]?["color"] == .null)
      #expect(json["counts"]?.names == Set(GitHubThing.Count.allCases.map(\.rawValue)))
      #expect(json["notes"]?["base"]?.text == "base" && json["topics"]?[0]?.text == "swift")

      var release = GitHubThing(kind: .release, repository: "o/r")
      release.ref = "v1/a b"
      release.authorName = "Ada"
      gitHub.script.thing = .success(
        GitHubAnswer(
          value: release, fetchedAt: hub.clock.now, failure: DirectoryFailure(kind: .unreachable, message: "down")))
      let stale = try await ada.get("/github/repos/o/r/releases/v1%2Fa")
      #expect(stale.fields["hubbub-stale-reason"] == "github-unavailable")
      #expect(try stale.json()["path"]?.text == "/github/o/r/releases/v1%2Fa%20b")
      #expect(try stale.json()["author"] == .null && stale.json()["author_name"]?.text == "Ada")
      for path in ["", "/issues/7", "/commits/ABCDEF0123"] { _ = try await ada.get("/github/repos/o/r" + path) }
      #expect(
        gitHub.script.asked == [
          "/github/o/r/pulls/5", "/github/o/r/releases/v1%2Fa", "/github/o/r", "/github/o/r/issues/7",
          "/github/o/r/commits/abcdef0123",
        ])
    }
  }

  @Test("Impossible things are not requested; missing or private ones are not found", .shows("N3", "control 8"))
  func missing() async throws {
    try await withScript { _, ada, gitHub in
      for path in [
        "/repos/o/r%20s", "/repos/o%2Fx/r", "/repos/o/r/issues/0", "/repos/o/r/issues/x", "/repos/o/r/pulls/-1",
        "/repos/o/r/releases/a%2F%2Fb", "/repos/o/r/releases/a%20b", "/repos/o/r/commits/main",
        "/repos/o/r/commits/abc", "/repos/o/r/issues/0/comments", "/repos/o/r/commits/main/comments",
        "/users/a%2Fb", "/users/a%20b",
      ] {
        try await ada.get("/github" + path).expectProblem(.notFound, "not-found")
      }
      #expect(gitHub.script.asked.isEmpty)
      gitHub.script.thing = .failure(DirectoryFailure(kind: .notFound, status: 404, message: "Not Found"))
      gitHub.script.profile = .failure(DirectoryFailure(kind: .notFound, status: 404, message: "Not Found"))
      for path in ["/repos/o/r", "/users/nobody"] {
        let answer = try await ada.get("/github" + path)
        try answer.expectProblem(.notFound, "not-found")
        #expect(!answer.text.contains("github_message"))
      }
    }
  }

  @Test(
    "The comments on a thing have their authors, their age and their addresses; a missing thing has none",
    .shows("N3"), arguments: ["issues/5": "/issues/5", "commits/\(sha)": "/commits/\(sha)"])
  func comments(at path: String, key: String) async throws {
    try await withScript { hub, ada, gitHub in
      try await hub.store.saveGitHubAccount(Self.octocat, at: hub.clock.now)
      let author = GitHubProfile.Face(id: 583_231, login: "octocat", type: "User", avatarURL: "x")
      let comments = [
        GitHubComment(author: author, text: "**Fine**", createdAt: hub.clock.now, url: "https://github.com/o/r#1"),
        GitHubComment(author: nil, text: "<b>", createdAt: nil, url: "https://github.com/o/r#2"),
      ]
      gitHub.script.comments = .success(GitHubAnswer(value: comments, fetchedAt: hub.clock.now))
      let answer = try await ada.get("/github/repos/o/r/\(path)/comments")
      #expect(answer.status == .ok && answer.fields["hubbub-fetched-at"] == hub.clock.now.description)
      #expect(gitHub.script.asked.count == 1 && gitHub.script.asked[0].hasSuffix("\(key)/comments"))
      let json = try answer.json().array
      #expect(json.map { $0["text"]?.text } == ["**Fine**", "<b>"])
      #expect(json[0].names == ["author", "text", "created_at", "url"] && json[1].names == ["author", "text", "url"])
      #expect(json[0]["author"]?["login"]?.text == "octocat" && json[1]["author"] == .null)
      #expect(json[0]["url"]?.text == "https://github.com/o/r#1")

      gitHub.script.comments = .failure(DirectoryFailure(kind: .notFound, status: 404, message: "Not Found"))
      try await ada.get("/github/repos/o/r/\(path)/comments").expectProblem(.notFound, "not-found")
    }
  }

  private static let sha = String(repeating: "a", count: 40)

  @Test("The issues of a repository are things, with their age; a missing repository says so", .shows("K4"))
  func issues() async throws {
    try await withScript { hub, ada, gitHub in
      try await hub.store.saveGitHubAccount(Self.octocat, at: hub.clock.now)
      var pull = GitHubThing(kind: .pull, repository: "o/r")
      (pull.number, pull.title, pull.state) = (12, "Title", "merged")
      pull.author = GitHubProfile.Face(id: 583_231, login: "octocat", type: "User", avatarURL: "x")
      var issue = GitHubThing(kind: .issue, repository: "o/r")
      (issue.number, issue.title, issue.state) = (7, "Other", "open")
      let found = GitHubAnswer(value: [pull, issue], fetchedAt: hub.clock.now)
      gitHub.script.issues = .success(found)
      let answer = try await ada.get("/github/repos/O/R/issues")
      #expect(answer.status == .ok && answer.fields["hubbub-fetched-at"] == hub.clock.now.description)
      #expect(answer.fields["hubbub-stale"] == nil)
      let things = try answer.json().array
      #expect(things.map { $0["number"]?.integer } == [12, 7] && things[0]["kind"]?.text == "pull")
      #expect(things[0]["text"]?.text == "" && things[0]["author"]?["login"]?.text == "octocat")
      #expect(things[1]["author"] == .null && things[1]["path"]?.text == "/github/o/r/issues/7")

      var stale = found
      stale.failure = DirectoryFailure(kind: .unreachable, message: "down")
      gitHub.script.issues = .success(stale)
      let away = try await ada.get("/github/repos/o/r/issues?q=cra&limit=3")
      #expect(away.status == .ok && away.fields["hubbub-stale"] == "1")
      #expect(away.fields["hubbub-stale-reason"] == "github-unavailable")
      _ = try await ada.get("/github/repos/o/r/issues?limit=100")
      gitHub.script.storedIssues = .some(nil)
      let empty = try await ada.get("/github/repos/o/r/issues?stored=1&limit=50")
      #expect(try empty.status == .ok && empty.json().array.isEmpty && empty.fields["hubbub-fetched-at"] == nil)
      gitHub.script.issues = .failure(DirectoryFailure(kind: .notFound, status: 404, message: "Not Found"))
      let missing = try await ada.get("/github/repos/o/none/issues")
      try missing.expectProblem(.notFound, "not-found")
      #expect(try missing.json()["detail"]?.text == "GitHub has no public repository of this name.")
      gitHub.script.issues = .failure(DirectoryFailure(kind: .unreachable, message: "down"))
      try await ada.get("/github/repos/o/r/issues").expectProblem(.serviceUnavailable, "github-unavailable")
      #expect(
        gitHub.script.asked == [
          "issues O/R 10", "issues o/r 3", "issues o/r 50", "stored issues o/r 50", "issues o/none 10",
          "issues o/r 10",
        ])
      for wrong in ["limit=0", "limit=x", "limit=-1"] {
        let refused = try await ada.get("/github/repos/o/r/issues?" + wrong)
        #expect(refused.status == .unprocessableContent)
      }
      try await ada.get("/github/repos/o%2Fx/r/issues").expectProblem(.notFound, "not-found")
      #expect(gitHub.script.asked.count == 6)
    }
  }

  @Test("A profile is a GitHub user with further members", .shows("N3"))
  func profile() async throws {
    try await withScript { hub, ada, gitHub in
      var profile = GitHubProfile(face: .init(id: 583_231, login: "octocat", type: "User", avatarURL: "x"))
      profile.name = "The Octocat"
      profile.bio = "I am"
      profile.blog = "https://github.blog"
      (profile.followers, profile.following, profile.publicRepositories) = (1, 2, 3)
      profile.createdAt = hub.clock.now
      profile.url = "https://github.com/octocat"
      gitHub.script.profile = .success(GitHubAnswer(value: profile, fetchedAt: hub.clock.now))
      let json = try await ada.get("/github/users/octocat").json()
      #expect(
        json.names == [
          "github_id", "login", "type", "name", "avatar_url", "user_id", "member", "online", "bio", "company",
          "location", "blog", "followers", "following", "public_repos", "created_at", "url",
        ])
      #expect(json["name"]?.text == "The Octocat" && json["company"] == .null && json["public_repos"]?.integer == 3)
    }
  }

  @Test("The pages of things belong to the app, for signed-in people", .shows("N3"))
  func pages() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      for path in [
        "/news", "/people/octocat", "/github/o/r", "/github/o/r/issues/5", "/github/o/r/pulls/5",
        "/github/o/r/releases/v1%2F2", "/github/o/r/commits/abcdef0",
      ] {
        let page = try await hub.memory.send(.get, path, fields: [.cookie: ada.cookie])
        #expect(page.status == .ok && page.fields[.contentType] == "text/html; charset=utf-8", "\(path)")
        #expect(try await hub.memory.send(.get, path).status == .seeOther)
      }
      #expect(
        try await hub.memory.send(.get, "/github/o/r/releases/v1%2F2").fields[.location]
          == "/sign-in?return_to=%2Fgithub%2Fo%2Fr%2Freleases%2Fv1%252F2")
    }
  }

  @Test("Cards are told by reference in the order asked; null for what there is not", .shows("K5"))
  func cards() async throws {
    try await withScript { hub, ada, gitHub in
      var issue = GitHubThing(kind: .issue, repository: "o/r")
      issue.number = 5
      issue.title = "Title"
      issue.author = GitHubProfile.Face(id: 583_231, login: "octocat", type: "User", avatarURL: "x")
      var profile = GitHubProfile(face: .init(id: 583_231, login: "octocat", type: "User", avatarURL: "x"))
      profile.name = "The Octocat"
      gitHub.script.cards = GitHubCards(cards: [.thing(issue), nil, .person(profile)])
      let answer = try await ada.get("/github/cards?refs=o/r%235,x,@octocat")
      #expect(answer.status == .ok && answer.fields["hubbub-stale"] == nil && answer.fields["ratelimit"] == nil)
      let json = try answer.json().array
      #expect(json.map { $0["ref"]?.text } == ["o/r#5", "x", "@octocat"] && json[1]["thing"] == .null)
      #expect(json[0]["thing"]?["kind"]?.text == "issue" && json[0]["thing"]?["number"]?.integer == 5)
      #expect(json[0]["thing"]?["author"]?["login"]?.text == "octocat")
      let person = json[2]["thing"]
      #expect(person?["kind"]?.text == "person" && person?["name"]?.text == "The Octocat")
      #expect(person?["path"]?.text == "/people/octocat" && person?["bio"] == .null)
      #expect(gitHub.script.asked == ["cards o/r#5,x,@octocat"])

      gitHub.script.cards = GitHubCards(
        cards: [nil], failure: DirectoryFailure(kind: .unreachable, message: "down"))
      let stale = try await ada.get("/github/cards?refs=o/r")
      #expect(stale.status == .ok && stale.fields["hubbub-stale-reason"] == "github-unavailable")

      let many = Array(repeating: "o/r", count: 51).joined(separator: ",")
      for refs in ["", "?refs=", "?refs=,,", "?refs=" + many] {
        let refused = try await ada.get("/github/cards" + refs).expectProblem(.unprocessableContent, "invalid")
        #expect(refused == ["refs": refs.count > 10 ? "too_long" : "required"])
      }
      try await hub.memory.send(.get, "/api/v1/github/cards?refs=o/r").expectProblem(.unauthorized, "unauthenticated")
    }
  }
}
