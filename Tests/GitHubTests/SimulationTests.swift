import FakeGitHub
import Foundation
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The stand-in's responses")
struct SimulationTests {
  private func ask(
    _ simulation: Simulation, _ target: String, _ fields: [String: String] = [:], agent: String? = "test"
  ) -> Simulation.Answer {
    var fields = fields
    fields["user-agent"] = agent
    return simulation.answer(Simulation.Request(target: target, fields: fields))
  }

  private func logins(_ answer: Simulation.Answer) throws -> [String] {
    try JSONDecoder().decode([AccountRecord].self, from: Data(answer.body)).map(\.login)
  }

  private func recordedLogins(_ name: String) throws -> [String] {
    let recording = try #require(Recording.named(name))
    return try JSONDecoder().decode([AccountRecord].self, from: Data(recording.body)).map(\.login)
  }

  @Test("The first page of users is as recorded; pages continue by the last id to the end, without repeats")
  func users() throws {
    let simulation = Simulation()
    var target: String? = "/users"
    var seen: [String] = []
    var pages = 0
    while let next = target {
      let answer = ask(simulation, next)
      let page = try logins(answer)
      if pages == 0 { #expect(page == (try recordedLogins("users-page-1"))) }
      seen += page
      pages += 1
      let link = try #require(answer.fields["link"])
      #expect(link.contains("<http://127.0.0.1/users{?since}>; rel=\"first\""))
      #expect(!link.contains("rel=\"last\""))
      target = LinkHeader(link)["next"].flatMap { WebAddress($0)?.target }
    }
    #expect(pages > 5)
    #expect(seen.count >= 130)
    #expect(Set(seen).count == seen.count)
  }

  @Test("Followers and following start as recorded, have several pages, and agree with each other and the counts")
  func relations() throws {
    let simulation = Simulation()
    let followers = try logins(ask(simulation, "/users/RTyler/followers"))
    #expect(followers == (try recordedLogins("user-rtyler-followers-page-1")))
    #expect(try logins(ask(simulation, "/users/rtyler/following")) == recordedLogins("user-rtyler-following-page-1"))
    let link = LinkHeader(ask(simulation, "/users/rtyler/followers").fields["link"] ?? "")
    #expect(link["next"] == "http://127.0.0.1/user/26594/followers?page=2")
    #expect(link["first"] == nil && link["prev"] == nil)
    let second = ask(simulation, "/user/26594/followers?page=2")
    #expect(second.status == 200)
    #expect(LinkHeader(second.fields["link"] ?? "")["prev"] == "http://127.0.0.1/user/26594/followers?page=1")
    for login in ["mojombo", "pjhyett", "kohsuke", "octocat"] {
      for list in ["followers", "following"] {
        let first = ask(simulation, "/users/\(login)/\(list)?per_page=50")
        #expect(LinkHeader(first.fields["link"] ?? "")["next"] != nil, "\(login) \(list)")
      }
      let follower = try #require(try logins(ask(simulation, "/users/\(login)/followers")).last)
      let whom =
        try logins(ask(simulation, "/users/\(follower)/following?per_page=100"))
        + logins(ask(simulation, "/users/\(follower)/following?per_page=100&page=2"))
      #expect(whom.contains(login))
    }
  }

  @Test("Members, searches and single accounts are served from the recordings")
  func others() throws {
    let simulation = Simulation()
    let members = ask(simulation, "/orgs/CodeForAmerica/public_members")
    #expect(try logins(members) == recordedLogins("org-public-members-codeforamerica-2014"))
    let next = LinkHeader(members.fields["link"] ?? "")["next"]
    #expect(next == "http://127.0.0.1/organizations/337792/public_members?page=2")
    #expect(ask(simulation, "/organizations/337792/public_members?page=2").status == 200)
    #expect(ask(simulation, "/orgs/mojombo/public_members").status == 404)
    let search = ask(simulation, "/search/users?q=tom+repos%3A%3E42+followers%3A%3E1000")
    let found = try JSONDecoder().decode(SearchRecord.self, from: Data(search.body)).items.map(\.login)
    #expect(found.first == "mojombo" && found.count >= 6)
    #expect(search.fields["x-ratelimit-resource"] == "search" && search.fields["etag"] == nil)
    #expect(ask(simulation, "/search/users?q=").status == 422)
    let tom = try JSONDecoder().decode(AccountRecord.self, from: Data(ask(simulation, "/users/mojombo").body))
    #expect(tom.name == "Tom Preston-Werner")
    #expect(tom.avatar_url == "http://127.0.0.1/u/1?v=4")
    #expect(ask(simulation, "/user/1").body == ask(simulation, "/users/MOJOMBO").body)
    let bot = try JSONDecoder().decode(AccountRecord.self, from: Data(ask(simulation, "/users/shipit%5Bbot%5D").body))
    #expect(bot.id == 32_029_183 && bot.avatar_url == "http://127.0.0.1/u/12433555?v=4")
    #expect(ask(simulation, "/users/nobody-at-all").status == 404)
  }

  @Test("A base path is part of every address, and required")
  func basePath() throws {
    var options = Simulation.Options()
    options.basePath = "/api/v3"
    let simulation = Simulation(options: options)
    simulation.origin = "http://host:1"
    let answer = ask(simulation, "/api/v3/users?per_page=2")
    #expect(LinkHeader(answer.fields["link"] ?? "")["next"] == "http://host:1/api/v3/users?per_page=2&since=2")
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains("http://host:1/api/v3/users/mojombo/followers\""))
    #expect(!text.contains("api.github.com"))
    #expect(ask(simulation, "/users").status == 404)
  }

