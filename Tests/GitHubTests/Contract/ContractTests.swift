import Chat
import ChatTesting
import FoundationEssentials
import Outbound
import TestSupport
import Testing

@testable import GitHub

/// The client against real responses of GitHub: each recorded exchange, through the call that the product makes for it.
@Suite("Recorded exchanges")
struct ContractTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport) -> GitHubClient {
    GitHubClient(configuration: GitHubConfiguration(), transport: transport, clock: clock)
  }

  private func signIn(_ transport: any Transport) -> GitHubSignIn {
    GitHubSignIn(
      configuration: GitHubConfiguration(), clientID: "i", clientSecret: "s", clock: clock, transport: transport)
  }

  /// A transport that returns `answers`, and issues a token for sign-ins.
  private func transport(_ answers: [TransportResponse]) -> ScriptedTransport {
    let rest = Box<[Int]>([])
    return ScriptedTransport { request in
      if request.method == .post {
        return TransportResponse(status: 200, body: Array(#"{"access_token":"gho_x"}"#.utf8))
      }
      rest.append(1)
      return answers[min(rest.value.count, answers.count) - 1]
    }
  }

  @Test("Every recorded exchange has a call that makes it, or a reason why none does")
  func coverage() throws {
    #expect(RecordedExchange.all.count == 108)
    for exchange in RecordedExchange.all {
      let isException = ProductCall.exceptions[exchange.name] != nil
      #expect((ProductCall(exchange) != nil && !isException) || isException, "\(exchange.name) is replayed by nothing")
      #expect([204, 302, 304].contains(exchange.status) || !exchange.body.isEmpty, "\(exchange.name) has no body")
    }
    let names = Set(RecordedExchange.all.map(\.name))
    #expect(names.isSuperset(of: ProductCall.exceptions.keys), "an exception that is no exchange")
    #expect(RecordedExchange.all.count(where: \.isReplayed) == 91)
  }

  @Test(
    "The content, next page, validator and interval of a recorded response are read completely",
    arguments: RecordedExchange.all.filter { $0.isReplayed && $0.status == 200 }.map(\.name))
  func successes(_ name: String) async throws {
    let exchange = try #require(RecordedExchange.named(name))
    let call = try #require(ProductCall(exchange))
    let transport = transport([exchange.response])
    let outcome = try await call.run(client(transport), signIn: signIn(transport), etag: nil)
    #expect(outcome.names == exchange.names)
    #expect(outcome.names?.isEmpty == false)
    #expect(outcome.next == exchange.next)
    switch call {
    // GitHub has no validators for searches; for sign-ins none is kept.
    case .list(.search, _), .signIn: #expect(outcome.etag == nil)
    default: #expect(outcome.etag == exchange.fields["etag"].map { "anonymous " + $0 })
    }
    if case .events = call {
      #expect(outcome.pollSeconds == exchange.fields["x-poll-interval"].flatMap { Int64($0) } ?? 60)
    }
    // The request is the recorded one.
    if !exchange.path.hasPrefix("/user/followers"), !exchange.path.contains("search"), exchange.method == "GET",
      !exchange.path.hasPrefix("/repositories"), !exchange.path.hasSuffix("members?filter=all")
    {
      let asked = transport.requests.last?.address.path ?? ""
      #expect(asked == exchange.plainPath || asked == exchange.plainPath.replacing("/members", with: "/public_members"))
    }
  }

  @Test(
    "A recorded failure has its kind, with status, request id and GitHub's message",
    arguments: RecordedExchange.all.filter { $0.isReplayed && $0.status >= 400 }.map(\.name))
  func failures(_ name: String) async throws {
    let exchange = try #require(RecordedExchange.named(name))
    let transport = transport([exchange.response])
    let read = try #require(ProductCall(exchange))
    if case .signIn = read {
      let failure = await #expect(throws: GitHubIdentityFailure.self) {
        try await read.run(client(transport), signIn: signIn(transport), etag: nil)
      }
      guard case .unavailable(let failure)? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(failure.kind == .unauthorized && failure.status == 401)
      return
    }
    let error = try #require(
      await #expect(throws: GitHubError.self) {
        try await read.run(client(transport), signIn: signIn(transport), etag: nil)
      })
    #expect(error.kind == exchange.expectedKind(at: clock.now))
    #expect(error.status == exchange.status)
    #expect(error.requestID == exchange.fields["x-github-request-id"])
    #expect(!error.message.contains("<"))
    let words = (exchange.json as? [String: Any])?["message"] as? String
    let line = words?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(error.message.hasPrefix(line ?? "GitHub answered \(exchange.status)"))
  }

  @Test(
    "A recorded 304 confirms, with a strong ETag for the first response's weak one",
    arguments: RecordedExchange.all.filter { $0.status == 304 }.map(\.name))
  func confirmations(_ name: String) async throws {
    let exchange = try #require(RecordedExchange.named(name))
    let etag = try #require(exchange.fields["etag"])
    let transport = transport([exchange.response])
    let validator = "anonymous W/" + etag
    let outcome = try await #require(ProductCall(exchange))
      .run(client(transport), signIn: signIn(transport), etag: validator)
    #expect(outcome.names == nil && (outcome.etag == nil || outcome.etag == validator))
    #expect(transport.requests.first?.fields["If-None-Match"] == "W/" + etag)
  }

  @Test(
    "A recorded redirect is followed to its numeric address",
    arguments: RecordedExchange.all.filter { $0.isReplayed && $0.status == 301 }.map(\.name))
  func redirects(_ name: String) async throws {
    let exchange = try #require(RecordedExchange.named(name))
    let target = try #require(RecordedExchange.named("redirect-301-target-betamax"))
    let transport = transport([exchange.response, target.response])
    let outcome = try await #require(ProductCall(exchange))
      .run(client(transport), signIn: signIn(transport), etag: nil)
    #expect(outcome.names == ["11439734"])
    #expect(transport.requests.map(\.address.path).first == exchange.plainPath)
    #expect(transport.requests.last?.address.text == exchange.fields["location"])
  }
}

