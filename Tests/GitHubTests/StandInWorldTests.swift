import FakeGitHub
import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite("Repositories and organisations at the stand-in")
struct StandInWorldTests {
  private let standIn = StandIn()

  @Test("A recorded repository, issue, pull request or commit is served as recorded, with the stand-in's addresses")
  func recorded() throws {
    for name in [
      "repo-octocat-hello-world-2022", "repo-hub4j-github-api-2023", "repo-jenkins-2021", "issue-hub4j-311",
      "issue-closed-not-planned-2024", "issue-that-is-a-pull-request", "pull-seate-9-2025", "pull-hub4j-479-2024",
      "commit-hub4j-test-org", "redirect-301-target-betamax",
    ] {
      let recording = try #require(Recording.named(name))
      let answer = standIn.get(recording.path)
      #expect(answer.status == 200, "\(name)")
      let told = answer.object
      let known = try #require(try JSONSerialization.jsonObject(with: Data(recording.body)) as? [String: Any])
      #expect(Set(told.keys) == Set(known.keys), "\(name)")
      for member in ["id", "number", "title", "full_name", "state", "sha", "html_url"] {
        #expect("\(told[member] ?? "-")" == "\(known[member] ?? "-")", "\(name) \(member)")
      }
      #expect(!answer.text.contains("api.github.com") && !answer.text.contains("avatars.githubusercontent.com/u/"))
    }
  }

  @Test("Everybody has repositories, found by name in any case and by id, complete like a recorded one")
  func made() throws {
    let hello = standIn.get("/repos/OCTOCAT/hello-world")
    let event = try #require(
      standIn.get("/events?per_page=100").objects.first { $0["type"] as? String == "WatchEvent" })
    let repo = try #require(event["repo"] as? [String: Any])
    let id = try #require(repo["id"] as? Int)
    let name = try #require(repo["name"] as? String)
    let byName = standIn.get("/repos/" + name.uppercased())
    #expect(byName.status == 200 && byName.body == standIn.get("/repositories/\(id)").body)
    #expect(Set(byName.object.keys).subtracting(["organization"]) == Set(hello.object.keys))
    #expect(byName.object["full_name"] as? String == name && byName.object["private"] as? Bool == false)
    for missing in [
      "/repos/octocat/none", "/repos/nobody-at-all/x", "/repos/octocat", "/repositories/1", "/repositories/x",
      "/repos/octocat/hello-world/none", "/repos/octocat/hello-world/issues/0", "/repos/octocat/hello-world/issues/61",
      "/repos/octocat/hello-world/releases/tags/v9",
    ] { #expect(standIn.get(missing).status == 404, "\(missing)") }
  }

  @Test("Private ones do not exist; renamed ones redirect; deleted ones are gone")
  func hidden() {
    #expect(standIn.get("/repos/dbaur/test-repo-visibility-private").status == 404)
    #expect(standIn.get("/repositories/676880054").status == 404)
    #expect(standIn.get("/repos/dbaur/test-repo-visibility-private/issues/1").status == 404)
    let moved = standIn.get("/repos/Sigmavirus24/betamax/issues/2?a=b")
    #expect(moved.status == 301)
    #expect(moved.fields["location"] == "http://127.0.0.1:9/repositories/11439734/issues/2?a=b")
    #expect(moved.object["message"] as? String == "Moved Permanently" && moved.object["url"] != nil)
    #expect(standIn.get("/repositories/11439734").object["full_name"] as? String == "betamaxpy/betamax")
    #expect(standIn.get("/repos/octocat/hello-world/issues/13").status == 410)
    let broken = StandIn { $0.renamedRepositories = ["a/b": "nobody-at-all/x", "a/c": "x"] }
    #expect(broken.get("/repos/a/b").status == 404 && broken.get("/repos/a/c").status == 404)
  }

