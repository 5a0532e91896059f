import Chat
import FakeGitHub
import Outbound

@testable import GitHub

/// The possible faults and the failures they must result in.
enum Fault: CaseIterable, Sendable {
  case badCredentials, primaryLimit, secondaryLimit, forbidden, notFound, gone, tooMany, legal, invalid
  case page, empty, truncated, malformed, otherShape, unexpected304, oversized, timeout, unreachable

  /// Its name in docs/github.md.
  var title: String {
    switch self {
    case .badCredentials: "401"
    case .primaryLimit: "403, the quota is used up"
    case .secondaryLimit: "403, too many requests at once"
    case .forbidden: "403, refused"
    case .notFound: "404"
    case .gone: "410"
    case .tooMany: "429"
    case .legal: "451"
    case .invalid: "422"
    case .page: "503 with a page of HTML"
    case .empty: "200, empty"
    case .truncated: "200, breaks off"
    case .malformed: "200, no JSON"
    case .otherShape: "200, other JSON"
    case .unexpected304: "304 to an unconditional request"
    case .oversized: "longer than 1 MiB"
    case .timeout: "no answer in time"
    case .unreachable: "no connection, or a broken one"
    }
  }

  static let epoch = Int64(1_790_000_000)

  var answer: Result<TransportResponse, TransportFailure> {
    switch self {
    case .badCredentials: recorded("error-401-bad-credentials")
    case .primaryLimit:
      .success(
        TransportResponse(
          status: 403,
          fields: [
            // The server's clock is an hour ahead of ours.
            "Date": "Mon, 21 Sep 2026 15:13:20 GMT", "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": String(Self.epoch + 3600 + 100),
          ], body: Array(#"{"message":"API rate limit exceeded for 127.0.0.1."}"#.utf8)))
    case .secondaryLimit: recorded("limit-secondary-403-body-only")
    case .forbidden: recorded("error-403-push-access")
    case .notFound: recorded("error-404-org")
    case .gone: status(410)
    case .tooMany: recorded("limit-secondary-429-retry-after-seconds")
    case .legal: status(451, #"{"message":"Repository access blocked","block":{"reason":"dmca"}}"#)
    case .invalid: recorded("error-422-validation-field")
    case .page: recorded("error-503-unicorn-html")
    case .empty: status(200, "")
    case .truncated: status(200, #"[{"login":"mojombo","id":1,"ty"#)
    case .malformed: status(200, "<html>")
    case .otherShape: status(200, #"{"message":"hello"}"#)
    case .unexpected304: status(304, "")
    case .oversized: .failure(.oversized)
    case .timeout: .failure(.timedOut)
    case .unreachable: .failure(.unreachable("no route\nto host"))
    }
  }

  var kind: GitHubError.Kind {
    switch self {
    case .badCredentials: .unauthorized
    case .primaryLimit: .primaryLimit(resetAt: Self.time(101))
    case .secondaryLimit: .secondaryLimit(resetAt: Self.time(60))
    case .tooMany: .secondaryLimit(resetAt: Self.time(8))
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .gone: .gone
    case .legal: .blocked
    case .invalid: .invalid
    case .page: .server
    case .empty, .truncated, .malformed, .otherShape, .unexpected304: .malformed
    case .oversized: .oversized
    case .timeout: .timedOut
    case .unreachable: .unreachable
    }
  }

  var directoryKind: DirectoryFailure.Kind {
    switch self {
    case .badCredentials: .unauthorized
    case .primaryLimit: .rateLimited(resetAt: Self.time(101))
    case .secondaryLimit: .rateLimited(resetAt: Self.time(60))
    case .tooMany: .rateLimited(resetAt: Self.time(8))
    case .forbidden, .legal, .invalid: .refused
    case .notFound, .gone: .notFound
    case .page, .empty, .truncated, .malformed, .otherShape, .unexpected304, .oversized: .broken
    case .timeout, .unreachable: .unreachable
    }
  }

  private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: (epoch + seconds) * 1000) }

  private func recorded(_ name: String) -> Result<TransportResponse, TransportFailure> {
    guard let recording = Recording.named(name) else { return .failure(.unreachable("no recording \(name)")) }
    // The recording's own quota is irrelevant to this fault.
    let fields = recording.fields.filter { !$0.key.hasPrefix("x-ratelimit") && !$0.value.contains("{{") }
    return .success(TransportResponse(status: recording.status, fields: fields, body: recording.body))
  }

  private func status(_ status: Int, _ body: String = #"{"message":"No"}"#) -> Result<
    TransportResponse, TransportFailure
  > {
    .success(TransportResponse(status: status, fields: ["X-GitHub-Request-Id": "A:B"], body: Array(body.utf8)))
  }
}