extension RecordedExchange {
  /// Whether a call of the product makes it.
  fileprivate var isReplayed: Bool { ProductCall.exceptions[name] == nil && ProductCall(self) != nil }

  /// The ids, numbers or hashes in the body.
  fileprivate var names: [String] {
    let object = json as? [String: Any]
    let elements = (json as? [Any]) ?? (object?["items"] as? [Any]) ?? [object as Any]
    let key =
      plainPath.contains("/commits/")
      ? "sha"
      : plainPath.contains("/issues/") || plainPath.contains("/pulls/")
        ? "number" : "id"
    return elements.compactMap { element in
      let value = (element as? [String: Any])?[key]
      return value as? String ?? (value as? Int).map { String($0) }
    }
  }

  /// The number in the next page's address.
  fileprivate var next: String? {
    guard let link = fields["link"], let end = link.firstRange(of: ">; rel=\"next\"")?.lowerBound,
      let start = link[..<end].lastIndex(of: "<")
    else { return nil }
    let items = link[start..<end].split(whereSeparator: { $0 == "?" || $0 == "&" })
    return items.first { $0.hasPrefix("page=") || $0.hasPrefix("since=") }?.split(separator: "=").last.map(String.init)
  }

  fileprivate func expectedKind(at now: Timestamp) -> GitHubError.Kind? {
    switch (name, status) {
    case ("limit-primary-403-remaining-0", _): .primaryLimit(resetAt: now.adding(seconds: 4))
    case ("limit-secondary-429-retry-after-seconds", _), ("limit-secondary-429-retry-after-http-date", _):
      .secondaryLimit(resetAt: now.adding(seconds: 8))
    case (let name, _) where name.hasPrefix("limit-secondary"): .secondaryLimit(resetAt: now.adding(seconds: 60))
    case (_, 401): .unauthorized
    case (_, 403): .forbidden
    case (_, 404): .notFound
    case (_, 422): .invalid
    case (_, 503): .server
    default: nil
    }
  }
}