  @Test("GitHub's checks: no User-Agent 403, unknown version 400, trailing slash 404, an id on everything")
  func manners() {
    let simulation = Simulation()
    #expect(ask(simulation, "/users", agent: nil).status == 403)
    #expect(ask(simulation, "/users", ["x-github-api-version": "1999-01-01"]).status == 400)
    #expect(ask(simulation, "/users", ["x-github-api-version": "2022-11-28"]).status == 200)
    #expect(ask(simulation, "/users/").status == 404)
    let ids = ["/users", "/users", "/none", "/u/1"].compactMap { ask(simulation, $0).fields["x-github-request-id"] }
    #expect(Set(ids).count == 4)
    #expect(ids.allSatisfy { $0.split(separator: ":").map(\.utf8.count) == [4, 4, 6, 6, 8] })
  }

  @Test("The ETag is weak on 200 and strong on 304; a 304 is free only with a token")
  func validators() {
    let simulation = Simulation()
    let tag = ask(simulation, "/users").fields["etag"] ?? ""
    #expect(tag.hasPrefix("W/\""))
    let second = ask(simulation, "/users", ["if-none-match": tag])
    #expect(second.status == 304 && second.body.isEmpty)
    #expect("W/" + (second.fields["etag"] ?? "") == tag)
    #expect(second.fields["x-ratelimit-remaining"] == "4998")
    let token = ["authorization": "Bearer demo-token"]
    let own = ask(simulation, "/users", token.merging(["if-none-match": tag]) { first, _ in first })
    #expect(own.status == 200, "a tag proves nothing for another asker")
    let ownTag = own.fields["etag"] ?? ""
    let free = ask(simulation, "/users", token.merging(["if-none-match": ownTag]) { first, _ in first })
    #expect(free.status == 304 && free.fields["x-ratelimit-remaining"] == "4999")
  }

  @Test("The quota runs out and is renewed with the clock")
  func quota() {
    let shared = Box<Int64>(1000)
    var options = Simulation.Options()
    options.anonymousQuota = 2
    options.now = { shared.value }
    let simulation = Simulation(options: options)
    #expect((0..<3).map { _ in ask(simulation, "/users").status } == [200, 200, 403])
    let refused = ask(simulation, "/users")
    #expect(refused.fields["x-ratelimit-remaining"] == "0" && refused.fields["x-ratelimit-reset"] == "4600")
    #expect(ask(simulation, "/search/users?q=a").status == 200)
    shared.value = 4600
    #expect(ask(simulation, "/users").status == 200)
  }

