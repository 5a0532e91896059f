import ChatTesting
import EventLoop
import FakeGitHub
import Foundation
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The stand-in's faults")
struct StandInFaultTests {
  private let standIn = StandIn()

  private func post(_ json: String, to path: String = "/_faults") -> Simulation.Answer {
    standIn.simulation.answer(.init(method: "POST", target: path, body: Array(json.utf8)))
  }

  @Test(
    "Each status has GitHub's body", .shows("D4"),
    arguments: [
      (.rateLimit, 403, "API rate limit exceeded"), (.secondary, 403, "You have exceeded a secondary rate limit"),
      (.tooMany, 429, ""), (.unauthorized, 401, "Bad credentials"), (.forbidden, 403, "Resource not accessible"),
      (.notFound, 404, "Not Found"), (.blocked, 451, "Repository access blocked"),
      (.badGateway, 502, "<html>"), (.serverError, 503, "<!DOCTYPE html>"), (.notModified, 304, ""),
    ] as [(Faults.Mode, Int, String)])
  func statuses(_ mode: Faults.Mode, _ status: Int, _ words: String) {
    for target in ["/users", "/users/octocat", "/repos/octocat/hello-world", "/users/octocat/received_events"] {
      standIn.simulation.faults = Faults(mode)
      let answer = standIn.get(target)
      #expect(answer.status == status, "\(target)")
      #expect(words.isEmpty || answer.text.contains(words), "\(target)")
      standIn.simulation.faults = Faults()
      #expect(standIn.get(target).status == 200)
    }
  }

  @Test("Rate limits have a reset time or none, as configured; a person is named by id", .shows("D3"))
  func limits() {
    standIn.simulation.faults = Faults(.secondary)
    #expect(standIn.get("/users").fields["retry-after"] == nil)
    standIn.simulation.faults = Faults(.secondary, resetInSeconds: 30)
    #expect(standIn.get("/users").fields["retry-after"] == "30")
    standIn.simulation.faults = Faults(.tooMany)
    #expect(standIn.get("/users").fields["retry-after"] == nil)
    standIn.simulation.faults = Faults(.tooMany, resetInSeconds: 7)
    #expect(standIn.get("/users").fields["retry-after"] == "7")
    standIn.simulation.faults = Faults(.rateLimit, resetInSeconds: 60)
    let primary = standIn.get("/users", token: "demo-token")
    #expect(primary.text.contains("for user ID 583231") && primary.fields["x-ratelimit-remaining"] == "0")
    #expect(primary.fields["x-ratelimit-reset"] == String(standIn.clock.value + 60))
    #expect(standIn.get("/u/1").status == 200, "pictures have no quota")
  }

