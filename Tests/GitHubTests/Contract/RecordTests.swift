import Chat
import FakeGitHub
import FoundationEssentials
import TestSupport
import Testing

@testable import GitHub

/// What the records read from real responses, and what may be missing.
@Suite("Records")
struct RecordTests {
  private func decode<Record: Decodable>(_ name: String, as type: Record.Type = Record.self) throws -> Record {
    try JSONDecoder().decode(type, from: Data(#require(RecordedExchange.named(name)).body))
  }

  private func events(_ file: String) throws -> [EventRecord] {
    let bytes = Recording.object(named: file)
    if let list = try? JSONDecoder().decode(LenientList<EventRecord>.self, from: Data(bytes)) { return list.values }
    return [try JSONDecoder().decode(EventRecord.self, from: Data(bytes))]
  }

  private func event(_ text: String) throws -> EventRecord {
    try JSONDecoder().decode(EventRecord.self, from: Data(text.utf8))
  }

  @Test("Each type of event keeps who, where, when and what", .shows("N2"))
  func types() throws {
    let all = try events("events-by-type")
    #expect(all.count == 21)
    #expect(Set(all.map(\.type)).count == 14)
    #expect(all.allSatisfy { $0.isPublic && $0.actor != nil && $0.repository?.name.contains("/") == true })
    #expect(all.allSatisfy { $0.createdAt != nil && $0.actor?.avatarURL.hasPrefix("https://") == true })
    func payload(_ type: String) -> PayloadValue? { all.first { $0.type == type }?.payload }
    #expect(payload("WatchEvent")?["action"]?.text == "started")
    #expect(payload("PushEvent")?["commits"]?.list.count == 1)
    #expect(payload("PushEvent")?["size"]?.integer == 1)
    #expect(payload("IssuesEvent")?["issue"]?["number"]?.integer == 566)
    #expect(payload("PullRequestEvent")?["pull_request"]?["merged"]?.flag == true)
    #expect(payload("ReleaseEvent")?["release"]?["tag_name"]?.text == "0.8.0.pre")
    #expect(payload("GollumEvent")?["pages"]?.list.first?["action"]?.text == "edited")
    let repository = all.first { $0.type == "CreateEvent" && $0.payload["ref_type"]?.text == "repository" }
    #expect(repository != nil && repository?.payload["ref"] == nil)
    #expect(repository?.organization?.login == "hub4j-test-org")
  }

  @Test("A trimmed push, a bot's release and a wiki page are events as well", .shows("N2"))
  func singles() throws {
    let push = try #require(try events("event-push-after-2025-10-trim").first)
    #expect(push.payload["head"]?.text?.count == 40 && push.payload["commits"] == nil)
    #expect(push.payload["commits"]?.list.count == nil)
    let release = try #require(try events("event-release-2024").first)
    #expect(release.actor?.login == "github-actions[bot]" && release.id == "36029458403")
    #expect(try events("event-gollum-2021").first?.type == "GollumEvent")
  }

  @Test("An event requires an id, which may be a number, and nothing else", .shows("N2"))
  func lenient() throws {
    let bare = try event(#"{"id":28417092178}"#)
    #expect(bare.id == "28417092178" && bare.type == "Event" && !bare.isPublic && bare.createdAt == nil)
    #expect(bare.payload == .object([:]) && bare.actor == nil && bare.repository == nil)
    let odd = try event(
      #"{"id":"1","type":"HologramEvent","actor":{"login":"a"},"repo":{"name":7},"payload":null,"created_at":"soon"}"#)
    #expect(odd.type == "HologramEvent" && odd.actor == nil && odd.repository == nil && odd.payload["x"] == nil)
    let list = #"[{"id":"1"},{"type":"PushEvent"},7,null,{"id":"2","actor":{"id":"9","login":"a"}}]"#
    let events = try JSONDecoder().decode(LenientList<EventRecord>.self, from: Data(list.utf8)).values
    #expect(events.map(\.id) == ["1", "2"] && events.last?.actor?.id == 9)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LenientList<EventRecord>.self, from: Data(#"{"message":"x"}"#.utf8))
    }
  }

  @Test("A payload keeps every kind of JSON")
  func payload() throws {
    let value = try JSONDecoder().decode(
      PayloadValue.self, from: Data(#"{"a":[1,"2",true,null,1.5,{"b":""}],"n":null,"big":12660541189}"#.utf8))
    let list = try #require(value["a"]).list
    #expect(list.map(\.integer) == [1, 2, nil, nil, nil, nil])
    #expect(list[2].flag == true && list[3] == .null && list[4] == .number(1.5) && list[5]["b"]?.text == nil)
    #expect(value["n"] == nil && value["big"]?.integer == 12_660_541_189 && value.list.isEmpty)
    #expect(value.text == nil && value.flag == nil && value.integer == nil && list[0]["x"] == nil)
  }

  @Test("A repository is public only if GitHub says so", .shows("N3"))
  func repositories() throws {
    let hello: RepositoryRecord = try decode("repo-octocat-hello-world-2022")
    #expect(hello.fullName == "octocat/Hello-World" && hello.id == 1_296_269 && hello.isPublic)
    #expect(hello.stars == 1764 && hello.forks == 1682 && hello.openIssues == 802 && hello.language == nil)
    #expect(hello.owner?.login == "octocat" && hello.defaultBranch == "master" && hello.licence == nil)
    #expect(hello.createdAt == Timestamp("2011-01-26T19:01:12Z") && !hello.isArchived && !hello.isFork)
    let jenkins: RepositoryRecord = try decode("repo-jenkins-2021")
    #expect(jenkins.licence == "MIT" && jenkins.language == "Java" && !jenkins.topics.isEmpty)
    #expect(jenkins.description?.isEmpty == false && jenkins.address == "https://github.com/jenkinsci/jenkins")
    let hidden: RepositoryRecord = try decode("repo-private-2023")
    #expect(!hidden.isPublic)
    let old: RepositoryRecord = try decode("redirect-301-target-betamax")
    #expect(old.fullName == "betamaxpy/betamax" && old.isPublic)
    for text in [
      #"{"id":1,"full_name":"a/b"}"#, #"{"id":1,"full_name":"a/b","private":false,"visibility":"internal"}"#,
    ] {
      #expect(try !JSONDecoder().decode(RepositoryRecord.self, from: Data(text.utf8)).isPublic)
    }
    let push = #"{"id":1,"full_name":"a/b","created_at":1700000000,"parent":{"full_name":"c/d"},"fork":true}"#
    let fork = try JSONDecoder().decode(RepositoryRecord.self, from: Data(push.utf8))
    #expect(fork.createdAt == Timestamp(milliseconds: 1_700_000_000_000) && fork.parent == "c/d" && fork.isFork)
  }

  @Test("Issues and pull requests have their state; a pull request read as an issue says so", .shows("N3"))
  func issues() throws {
    let closed: IssueRecord = try decode("issue-closed-not-planned-2024")
    #expect(closed.number == 18 && closed.state == "closed" && closed.stateReason == "not_planned" && !closed.isPull)
    #expect(closed.author?.login == "stianst" && closed.body == "## test" && closed.closedAt != nil)
    let seen: IssueRecord = try decode("issue-that-is-a-pull-request")
    #expect(seen.isPull && seen.number == 301 && seen.mergedAt == nil && !seen.isDraft)
    let pull: PullRecord = try decode("pull-seate-9-2025")
    #expect(pull.number == 9 && !pull.isMerged && pull.state == "open" && pull.commits == 16 && pull.additions == 642)
    #expect(pull.head?.ref == "test1" && pull.base?.label == "seate:develop" && pull.changedFiles == 19)
    #expect(pull.base?.repository == "seate/for-test" && pull.base?.isPublic == true && pull.comments == 1)
    let old: PullRecord = try decode("pull-hub4j-479-2024")
    #expect(old.number == 479 && old.author != nil)
    let label = #"{"number":1,"labels":["bug",{"name":"ui","color":"ff0000"},{"id":3}]}"#
    let labels = try JSONDecoder().decode(IssueRecord.self, from: Data(label.utf8)).labels
    #expect(labels.map(\.name) == ["bug", "ui"] && labels.last?.colour == "ff0000")
  }

  @Test("Commits, releases and people are read even with missing members", .shows("N3"))
  func others() throws {
    let commit: CommitRecord = try decode("commit-hub4j-test-org")
    #expect(commit.sha.count == 40 && commit.message == "Add files" && commit.author == nil)
    #expect(commit.authorName?.isEmpty == false && commit.deletions == 1 && commit.changedFiles == 1)
    #expect(commit.authoredAt != nil && commit.address?.hasPrefix("https://github.com/") == true)
    let text = #"""
      {"tag_name":"v1","name":"","prerelease":true,"author":{"login":"a","id":1},"published_at":"2024-02-26T23:17:44Z",
      "assets":[{"name":"x.zip","size":9,"download_count":-1},{"size":1}],"body":null}
      """#
    let release = try JSONDecoder().decode(ReleaseRecord.self, from: Data(text.utf8))
    #expect(release.tag == "v1" && release.name == nil && release.isPrerelease && !release.isDraft)
    #expect(release.assets == release.assets.filter { $0.name == "x.zip" && $0.size == 9 && $0.downloads == 0 })
    #expect(release.assets.count == 1 && release.author?.id == 1 && release.publishedAt != nil && release.body == nil)
    let person: ProfileRecord = try decode("user-mojombo")
    #expect(person.account.name == "Tom Preston-Werner" && person.followers > 10_000 && person.createdAt != nil)
    let blank: ProfileRecord = try decode("user-blank-profile")
    #expect(blank.account.name == "Benjamin Black" && blank.bio == nil && blank.company == nil)
    let organization: ProfileRecord = try decode("org-github-2019")
    #expect(organization.account.type == "Organization" && organization.publicRepositories > 100)
    for missing in ["{}", "[]", #"{"number":"x"}"#, #"{"id":1}"#] {
      let data = Data(missing.utf8)
      #expect(throws: (any Error).self) { try JSONDecoder().decode(ProfileRecord.self, from: data) }
      #expect(throws: (any Error).self) { try JSONDecoder().decode(RepositoryRecord.self, from: data) }
      #expect(throws: (any Error).self) { try JSONDecoder().decode(IssueRecord.self, from: data) }
      #expect(throws: (any Error).self) { try JSONDecoder().decode(PullRecord.self, from: data) }
      #expect(throws: (any Error).self) { try JSONDecoder().decode(ReleaseRecord.self, from: data) }
      #expect(throws: (any Error).self) { try JSONDecoder().decode(CommitRecord.self, from: data) }
    }
  }
}