  @Test("A pull request is also an issue, but not the reverse; the two records agree")
  func work() throws {
    var kinds: Set<String> = []
    for number in 1...60 where number != 13 {
      let issue = standIn.get("/repos/octocat/hello-world/issues/\(number)").object
      #expect(issue["number"] as? Int == number)
      let pull = standIn.get("/repos/octocat/hello-world/pulls/\(number)")
      guard let about = issue["pull_request"] as? [String: Any] else {
        #expect(pull.status == 404 && !(issue["title"] as? String ?? "").isEmpty)
        kinds.insert("\(issue["state"] ?? "") \(issue["state_reason"] ?? "")")
        continue
      }
      #expect(pull.object["title"] as? String == issue["title"] as? String)
      #expect(pull.object["id"] as? Int != issue["id"] as? Int)
      let isMerged = pull.object["merged"] as? Bool == true
      #expect(isMerged == (about["merged_at"] is String))
      #expect(pull.object["draft"] as? Bool == issue["draft"] as? Bool)
      kinds.insert(
        isMerged ? "merged" : pull.object["draft"] as? Bool == true ? "draft" : "\(issue["state"] ?? "") pull")
      #expect((issue["html_url"] as? String)?.hasSuffix("/octocat/Hello-World/pull/\(number)") == true)
    }
    #expect(kinds.isSuperset(of: ["merged", "open pull", "open <null>", "closed completed"]), "\(kinds)")
  }

  @Test("Issues and pull requests are listed by state and order, and paged with links", .shows("K4"))
  func issueLists() throws {
    let path = "/repos/octocat/hello-world/issues"
    let all = standIn.get(path + "?state=all&sort=updated&per_page=100").objects
    #expect(Set(all.compactMap { $0["number"] as? Int }) == Set(1...60).subtracting([13]))
    let times = all.compactMap { $0["updated_at"] as? String }
    #expect(times.count == 59 && times == times.sorted(by: >))
    #expect(all.contains { $0["pull_request"] != nil } && all.contains { $0["pull_request"] == nil })
    let open = standIn.get(path + "?per_page=100").objects
    let closed = standIn.get(path + "?per_page=100&state=closed").objects
    #expect(open.count + closed.count == 59 && open.allSatisfy { $0["state"] as? String == "open" })
    let ascending = standIn.get(path + "?state=all&per_page=100&direction=asc").objects
    let made = ascending.compactMap { $0["created_at"] as? String }
    #expect(made == made.sorted() && made.count == 59)
    #expect(standIn.get(path + "?state=all&since=\(times[9])").objects.count == 10)

    let page = standIn.get(path + "?state=all&per_page=25&page=2")
    #expect(page.objects.count == 25)
    let link = try #require(page.fields["link"])
    let id = try #require(standIn.get("/repos/octocat/hello-world").object["id"] as? Int)
    for (number, relation) in [(1, "prev"), (3, "next"), (3, "last"), (1, "first")] {
      let address = "<http://127.0.0.1:9/repositories/\(id)/issues?state=all&per_page=25&page=\(number)>"
      #expect(link.contains("\(address); rel=\"\(relation)\""), "\(link)")
    }
    #expect(standIn.get("/repositories/\(id)/issues?state=all&per_page=25&page=3").objects.count == 9)
    let first = try #require(all.first)
    let single = standIn.get(path + "/\(first["number"] ?? 0)").object
    #expect(Set(first.keys) == Set(single.keys) && first["title"] as? String == single["title"] as? String)
    let recorded = standIn.get("/repos/hub4j/github-api/issues?state=all&per_page=100").objects
    #expect(recorded.contains { $0["number"] as? Int == 311 })
    #expect(standIn.get(path + "?state=merged").status == 422)
    #expect(standIn.get("/repos/octocat/none/issues").status == 404)
    #expect(standIn.get("/repos/dbaur/test-repo-visibility-private/issues").status == 404)
    #expect(standIn.get("/repos/sigmavirus24/betamax/issues?state=all").status == 301)
  }

