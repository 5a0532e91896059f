import FakeGitHub
import Foundation
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The stand-in's news")
struct StandInNewsTests {
  private func ids(_ answer: Simulation.Answer) -> [String] { answer.objects.compactMap { $0["id"] as? String } }

  private func pages(_ standIn: StandIn, _ target: String) -> [Simulation.Answer] {
    var answers: [Simulation.Answer] = []
    var next: String? = target
    while let target = next, answers.count < 20 {
      let answer = standIn.get(target)
      answers.append(answer)
      next = LinkHeader(answer.fields["link"] ?? "")["next"].flatMap { WebAddress($0)?.target }
    }
    return answers
  }

  @Test(
    "Each feed has GitHub's header fields, numeric links, and up to 300 events of 30 days, newest first")
  func feeds() throws {
    let standIn = StandIn()
    for (target, alias) in [
      ("/users/OctoCat/received_events", "/user/583231/received_events"),
      ("/users/octocat/received_events/public", "/user/583231/received_events/public"),
      ("/users/octocat/events", "/user/583231/events"), ("/users/octocat/events/public", "/user/583231/events/public"),
      ("/events", "/events"), ("/orgs/github/events", "/organizations/9919/events"),
      ("/repos/octocat/hello-world/events", "/repositories/1296269/events"),
    ] {
      let answers = pages(standIn, target)
      let first = answers[0]
      #expect(first.status == 200 && first.fields["x-poll-interval"] == "60", "\(target)")
      #expect(first.fields["etag"]?.hasPrefix("W/") == true && first.fields["last-modified"] != nil)
      let all = answers.flatMap(\.objects)
      #expect((10...300).contains(all.count), "\(target) \(all.count)")
      #expect(Set(answers.flatMap(ids)).count == all.count)
      let times = all.compactMap { $0["created_at"] as? String }
      #expect(times == times.sorted().reversed() && (times.last ?? "") > "2026-12-15T")
      let next = LinkHeader(first.fields["link"] ?? "")["next"]
      #expect(next == (all.count > 30 ? "http://127.0.0.1:9" + alias + "?page=2" : nil), "\(target)")
      let known = standIn.get(target, ["if-none-match": first.fields["etag"] ?? ""])
      #expect(known.status == 304 && known.fields["x-poll-interval"] == "60")
    }
    #expect(standIn.get("/users/nobody-at-all/events").status == 404)
    #expect(standIn.get("/users/octocat/received_events").fields["link"]?.contains("rel=\"last\"") == false)
    let numbers = ids(standIn.get("/events?per_page=100")).compactMap { Int($0) }
    #expect(numbers.count == 100 && numbers != numbers.sorted().reversed(), "ids have no order")
  }

  @Test("Feeds contain what a person receives or does, or what happens in an organisation or a repository")
  func whose() throws {
    let standIn = StandIn()
    var followed: Set<String> = []
    for page in pages(standIn, "/users/rtyler/following?per_page=100") {
      followed.formUnion(page.objects.compactMap { $0["login"] as? String })
    }
    func values(_ target: String, _ member: String, _ name: String) -> Set<String> {
      Set(standIn.get(target).objects.compactMap { ($0[member] as? [String: Any])?[name] as? String })
    }
    let actors = values("/users/rtyler/received_events?per_page=100", "actor", "login")
    #expect(actors.count > 10 && actors.isSubset(of: followed))
    #expect(values("/users/rtyler/events", "actor", "login") == ["rtyler"])
    #expect(values("/orgs/jenkinsci/events", "org", "login") == ["jenkinsci"])
    #expect(values("/repos/octocat/Hello-World/events", "repo", "name") == ["octocat/Hello-World"])
    #expect(standIn.get("/users/github/received_events").text == "[]")
  }

  @Test("Events appear with the clock, past ones stay, and every run has the same")
  func time() {
    let standIn = StandIn()
    let target = "/users/octocat/received_events?per_page=100"
    let first = standIn.get(target)
    #expect(first.body == StandIn().get(target).body)
    standIn.clock.value += 1
    let tag = first.fields["etag"] ?? ""
    standIn.simulation.secondsAhead = 600
    let later = standIn.get(target, ["if-none-match": tag])
    #expect(later.status == 200)
    let new = ids(later).prefix { $0 != ids(first)[0] }
    #expect((1...30).contains(new.count))
    #expect(ids(later).dropFirst(new.count).elementsEqual(ids(first).dropLast(new.count)))
  }

