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
      json.memberIfAny("state", thing.state)
      json.name("author")
      if let author { json.value(author, presence) } else { json.null() }
      json.memberIfAny("author_name", thing.authorName)
      json.members(of: thing)
      json.memberIfAny("created_at", thing.createdAt?.description)
      json.memberIfAny("updated_at", thing.updatedAt?.description)
      json.memberIfAny("closed_at", thing.closedAt?.description)
      json.member("path", thing.address?.path)
      json.member("url", thing.url)
    }
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
    object { json in
      json.members(of: account, presence)
      json.member("bio", profile.bio)
      json.member("company", profile.company)
      json.member("location", profile.location)
      json.member("blog", profile.blog)
      json.memberIfAny("followers", profile.followers)
      json.memberIfAny("following", profile.following)
      json.memberIfAny("public_repos", profile.publicRepositories)
      json.memberIfAny("created_at", profile.createdAt?.description)
      json.member("url", profile.url)
    }
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
