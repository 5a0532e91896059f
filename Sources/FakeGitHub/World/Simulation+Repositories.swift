import HTTP

extension Simulation {
  /// `/repos/OWNER/NAME/…`, and `/repositories/ID/…`, which `Link` and `Location` use.
  func repositories(_ segments: [String], query: Query) -> Finding {
    let missing = Finding.failure(404, "Not Found")
    if segments[0] == "repositories" {
      guard segments.count > 1, let id = Int64(segments[1]), let repository = population.repository(id: id) else {
        return missing
      }
      return about(repository, Array(segments.dropFirst(2)), query)
    }
    guard segments.count > 2 else { return missing }
    let rest = Array(segments.dropFirst(3))
    if let new = options.renamedRepositories[(segments[1] + "/" + segments[2]).lowercased()] {
      let parts = new.split(separator: "/").map(String.init)
      guard parts.count == 2, let repository = population.repository(owner: parts[0], name: parts[1]) else {
        return missing
      }
      return .answer(moved(to: (["/repositories/\(repository.id)"] + rest).joined(separator: "/"), query: query))
    }
    if let recorded = Self.recorded(Array(segments[1...])) { return .value(rebased(recorded)) }
    guard let repository = population.repository(owner: segments[1], name: segments[2]) else { return missing }
    return about(repository, rest, query)
  }

  private func about(_ repository: Repository, _ rest: [String], _ query: Query) -> Finding {
    let missing = Finding.failure(404, "Not Found")
    // A private repository does not exist for those who may not see it.
    if repository.isPrivate { return missing }
    if let recorded = Self.recorded([repository.owner.login, repository.name] + rest) {
      return .value(rebased(recorded))
    }
    switch rest.first {
    case nil: return .value(record(repository))
    case "events" where rest.count == 1:
      return news(timeline.events(in: repository, now: time), target: "/repositories/\(repository.id)/events", query)
    case "issues" where rest.count == 1: return issueList(repository, query)
    case "issues" where rest.count == 2:
      guard let number = Int64(rest[1]) else { return missing }
      if number == Work.deleted { return .failure(410, "This issue was deleted") }
      return Work(in: repository, number: number).map { .value(issueRecord($0)) } ?? missing
    case "issues" where rest.count == 3 && rest[2] == "comments":
      return Int64(rest[1]).flatMap { Work(in: repository, number: $0) }.map { comments(on: $0, query) } ?? missing
    case "pulls" where rest.count == 2:
      guard let work = Int64(rest[1]).flatMap({ Work(in: repository, number: $0) }), work.isPull else { return missing }
      return .value(pullRecord(work))
    case "releases" where rest.count == 3 && rest[1] == "tags":
      return releaseRecord(in: repository, tag: rest[2]).map { .value($0) } ?? missing
    case "commits" where rest.count == 3 && rest[2] == "comments":
      return CommitName(in: repository, named: rest[1]).map { comments(on: $0, in: repository, query) } ?? missing
    case "contents" where rest.count >= 2:
      return file(rest.dropFirst().joined(separator: "/"), in: repository, query) ?? missing
    case "commits" where rest.count >= 2:
      return commit(in: repository, reference: rest.dropFirst().joined(separator: "/"))
    default: return missing
    }
  }

  /// A 301 to another path of the API, as recorded.
  func moved(to path: String, query: Query) -> Answer {
    let address = base + path + (query.isEmpty ? "" : "?" + query.raw)
    let body = JSONValue.object([
      "message": .string("Moved Permanently"), "url": .string(address),
      "documentation_url": .string("https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api"),
    ])
    return Answer(
      status: 301, fields: ["location": address, "content-type": "application/json; charset=utf-8"], body: body.bytes)
  }

  private func commit(in repository: Repository, reference: String) -> Finding {
    let known = CommitName(in: repository, named: reference)
    guard let name = known ?? (reference == repository.branch ? CommitName(in: repository, number: 1) : nil) else {
      return .failure(422, "No commit found for SHA: \(reference)")
    }
    let author = somebody(UInt64(bitPattern: name.number)) ?? repository.owner
    let madeAt = JSONValue.string(Self.isoTime(1_735_689_600 + name.number))
    let identity = JSONValue.object([
      "name": .string(author.name ?? author.login),
      "email": .string("\(author.id)+\(author.login)@users.noreply.github.com"), "date": madeAt,
    ])
    let parent = CommitName(in: repository, number: name.number - 1)
    let text = rebased(
      Self.template("commit-hub4j-test-org"),
      texts: [
        ("hub4j-test-org/GHTreeBuilderTest", repository.fullName),
        ("7f9b11d9512f639acc6d48439621026cf8410f3a", name.text),
        ("7e888a1cd95c3caf31a16ff21751a06a7feb039f", parent.text),
      ])
    let inner = text["commit"]?.setting([
      "author": identity, "committer": identity, "message": .string(name.message),
      "comment_count": .integer(name.comments),
    ])
    return .value(
      text.setting(["commit": inner ?? .null, "author": record(author), "committer": record(author)]))
  }

  /// The release with this tag; each repository has ten, `v1.0` to `v1.9`.
  func releaseRecord(in repository: Repository, tag: String) -> JSONValue? {
    guard let number = Self.tags.firstIndex(of: tag) else { return nil }
    let hash = SeededHash.mix(UInt64(bitPattern: repository.id) &+ UInt64(number) << 40)
    let madeAt = JSONValue.string(Self.isoTime(1_735_689_600 + Int64(number) * 30 * 86_400 + Int64(hash % 86_400)))
    let event = Self.events.value("release") { JSONValue(Recording.object(named: "event-release-2024")) ?? .null }
    let text = rebased(
      event["payload"]?["release"] ?? .null,
      texts: [
        ("open-watcom/open-watcom-v2", repository.fullName), ("Last-CI-build", tag),
        ("143718142", "\(hash % 1_000_000_000)"),
      ])
    return text.setting([
      "id": .integer(Int64(hash % 1_000_000_000)), "author": record(repository.owner), "created_at": madeAt,
      "published_at": madeAt, "prerelease": .bool(number == 9), "target_commitish": .string(repository.branch),
      "name": .string("\(repository.name) \(tag.dropFirst())"),
      "body": .string("* what was slow is quick\r\n* what was broken works\r\n"),
    ])
  }

  /// The tags of every repository.
  static let tags = (0...9).map { "v1.\($0)" }

  private static let events = Kept<JSONValue>()

  /// The recorded response for an owner, a repository and the rest of the path, ignoring case; nothing private.
  static func recorded(_ path: [String]) -> JSONValue? {
    guard let name = recordedPaths[path.joined(separator: "/").lowercased()] else { return nil }
    let value = template(name)
    return value["private"] == .bool(true) ? nil : value
  }

  /// Recordings by the path below `/repos/`, in lower case.
  static let recordedPaths = Dictionary(
    Recording.all.compactMap { recording -> (String, String)? in
      guard recording.method == "GET", recording.status == 200, recording.path.hasPrefix("/repos/"),
        !recording.path.contains("?"), recording.fields["content-type"]?.contains("json") != false,
        !recording.name.hasPrefix("conditional")
      else { return nil }
      return (recording.path.dropFirst("/repos/".count).lowercased(), recording.name)
    }, uniquingKeysWith: { first, _ in first })
}