  @Test("A commit is found by its hash, full or abbreviated, and by the branch; other names are 422")
  func commits() throws {
    let head = standIn.get("/repos/octocat/hello-world/commits/master").object
    let name = try #require(head["sha"] as? String)
    #expect(name.utf8.count == 40)
    for part in [name, String(name.prefix(7)), name.uppercased()] {
      #expect(standIn.get("/repos/octocat/Hello-World/commits/\(part)").object["sha"] as? String == name)
    }
    for other in [String(name.prefix(6)), "0000000", "none", String(name.dropLast()) + "1"] {
      #expect(standIn.get("/repos/octocat/hello-world/commits/\(other)").status == 422, "\(other)")
    }
    let parent = (head["parents"] as? [[String: Any]])?.first?["sha"] as? String
    #expect(standIn.get("/repos/octocat/hello-world/commits/\(parent ?? "")").status == 200)
  }

  @Test("A release is found by its tag")
  func releases() {
    let release = standIn.get("/repos/octocat/hello-world/releases/tags/v1.3").object
    #expect(release["tag_name"] as? String == "v1.3" && release["name"] as? String == "Hello-World 1.3")
    #expect((release["html_url"] as? String)?.hasSuffix("octocat/Hello-World/releases/tag/v1.3") == true)
  }

  @Test("Organisations have a profile, public members, and a membership check")
  func organizations() throws {
    let github = standIn.get("/orgs/GitHub")
    #expect(github.object["login"] as? String == "github" && github.body == standIn.get("/organizations/9919").body)
    #expect(github.object["description"] as? String == "How people build software.")
    let other = standIn.get("/orgs/codeforamerica").object
    #expect(other["id"] as? Int == 337_792 && Set(other.keys) == Set(github.object.keys))
    #expect(!standIn.get("/orgs/codeforamerica").text.contains("orgs/github"))
    #expect(other["html_url"] as? String == "https://github.com/codeforamerica")
    #expect(standIn.get("/orgs/octocat").status == 404 && standIn.get("/orgs").status == 404)
    let member = try #require(standIn.get("/orgs/github/members").objects.first?["login"] as? String)
    #expect(standIn.get("/orgs/github/public_members/\(member)").status == 204)
    #expect(standIn.get("/orgs/github/public_members/nobody-x").status == 404)
    let sent = standIn.get("/orgs/github/members/\(member)")
    #expect(sent.status == 302 && sent.body.isEmpty)
    #expect(sent.fields["location"] == "http://127.0.0.1:9/organizations/9919/public_members/\(member)")
    let orgs = standIn.get("/users/\(member)/orgs").objects
    #expect(orgs.contains { $0["login"] as? String == "github" } && orgs.allSatisfy { $0["type"] == nil })
    #expect(standIn.get("/orgs/github/none").status == 404 && standIn.get("/orgs/github/members/a/b").status == 404)
  }

  @Test("Whether somebody follows somebody is 204 or 404")
  func following() throws {
    let followed = try #require(standIn.get("/users/rtyler/following").objects.first?["login"] as? String)
    let yes = standIn.get("/users/rtyler/following/\(followed)")
    #expect(yes.status == 204 && yes.body.isEmpty)
    #expect(standIn.get("/users/rtyler/following/rtyler").status == 404)
    #expect(standIn.get("/users/rtyler/none").status == 404)
  }

  @Test("Rate limits can be queried without counting; the newer version lists them once")
  func limits() throws {
    _ = standIn.get("/users", token: "demo-token")
    for _ in 0..<2 {
      let limits = standIn.get("/rate_limit", token: "demo-token").object
      let resources = try #require(limits["resources"] as? [String: [String: Int]])
      #expect(resources["core"]?["remaining"] == 4999 && resources["search"]?["limit"] == 30)
      #expect(limits["rate"] != nil)
    }
    #expect(standIn.get("/rate_limit", ["x-github-api-version": "2026-03-10"]).object["rate"] == nil)
  }
}
