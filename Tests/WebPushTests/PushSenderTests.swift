import Chat
import Foundation
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import WebPush

@Suite("Sending a push")
struct PushSenderTests {
  /// A push service that answers as a test wants and records what it receives.
  private final class Service: Transport {
    let requests = Mutex<[TransportRequest]>([])
    let answer: Result<TransportResponse, TransportFailure>

    init(_ answer: Result<TransportResponse, TransportFailure>) { self.answer = answer }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
      requests.withLock { $0.append(request) }
      return try answer.get()
    }
  }

  private struct StillClock: ChatClock {
    struct Nothing: ScheduledWork { func cancel() {} }
    var now: Timestamp { Timestamp("2026-11-21T12:00:00.000Z") ?? Timestamp(milliseconds: 0) }
    var monotonic: Duration { .zero }
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork { Nothing() }
  }

  private static let room = RoomID(high: 1, low: 2)

  private func send(
    _ answer: Result<TransportResponse, TransportFailure>, to endpoint: String = "https://web.push.apple.com/secret",
    browser: TestBrowser = TestBrowser(), _ handling: PushSender.Handling = PushSender.Handling()
  ) async throws -> (PushSender.Outcome, TransportRequest?) {
    let service = Service(answer)
    let identity = try ServerIdentity(privateKey: ServerIdentity.makePrivateKey(), contact: nil)
    let sender = PushSender(transport: service, hosts: PushHosts(), clock: StillClock(), identity: { identity })
    let subscription = PushSubscription(
      sessionID: SessionID(high: 1, low: 1), userID: UserID(high: 1, low: 1), endpoint: endpoint,
      publicKey: browser.publicKey, secret: browser.secret)
    let outcome = try await sender.send(Array("hello".utf8), to: subscription, handling)
    return (outcome, service.requests.withLock { $0.first })
  }

  @Test(
    "A push has its delivery options, is signed for its service, and encrypted for one browser only",
    .shows("T1"))
  func request() async throws {
    let browser = TestBrowser()
    let (outcome, sent) = try await send(
      .success(TransportResponse(status: 201)), browser: browser,
      PushSender.Handling(room: Self.room, isUrgent: true, timeToLive: 60))
    #expect(outcome == .accepted)
    let request = try #require(sent)
    #expect(request.method == .post)
    #expect(request.fields["Content-Encoding"] == "aes128gcm")
    #expect(request.fields["TTL"] == "60")
    #expect(request.fields["Urgency"] == "high")
    #expect(request.fields["Topic"]?.utf8.count == 32)
    #expect(request.fields["Topic"]?.contains(Self.room.description.prefix(8)) == false)
    #expect(try TestVerifier.claims(request.fields["Authorization"] ?? "").claims.aud == "https://web.push.apple.com")
    #expect(try browser.read(request.body) == Array("hello".utf8))
    let (_, plain) = try await send(.success(TransportResponse(status: 201)))
    #expect(plain?.fields["Urgency"] == "normal" && plain?.fields["Topic"] == nil && plain?.fields["TTL"] == "86400")
  }

  @Test(
    "A push waits at most five seconds, reads at most 64 KiB of the response, and follows no redirect",
    .shows("control 11"))
  func bounds() async throws {
    let (outcome, sent) = try await send(
      .success(TransportResponse(status: 307, fields: ["Location": "http://169.254.169.254/"])))
    #expect(sent?.timeout == .seconds(5))
    #expect(sent?.bodyLimit == 65_536)
    #expect(outcome == .refused(status: 307))
  }

  @Test(
    "The push service's status decides what is done next", .shows("T1"),
    arguments: [
      (200, nil, PushSender.Outcome.accepted), (201, nil, .accepted), (202, nil, .accepted), (404, nil, .gone),
      (410, nil, .gone), (429, "120", .later(.seconds(120), status: 429)), (500, nil, .later(nil, status: 500)),
      (503, "Sat, 21 Nov 2026 12:01:00 GMT", .later(.seconds(60), status: 503)),
      (503, "Sat, 21 Nov 2026 11:00:00 GMT", .later(.zero, status: 503)), (503, "soon", .later(nil, status: 503)),
      (429, "86400", .refused(status: 429)), (429, "99999999999999999", .refused(status: 429)),
      (400, nil, .refused(status: 400)), (401, nil, .refused(status: 401)), (403, nil, .refused(status: 403)),
      (413, nil, .refused(status: 413)),
    ] as [(Int, String?, PushSender.Outcome)])
  func outcomes(status: Int, retryAfter: String?, expected: PushSender.Outcome) async throws {
    let fields = retryAfter.map { ["Retry-After": $0] } ?? [:]
    #expect(try await send(.success(TransportResponse(status: status, fields: fields))).0 == expected)
  }

  @Test(
    "An unreachable service is retried; an endpoint no longer allowed is removed without a request",
    .shows("T1"))
  func unreachable() async throws {
    #expect(try await send(.failure(.timedOut)).0 == .later(nil, status: 0))
    let (outcome, sent) = try await send(
      .success(TransportResponse(status: 201)), to: "https://metadata.example.com/")
    #expect(outcome == .gone)
    #expect(sent == nil)
  }
}
