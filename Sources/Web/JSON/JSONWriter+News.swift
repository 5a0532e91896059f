import Chat

/// News and GitHub objects (docs/api.md).
extension JSONWriter {
  /// `news item`.
  mutating func value(_ item: NewsItem, _ presence: PresenceView) {
    object { json in
      json.member("id", item.id)
      json.member("type", item.type)
      json.memberIfAny("action", item.action)
      json.name("actor")
      json.value(item.actor, presence)
      json.member("repo", repository: item.repository?.text)
      json.member("org", item.organization)
      json.name("subject")
      json.value(item.subject)
      json.member("url", item.url)
      json.member("created_at", item.createdAt)
    }
  }

  private mutating func value(_ subject: NewsSubject) {
    object { json in
      json.member("kind", subject.kind.rawValue)
      json.memberIfAny("path", subject.path)
      json.memberIfAny("number", subject.number)
      json.memberIfAny("title", subject.title)
      json.memberIfAny("text", subject.text)
      json.memberIfAny("state", subject.state)
      json.memberIfAny("ref", subject.ref)
      json.memberIfAny("count", subject.count)
    }
  }

  /// `thing`; `author` is its author's account.
  mutating func value(_ thing: GitHubThing, author: GitHubAccount?, _ presence: PresenceView) {
    object { json in
      json.member("kind", thing.kind.rawValue)
      json.member("repo", repository: thing.repository)
      json.memberIfAny("number", thing.number)
      json.memberIfAny("ref", thing.ref)
      json.member("title", thing.title)
      json.member("text", thing.text)
      json.memberIfAny("first_line", thing.firstLine)
      json.memberIfAny("state", thing.state)
      json.member(author: author, presence)
      json.memberIfAny("author_name", thing.authorName)
      json.members(of: thing)
      json.memberIfAny("created_at", thing.createdAt?.description)
      json.memberIfAny("updated_at", thing.updatedAt?.description)
      json.memberIfAny("closed_at", thing.closedAt?.description)
      json.member("path", thing.address?.path)
      json.member("url", thing.url)
    }
  }

  /// `github comment`; `author` is its author's account.
  mutating func value(_ comment: GitHubComment, author: GitHubAccount?, _ presence: PresenceView) {
    object { json in
      json.member(author: author, presence)
      json.member("text", comment.text)
      json.memberIfAny("created_at", comment.createdAt?.description)
      json.member("url", comment.url)
    }
  }

  private mutating func member(author: GitHubAccount?, _ presence: PresenceView) {
    name("author")
    if let author { value(author, presence) } else { null() }
  }

  private mutating func members(of thing: GitHubThing) {
    name("labels")
    array { json in
      for label in thing.labels {
        json.object { json in
          json.member("name", label.name)
          json.member("color", label.colour)
        }
      }
    }
    name("topics")
    array { json in
      for topic in thing.topics { json.value(topic) }
    }
    name("counts")
    object { json in
      for count in GitHubThing.Count.allCases {
        if let value = thing.counts[count] { json.member(count.memberName, value) }
      }
    }
    name("notes")
    object { json in
      for note in GitHubThing.Note.allCases { json.memberIfAny(note.memberName, thing.notes[note]) }
    }
  }

  /// A profile: `github user` with further members.
  mutating func value(_ profile: GitHubProfile, _ account: GitHubAccount, _ presence: PresenceView) {
    object { $0.members(of: profile, account, presence) }
  }

  /// A card: a `thing`, or a profile with its kind and path; null without one. `accounts` has the known authors.
  mutating func value(_ card: GitHubCards.Card?, _ accounts: [Int64: GitHubAccount], _ presence: PresenceView) {
    switch card {
    case nil: null()
    case .thing(let thing): value(thing, author: thing.author.flatMap { accounts[$0.id] }, presence)
    case .person(let profile):
      var account = accounts[profile.face.id] ?? profile.face.account
      account.name = profile.name
      object { json in
        json.member("kind", "person")
        json.members(of: profile, account, presence)
        json.member("path", GitHubAddress.person(login: profile.face.login).path)
      }
    }
  }

  private mutating func members(of profile: GitHubProfile, _ account: GitHubAccount, _ presence: PresenceView) {
    members(of: account, presence)
    member("bio", profile.bio)
    member("company", profile.company)
    member("location", profile.location)
    member("blog", profile.blog)
    memberIfAny("followers", profile.followers)
    memberIfAny("following", profile.following)
    memberIfAny("public_repos", profile.publicRepositories)
    memberIfAny("created_at", profile.createdAt?.description)
    member("url", profile.url)
  }

  private mutating func member(_ name: StaticString, repository: String?) {
    self.name(name)
    guard let repository else { return null() }
    object { $0.member("name", repository) }
  }

  private mutating func memberIfAny(_ name: StaticString, _ text: String?) {
    if let text { member(name, text) }
  }

  private mutating func memberIfAny(_ name: StaticString, _ number: Int?) {
    if let number { member(name, number) }
  }
}

extension GitHubThing.Count {
  fileprivate var memberName: StaticString {
    switch self {
    case .comments: "comments"
    case .commits: "commits"
    case .additions: "additions"
    case .deletions: "deletions"
    case .files: "files"
    case .stars: "stars"
    case .forks: "forks"
    case .issues: "issues"
    case .assets: "assets"
    }
  }
}

extension GitHubThing.Note {
  fileprivate var memberName: StaticString {
    switch self {
    case .language: "language"
    case .license: "license"
    case .homepage: "homepage"
    case .branch: "branch"
    case .base: "base"
    case .head: "head"
    }
  }
}