  @Test("Faults are set by a request, and an invalid one changes nothing")
  func faults() {
    let simulation = Simulation()
    func post(_ json: String) -> Int {
      simulation.answer(.init(method: "POST", target: "/_faults", body: Array(json.utf8))).status
    }
    #expect(post(#"{"mode":"rate-limit","reset_in_s":60}"#) == 200)
    #expect(simulation.faults == Faults(.rateLimit, resetInSeconds: 60))
    for wrong in ["", "{}", #"{"mode":"x"}"#, #"{"mode":"slow","delay_ms":-1}"#] { #expect(post(wrong) == 422) }
    #expect(simulation.faults.mode == .rateLimit)
    #expect(post(#"{"mode":"slow"}"#) == 200)
    #expect(ask(simulation, "/users").delayMilliseconds == 3000)
    let shown = simulation.answer(.init(target: "/_faults"))
    #expect(String(decoding: shown.body, as: UTF8.self) == #"{"delay_ms":3000,"mode":"slow","reset_in_s":null}"#)
    #expect(simulation.requestCount == 1)
  }

  @Test("A picture is a complete PNG, always the same per account, and mirrored")
  func pictures() throws {
    let simulation = Simulation()
    let answer = ask(simulation, "/u/1?v=4&s=80", agent: nil)
    #expect(answer.body == ask(simulation, "/u/1?s=80").body)
    #expect(answer.body != ask(simulation, "/u/2?s=80").body)
    #expect(ask(simulation, "/u/1?s=80", ["if-none-match": answer.fields["etag"] ?? ""]).status == 304)
    #expect(ask(simulation, "/u/x").status == 404)
    for size in [16, 40, 80, 460] {
      let rows = try PNGReader(ask(simulation, "/u/1?s=\(size)").body).rows
      #expect(rows.count == size && rows.allSatisfy { $0.count == size })
      #expect(rows.joined().contains(true) && rows.joined().contains(false))
    }
    let rows = try PNGReader(ask(simulation, "/u/9?s=60").body).rows
    for row in rows { #expect(row[5..<55].elementsEqual(row[5..<55].reversed())) }
  }

  @Test("A picture's corner and width encode its account and size, for up to 4096 accounts", .shows("D8"))
  func marks() {
    let simulation = Simulation()
    for (number, size) in [(1, 40), (583_231, 80), (26_594, 460)] {
      let png = ask(simulation, "/u/\(number)?s=\(size)").body
      // The signature and header chunk are followed by the palette, with the background first.
      let width = png[16..<20].reduce(0) { $0 << 8 | Int($1) }
      #expect(width == size && Array(png[37..<41]) == Array("PLTE".utf8))
      let told = [43, 42, 41].reduce(0) { $0 << 4 | Int(png[$1] & 0xF) }
      #expect(told == number % 4096 && png[41] >= 0xF0)
    }
  }

  @Test("Tens of thousands follow one account, page by page, without affecting anybody else", .shows("D1"))
  func crowd() throws {
    let simulation = Simulation()
    func count(_ login: String, _ member: String) throws -> Int? {
      let record = try JSONSerialization.jsonObject(with: Data(ask(simulation, "/users/\(login)").body))
      return (record as? [String: Any])?[member] as? Int
    }
    #expect(try count("Many", "followers") == 30_000 && count("many", "following") == 30_000)
    for list in ["followers", "following"] {
      let first = ask(simulation, "/users/many/\(list)?per_page=100")
      let links = LinkHeader(first.fields["link"] ?? "")
      #expect(links["last"] == "http://127.0.0.1/user/4000000000/\(list)?per_page=100&page=300")
      let last = try logins(ask(simulation, "/user/4000000000/\(list)?per_page=100&page=300"))
      #expect(try logins(first).first == "crowd-1" && last.last == "crowd-30000")
      #expect(try logins(ask(simulation, "/users/many/\(list)?per_page=100&page=301")).isEmpty)
    }
    #expect(try logins(ask(simulation, "/users/crowd-7/following")) == ["many"])
    #expect(try logins(ask(simulation, "/users/crowd-7/followers")).isEmpty)
    #expect(ask(simulation, "/user/4000000007").status == 200)
    #expect(ask(simulation, "/users/crowd-7/following/many").status == 204)
    #expect(ask(simulation, "/users/many/following/crowd-7").status == 204)
    for missing in ["crowd-0", "crowd-30001", "crowd-07", "crowd-x"] {
      #expect(ask(simulation, "/users/\(missing)").status == 404, "\(missing)")
    }
    #expect(!String(decoding: ask(simulation, "/search/users?q=crowd").body, as: UTF8.self).contains("crowd-"))
    var options = Simulation.Options()
    options.crowd = 0
    #expect(ask(Simulation(options: options), "/users/many").status == 404)
  }
}