  @Test("A fault affects its path, ends after its count, and several apply side by side")
  func rules() {
    #expect(post(#"{"mode":"not-found","path":"/u/"}"#).status == 200)
    #expect(standIn.get("/u/1").status == 404 && standIn.get("/users").status == 200)
    #expect(post(#"{"mode":"server-error","times":2}"#).status == 200)
    #expect((0..<3).map { _ in standIn.get("/users").status } == [503, 503, 200])
    #expect(post(#"[{"mode":"slow","path":"/u/","delay_ms":9},{"mode":"not-found","path":"/users"}]"#).status == 200)
    #expect(standIn.get("/u/1").delayMilliseconds == 9 && standIn.get("/users").status == 404)
    #expect(standIn.get("/orgs/github").status == 200)
    #expect(
      standIn.get("/_faults").text
        == #"[{"delay_ms":9,"mode":"slow","path":"/u/","reset_in_s":null},{"delay_ms":0,"mode":"not-found","path":"/users","reset_in_s":null}]"#
    )
    for wrong in ["[{}]", #"{"mode":"slow","times":0}"#, #"{"mode":"oversized","bytes":-1}"#] {
      #expect(post(wrong).status == 422)
    }
    #expect(post("[]").status == 200 && standIn.get("/_faults").text.contains(#""mode":"none""#))
    standIn.simulation.faults = Faults(.serverError)
    #expect(standIn.get(standIn.authorize()).status == 200, "a page for people goes wrong by its path only")
    #expect(standIn.exchange("x").status == 503)
    standIn.simulation.faults = Faults(.outage, path: "/login")
    #expect(standIn.get(standIn.authorize()).isDropped && standIn.get("/users").status == 200)
    standIn.simulation.faults = Faults(.redirects, path: "/u/")
    #expect(standIn.get("/u/1?s=40").fields["location"] == "http://127.0.0.1:9/u/1?s=40&hop=1")
  }

  @Test("Redirects loop forever, a number of times, or lead elsewhere; a link can lead elsewhere too")
  func elsewhere() throws {
    standIn.simulation.faults = Faults(.redirects, times: 2)
    var answer = standIn.get("/users?per_page=3")
    var hops = 0
    while let location = answer.fields["location"], hops < 9 {
      #expect(answer.status == 301)
      answer = standIn.get(try #require(WebAddress(location)).target)
      hops += 1
    }
    #expect(hops == 2 && answer.objects.count == 3)
    standIn.simulation.faults = Faults(.redirects)
    #expect(standIn.get("/users?hop=7").fields["location"] == "http://127.0.0.1:9/users?hop=8")
    #expect(post(#"{"mode":"foreign-redirect","origin":"http://127.0.0.1:1"}"#).status == 200)
    #expect(standIn.get("/users").fields["location"] == "http://127.0.0.1:1/users")
    standIn.simulation.faults = Faults(.foreignLink)
    let link = LinkHeader(standIn.get("/users").fields["link"] ?? "")["next"]
    #expect(link == "https://foreign.example/users?since=46")
  }

  @Test("A first page can be empty and still have a next one")
  func emptyPage() throws {
    standIn.simulation.faults = Faults(.emptyPage)
    for target in ["/users", "/users/octocat/followers", "/events"] {
      let answer = standIn.get(target)
      #expect(answer.text == "[]", "\(target)")
      let next = try #require(LinkHeader(answer.fields["link"] ?? "")["next"].flatMap { WebAddress($0)?.target })
      #expect(standIn.get(next).objects.count == 30, "\(target)")
    }
    #expect(standIn.get("/users/octocat").object["login"] as? String == "octocat")
  }

  @Test("An oversized response is otherwise correct; a compressed one is marked as such", .shows("control 11"))
  func sizes() {
    let plain = standIn.get("/users").body
    #expect(post(#"{"mode":"oversized","bytes":100000}"#).status == 200)
    let large = standIn.get("/users")
    #expect(large.body.count == 100_000 && large.body.starts(with: plain))
    standIn.simulation.faults = Faults(.gzip)
    let small = standIn.get("/users")
    #expect(small.fields["content-encoding"] == "gzip" && small.body.starts(with: [0x1F, 0x8B]))
    #expect(small.body.count < plain.count)
    standIn.simulation.faults = Faults(.timeout)
    #expect(standIn.get("/users").delayMilliseconds == 600_000)
  }

  @Test("A login can change, be taken by somebody else, and be deleted; the id keeps its owner", .shows("D2"))
  func accounts() throws {
    let token = try standIn.token()
    #expect(post(#"{"rename":"OctoCat","to":"octokitty"}"#, to: "/_accounts").status == 200)
    #expect(standIn.get("/users/octocat").status == 404)
    #expect(standIn.get("/user", token: token).object["login"] as? String == "octokitty")
    #expect(standIn.get("/user/583231").object["login"] as? String == "octokitty")
    let followed = try #require(standIn.get("/user/583231/following").objects.first?["login"] as? String)
    #expect(standIn.get("/users/octokitty/following/\(followed)").status == 204)
    let actors = standIn.get("/user/583231/events").objects.compactMap { ($0["actor"] as? [String: Any])?["login"] }
    #expect(actors.first as? String == "octokitty")
    #expect(post(#"{"add":"octocat","id":900000001}"#, to: "/_accounts").status == 200)
    #expect(standIn.get("/users/octocat").object["id"] as? Int == 900_000_001)
    #expect(!standIn.simulation.register("other", id: 1) && !standIn.simulation.register("Defunkt", id: 900_000_002))
    #expect(!standIn.simulation.rename("defunkt", to: "mojombo") && !standIn.simulation.rename("nobody-x", to: "y"))
    #expect(post(#"{"remove":"octokitty"}"#, to: "/_accounts").status == 200)
    #expect(standIn.get("/user/583231").status == 404 && !standIn.simulation.remove("octokitty"))
    for wrong in ["{}", #"{"add":"x"}"#, "x"] { #expect(post(wrong, to: "/_accounts").status == 422) }
    #expect(standIn.simulation.answer(.init(target: "/_accounts")).status == 422)
    #expect(StandIn().get("/users/octocat").object["id"] as? Int == 583_231, "others are not touched")
  }

  @Test("Over a socket a body can stop in the middle, arrive in two parts, or be compressed", .shows("D4"))
  func wire() async throws {
    let group = try EventLoopGroup(count: 1)
    group.start()
    let fake = FakeGitHub(group: group)
    let base = try await fake.start()
    let whole = fake.simulation.answer(.init(target: "/users", fields: ["user-agent": "x"])).body
    let transport = CurlTransport()
    func fetch(_ path: String) async throws -> [UInt8] {
      let address = try #require(WebAddress(base + path))
      return try await transport.send(
        TransportRequest(
          address: address, reach: .anyAddress, fields: ["User-Agent": "x"], bodyLimit: 1 << 20, timeout: .seconds(60))
      ).body
    }
    #expect(try await fetch("/users") == whole)
    fake.faults = Faults(.gzip)
    #expect(try await fetch("/users") == whole)
    fake.faults = Faults(.slowBody, delayMilliseconds: 1)
    #expect(try await fetch("/users") == whole)
    #expect(try await fetch("/events?per_page=100").count > 262_144, "longer than a stream's queue")
    fake.faults = Faults(.truncated)
    await #expect(throws: (any Error).self) { try await fetch("/users") }
    await #expect(throws: (any Error).self) { try await fetch("/u/1") }
    fake.faults = Faults(.outage)
    await #expect(throws: (any Error).self) { try await fetch("/users") }
    await fake.stop()
    group.stop()
  }
}
