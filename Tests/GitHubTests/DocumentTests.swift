import Chat
import ChatTesting
import FakeGitHub
import Foundation
import HTTP
import Outbound
import TestSupport
import Testing

@testable import GitHub
@testable import Web

/// docs/github.md lists the requests, the handling of failures, and the costs: it must stay correct.
@Suite("The document about GitHub")
struct DocumentTests {
  private let clock = ManualClock()
  private let document: String

  init() throws {
    // From this file up to the folder that contains the document, whatever the path.
    var folder = #filePath[...]
    while !FileManager.default.fileExists(atPath: folder + "/docs/github.md") {
      folder = folder[..<(try #require(folder.lastIndex(of: "/")))]
    }
    document = try String(contentsOfFile: folder + "/docs/github.md", encoding: .utf8)
  }

  /// The rows of a section's first table, without its header.
  private func rows(under heading: String) throws -> [String] {
    let chapter = try #require(document.firstRange(of: "## " + heading + "\n"), "no chapter \(heading)")
    return document[chapter.upperBound...].split(separator: "\n").drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }.dropFirst(2).map(String.init)
  }

  /// Prints the rows that the document should have, for copying.
  private func expect(_ rows: [String], under heading: String) throws {
    let written = try self.rows(under: heading)
    #expect(written == rows, "docs/github.md should say:\n\(rows.joined(separator: "\n"))")
  }

  @Test("The table of faults says how the program handles each of them", .shows("D3", "D4"))
  func faults() async throws {
    var expected = ["| 304 | none | | what is stored is shown as confirmed | no |"]
    for fault in Fault.allCases {
      let transport = ScriptedTransport { (_) throws(TransportFailure) in try fault.answer.get() }
      var configuration = GitHubConfiguration()
      configuration.credential = .token("t")
      let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
      let error = try #require(await #expect(throws: GitHubError.self) { try await Question.users.ask(client) })
      let problem = Problem(error.directoryFailure, now: clock.now)
      let kind = "\(error.kind)".prefix { $0 != "(" }
      let wait = problem.retryAfter == nil ? "" : " `Retry-After`"
      expected.append(
        "| \(fault.title) | `\(kind)` | \(problem.status.code) `\(problem.name.rawValue)`\(wait) | \(problem.detail) | "
          + "\(error.mayPass ? "once" : "no") |")
    }
    try expect(expected, under: "What goes wrong")
  }

  @Test("The table of requests has each with its address and whether it is conditional")
  func questions() async throws {
    var expected: [String] = []
    for question in Question.allCases {
      let transport = ScriptedTransport { _ in TransportResponse(status: 304) }
      let client = GitHubClient(configuration: GitHubConfiguration(), transport: transport, clock: clock)
      _ = try? await question.ask(client, etag: "anonymous x")
      let request = try #require(transport.requests.first)
      let bucket = question == .search ? "search" : "core"
      let isConditional = request.fields["If-None-Match"] == "x"
      expected.append(
        "| `\(question)` | `GET \(request.address.target)` | \(bucket) | \(isConditional ? "yes" : "no") |")
    }
    try expect(expected, under: "What is asked")
  }

  @Test("The table of costs has what each scenario spends", .shows("D5"))
  func costs() async throws {
    let world = try Spending()
    var expected: [String] = []
    func note(_ scenario: String, _ body: () async throws -> Void) async throws {
      let before = world.spent
      try await body()
      let after = world.spent
      expected.append("| \(scenario) | \(after.requests - before.requests) | \(after.quota - before.quota) |")
    }
    func look() async throws { _ = try await world.directory.page(of: .users, cursor: "") }
    func followers() async throws {
      for cursor in ["", "2", "3"] {
        #expect(try await world.directory.page(of: .followers(of: "many"), cursor: cursor).failure == nil)
      }
    }
    try await note("People, the first visit", look)
    try await note("again within a minute", look)
    world.pass(seconds: 60)
    try await note("again after a minute, nothing has changed", look)
    world.pass(seconds: 60)
    try await note("ten people look at the same list at once") {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for _ in 0..<10 {
          tasks.addTask { _ = try await world.directory.page(of: .members(of: "codeforamerica"), cursor: "") }
        }
        try await tasks.waitForAll()
      }
    }
    try await note("three pages of somebody's followers", followers)
    world.pass(seconds: 60)
    try await note("the same three pages after a minute", followers)
    try await note("somebody opens a chat with a person of the list") {
      _ = try await world.directory.account(login: "mojombo")
    }
    try await note("somebody types `#` and nine letters in a room with a repository") {
      for text in ["", "c", "cr", "cra", "cras", "crash", "crash ", "crash w", "crash wh", "crash whe"] {
        let found = try await world.things.issues(
          of: try #require(RepositoryName("octocat/hello-world")), matching: IssueFilter(text), limit: 10)
        #expect(found.failure == nil && !found.value.isEmpty)
      }
    }
    try await note("somebody signs in with GitHub", world.signIn)
    let references = (14...51).map { "octocat/Hello-World#\($0)" } + ["octocat/Hello-World", "@octocat"]
    func read() async throws {
      let found = try await world.things.cards(for: references)
      #expect(found.failure == nil && found.cards.allSatisfy { $0 != nil })
    }
    try await note("a room of fifty messages with forty references, the first visit", read)
    world.pass(seconds: 3599)
    try await note("again within an hour, whoever reads", read)
    world.pass(seconds: 1)
    try await note("again after an hour, nothing has changed", read)
    try expect(expected, under: "What it costs")
  }
}

/// A directory and a sign-in on the stand-in without sockets that count their requests.
private final class Spending: Sendable {
  private let clock = ManualClock()
  private let standIn = StandIn()
  private let transport: ScriptedTransport
  private let client: GitHubClient
  private let folder: TemporaryFolder
  let directory: GitHubDirectory
  let things: GitHubThingReader

  init() throws {
    folder = try TemporaryFolder()
    let simulation = standIn.simulation
    transport = ScriptedTransport { request in
      let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.lowercased(), $1) })
      let answer = simulation.answer(
        .init(method: request.method.rawValue, target: request.address.target, fields: fields, body: request.body))
      return TransportResponse(status: answer.status, fields: answer.fields, body: answer.body)
    }
    var configuration = GitHubConfiguration(base: simulation.base)
    configuration.credential = .application(id: "demo-client", secret: "demo-secret")
    client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    directory = GitHubDirectory(
      configuration: configuration, store: MemoryDirectoryStore(), cacheFolder: folder.path, clock: clock,
      logger: .silent, transport: transport, client: client)
    things = GitHubThingReader(client: client, store: MemoryNewsStore(), clock: clock, logger: .silent)
  }

  /// The number of requests sent, and the part that counted against the shared credential's quota.
  var spent: (requests: Int, quota: Int) {
    (transport.requests.count, client.quota().readings.first { $0.resource == "core" }?.used ?? 0)
  }

  func pass(seconds: Int64) {
    clock.advance(by: .seconds(seconds))
    standIn.clock.value += seconds
  }

  func signIn() async throws {
    let signIn = GitHubSignIn(
      configuration: GitHubConfiguration(base: standIn.simulation.base), clientID: "demo-client",
      clientSecret: "demo-secret", clock: clock, transport: transport)
    let account = try await signIn.account(
      code: standIn.code(), codeVerifier: StandIn.verifier, redirectURI: StandIn.callback)
    #expect(account.login == "octocat")
  }
}