  @Test("All recorded types occur, and an unknown one; payloads are full, trimmed, or mixed")
  func types() throws {
    func payloads(_ choice: Simulation.Options.Payloads) -> [(String, [String: Any])] {
      let standIn = StandIn { $0.payloads = choice }
      return pages(standIn, "/events?per_page=100").flatMap(\.objects).compactMap { event in
        guard let type = event["type"] as? String, let payload = event["payload"] as? [String: Any] else { return nil }
        return (type, payload)
      }
    }
    let full = payloads(.full)
    let recorded = Recording.object(named: "events-by-type")
    let types = try #require(try JSONSerialization.jsonObject(with: Data(recorded)) as? [[String: Any]])
    #expect(
      Set(full.map(\.0)) == Set(types.compactMap { $0["type"] as? String } + ["PublicEvent", "SponsorshipEvent"]))
    for (type, payload) in full {
      if type == "PushEvent" {
        #expect((payload["commits"] as? [Any])?.count == payload["size"] as? Int)
      }
      if let pull = payload["pull_request"] as? [String: Any] {
        #expect(pull["title"] is String && pull["user"] != nil)
      }
    }
    for (type, payload) in payloads(.trimmed) {
      if type == "PushEvent" { #expect(Set(payload.keys) == ["repository_id", "push_id", "ref", "head", "before"]) }
      if let pull = payload["pull_request"] as? [String: Any] {
        #expect(Set(pull.keys) == ["url", "id", "number", "head", "base"])
        #expect(pull["url"] as? String != nil)
      }
      #expect((payload["comment"] as? [String: Any])?["author_association"] == nil)
    }
    let pushes = payloads(.mixed).filter { $0.0 == "PushEvent" }
    #expect(pushes.contains { $0.1["commits"] == nil } && pushes.contains { $0.1["commits"] != nil })
  }

  @Test("Everything that an event names can be requested: people, repositories, issues, pull requests, forks, …")
  func subjects() throws {
    let standIn = StandIn { $0.payloads = .full }
    var asked: [String: Int] = [:]
    func check(_ kind: String, _ address: Any?, _ member: String, _ value: Any?) {
      guard let text = address as? String, let target = WebAddress(text)?.target else {
        Issue.record("\(kind): no address in \(String(describing: address))")
        return
      }
      let answer = standIn.get(target)
      #expect(answer.status == 200, "\(kind) \(target)")
      #expect("\(answer.object[member] ?? "")" == "\(value ?? "?")", "\(kind) \(target)")
      asked[kind, default: 0] += 1
    }
    for event in pages(standIn, "/events?per_page=100").flatMap(\.objects) {
      #expect(event["public"] as? Bool == true)
      let actor = event["actor"] as? [String: Any] ?? [:]
      let repo = event["repo"] as? [String: Any] ?? [:]
      let payload = event["payload"] as? [String: Any] ?? [:]
      check("actor", actor["url"], "id", actor["id"])
      check("repository", repo["url"], "full_name", repo["name"])
      if let issue = payload["issue"] as? [String: Any] { check("issue", issue["url"], "title", issue["title"]) }
      if let pull = payload["pull_request"] as? [String: Any] { check("pull", pull["url"], "title", pull["title"]) }
      if let fork = payload["forkee"] as? [String: Any] { check("fork", fork["url"], "id", fork["id"]) }
      if let release = payload["release"] as? [String: Any], let url = repo["url"] as? String {
        check("release", url + "/releases/tags/\(release["tag_name"] ?? "")", "name", release["name"])
      }
      for commit in payload["commits"] as? [[String: Any]] ?? [] {
        check("commit", commit["url"], "sha", commit["sha"])
      }
      #expect(!String(describing: payload).contains("api.github.com"))
    }
    #expect(Set(asked.keys) == ["actor", "repository", "issue", "pull", "fork", "release", "commit"])
  }

  @Test("Pages overlap if configured")
  func overlap() {
    let standIn = StandIn()
    standIn.simulation.faults = Faults(.overlap)
    let first = ids(standIn.get("/events?per_page=10"))
    let second = ids(standIn.get("/events?per_page=10&page=2"))
    #expect(second.count == 10 && second.prefix(2).elementsEqual(first.suffix(2)))
  }
}
