extension Simulation {
  /// An event's type and payload: the recorded one of its kind with this event's accounts, repository, numbers and
  /// times.
  func payload(_ kind: EventKind, _ event: Timeline.Event) -> (type: String, payload: JSONValue) {
    switch kind {
    case .push: return ("PushEvent", push(event))
    case .open: return ("PublicEvent", .object([:]))
    case .unknown:
      return (
        "SponsorshipEvent", .object(["action": .string("created"), "tier": .object(["name": .string("$5 a month")])])
      )
    default: break
    }
    let recorded = Self.recordedEvent(kind)
    let type = recorded["type"]?.string ?? "Event"
    var rewriting = Rewriting()
    let place = recorded["repo"]?["name"]?.string ?? ""
    let actor = recorded["actor"]?["login"]?.string ?? ""
    rewriting.texts = [(place, event.repository.fullName)]
    rewriting.members = Self.times(event)
    rewriting.account = { account in
      if account.login == actor { return self.record(event.actor) }
      return (self.population.person(id: account.id) ?? self.somebody(UInt64(account.id) ^ event.hash)).map(self.record)
    }
    var payload = recorded["payload"] ?? .object([:])
    switch kind {
    case .createBranch, .deleteBranch, .createTag, .deleteTag, .createRepository:
      payload = reference(kind, payload, event)
    case .fork: return (type, .object(["forkee": forkee(event)]))
    case .release, .oldRelease:
      let tag = Self.tags[Int(event.hash >> 8 % 10)]
      let release = releaseRecord(in: event.repository, tag: tag)
      return (type, payload.setting(["release": release?.setting(Self.times(event)) ?? .null]))
    case .commitComment:
      let commit = CommitName(in: event.repository, number: event.number * 3)
      rewriting.texts.append((payload["comment"]?["commit_id"]?.string ?? "", commit.text))
    case .issueComment, .issueClosed, .issueOpened, .issueReopened, .pullClosed, .pullOpened, .pullReopened, .review,
      .reviewComment:
      payload = discussed(kind, payload, event, &rewriting)
    default: break
    }
    rewriting.texts += addresses.map { (old: $0.0, new: $0.1) }
    return (type, trimmed(rewriting(payload), event))
  }

  private static func times(_ event: Timeline.Event) -> [String: JSONValue] {
    let time = JSONValue.string(isoTime(event.time))
    let names = ["created_at", "updated_at", "submitted_at", "published_at", "closed_at", "merged_at", "pushed_at"]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, time) })
  }

  // MARK: Kinds

  private func push(_ event: Timeline.Event) -> JSONValue {
    let count = Int64(1 + event.hash >> 8 % 3)
    let names = (0...count).map { CommitName(in: event.repository, number: event.number * 3 + $0) }
    var payload: [String: JSONValue] = [
      "repository_id": .integer(event.repository.id), "push_id": .integer(6_000_000_000 + event.number),
      "ref": .string("refs/heads/" + event.repository.branch), "head": .string(names.last?.text ?? ""),
      "before": .string(names[0].text),
    ]
    if isTrimmed(event) { return .object(payload) }
    payload["size"] = .integer(count)
    payload["distinct_size"] = .integer(count)
    payload["commits"] = .array(
      names.dropFirst().map { name in
        .object([
          "sha": .string(name.text), "message": .string(name.message), "distinct": .bool(true),
          "author": .object([
            "email": .string("\(event.actor.id)+\(event.actor.login)@users.noreply.github.com"),
            "name": .string(event.actor.name ?? event.actor.login),
          ]), "url": .string(base + "/repos/\(event.repository.fullName)/commits/\(name.text)"),
        ])
      })
    return .object(payload)
  }

  private func reference(_ kind: EventKind, _ payload: JSONValue, _ event: Timeline.Event) -> JSONValue {
    var members: [String: JSONValue] = [:]
    switch kind {
    case .createTag, .deleteTag: members["ref"] = .string(Self.tags[Int(event.hash >> 8 % 10)])
    case .createBranch, .deleteBranch: members["ref"] = .string("topic/\(event.hash >> 8 % 90 + 10)")
    default: break
    }
    if payload["master_branch"] != nil {
      members["master_branch"] = .string(event.repository.branch)
      members["description"] = .string(event.repository.about)
    }
    return payload.setting(members)
  }

  /// The fork exists, because every user has forks of the repositories that others started.
  private func forkee(_ event: Timeline.Event) -> JSONValue {
    let kind = Repository.kind(named: event.repository.name) ?? 0
    return record(Repository(of: event.actor, kind: kind)).setting(["fork": .bool(true), "public": .bool(true)])
  }

  /// Replaces the recorded issue or pull request with one of this repository.
  private func discussed(
    _ kind: EventKind, _ payload: JSONValue, _ event: Timeline.Event, _ rewriting: inout Rewriting
  ) -> JSONValue {
    let name = payload["pull_request"] == nil ? "issue" : "pull_request"
    guard let old = payload[name], let number = old["number"]?.integer else { return payload }
    let isPull = name == "pull_request" || old["pull_request"] != nil
    let work = Work.near(Int64(event.hash >> 8 % UInt64(Work.count)), in: event.repository) { work in
      guard work.isPull == isPull else { return false }
      switch kind {
      case .pullClosed: return work.isMerged
      case .issueClosed: return work.isClosed
      case .issueOpened, .pullOpened, .issueReopened, .pullReopened: return !work.isClosed && !work.isDraft
      default: return true
      }
    }
    guard let work else { return payload }
    for path in ["issues", "pull", "pulls"] {
      rewriting.texts.append(("/\(path)/\(number)", "/\(path)/\(work.number)"))
    }
    var members: [String: JSONValue] = [
      "number": .integer(work.number), "title": .string(work.title), "body": JSONValue(work.body), "labels": .array([]),
      "user": kind == .issueOpened || kind == .pullOpened
        ? record(event.actor) : somebody(work.authorSeed).map(record) ?? .null,
      "comments": .integer(work.comments), "assignee": .null, "assignees": .array([]), "milestone": .null,
      "id": .integer(name == "issue" ? work.id : work.id - 1_000_000_000),
    ]
    switch kind {
    case .issueComment, .review, .reviewComment: members["state"] = .string(work.isClosed ? "closed" : "open")
    default: break
    }
    var new: [String: JSONValue] = [name: old.setting(members)]
    if payload["number"] != nil { new["number"] = .integer(work.number) }
    return payload.setting(new)
  }

  // MARK: Cutting down

  private func trimmed(_ payload: JSONValue, _ event: Timeline.Event) -> JSONValue {
    guard isTrimmed(event), case .object(var members) = payload else { return payload }
    if let pull = members["pull_request"] {
      var short: [String: JSONValue] = [:]
      for name in ["url", "id", "number"] { short[name] = pull[name] }
      for name in ["head", "base"] {
        let end = pull[name] ?? .null
        let home = (end["repo"] ?? .null).keeping(["id", "url", "name"])
        short[name] = end.keeping(["ref", "sha"]).setting(["repo": home])
      }
      members["pull_request"] = .object(short)
    }
    if case .object(var comment)? = members["comment"] {
      comment["author_association"] = nil
      members["comment"] = .object(comment)
    }
    return .object(members)
  }

  /// The recording of a kind.
  private static func recordedEvent(_ kind: EventKind) -> JSONValue {
    let name = kind == .newPage ? "event-gollum-2021" : kind == .release ? "event-release-2024" : "events-by-type"
    let recorded = kinds.value(name) { JSONValue(Recording.object(named: name)) ?? .null }
    guard let position = kind.position else { return recorded }
    let all = recorded.array ?? []
    return position < all.count ? all[position] : .null
  }

  private static let kinds = Kept<JSONValue>()
}
