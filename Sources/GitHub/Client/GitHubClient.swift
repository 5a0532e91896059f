import Chat
import FoundationEssentials
import Logging
import Outbound

/// A client for GitHub's REST API: URLs, header fields, credentials, rate limits, retries, redirects, errors. It stores
/// nothing.
///
/// Safe from any thread. Identical concurrent requests share one exchange. While a credential is rate-limited, requests
/// fail at once with the reset time and nothing is sent. A credential that GitHub rejects is set aside, and the next
/// one is used.
package final class GitHubClient: Sendable {
  /// A response to a request, conditional or not.
  struct Answer<Value: Sendable>: Sendable {
    /// The decoded body; nil if the validator sent is still current.
    var value: Value?
    /// The validator for the next request; opaque.
    var etag: String?
    /// The next page's address, if it is within the API.
    var next: WebAddress?
    /// The minimum time until a feed may be polled again (`X-Poll-Interval`), capped at an hour.
    var pollInterval: Duration?
    /// How long the response is fresh (`max-age`), capped at an hour.
    var maxAge: Duration?
  }

  /// The two rate-limit resources that this client uses.
  enum Resource: String {
    case core, search
  }

  private struct RequestKey: Hashable {
    let address: WebAddress
    let validator: String?
  }

  /// A response and the credential it was requested with.
  private struct Exchange {
    let response: TransportResponse
    let asker: CredentialState
  }

  let configuration: GitHubConfiguration
  let base: WebAddress?
  private let transport: any Transport
  private let clock: any ChatClock
  private let logger: Logger?
  /// The credentials in order of preference; at least one.
  private let askers: [CredentialState]
  private let core: FetchQueue<RequestKey, Result<Exchange, GitHubError>>
  private let search: FetchQueue<RequestKey, Result<Exchange, GitHubError>>

  /// A client for the GitHub described by `configuration`. Each credential that GitHub rejects is logged once to
  /// `logger`.
  package init(
    configuration: GitHubConfiguration, transport: any Transport, clock: any ChatClock, logger: Logger? = nil
  ) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    self.logger = logger
    base = WebAddress(configuration.apiBase)
    askers = ([configuration.credential] + configuration.fallbacks).map { CredentialState($0, clock: clock) }
    core = FetchQueue(limit: configuration.concurrentRequests, clock: clock)
    search = FetchQueue(limit: 1, spacing: configuration.searchSpacing, clock: clock)
  }

  /// Requests `path`, which is percent-encoded, starts with `/` and includes the query. The request is conditional if
  /// `etag` is a validator from an earlier response to the same credential. Throws `GitHubError`, or
  /// `CancellationError` if the caller's task was cancelled.
  func get<Record: Decodable>(
    _ path: String, of resource: Resource = .core, etag: String? = nil, as type: Record.Type
  ) async throws -> Answer<Record> where Record: Sendable {
    // Concatenated, because URL resolution (RFC 3986 section 5.2) would drop the base path.
    guard let address = WebAddress(configuration.apiBase + path) else {
      throw GitHubError(kind: .invalid, message: "the address of GitHub's API cannot be used")
    }
    let queue = resource == .search ? search : core
    let told = try await queue.value(for: RequestKey(address: address, validator: etag)) { [self] in
      await exchange(address, resource: resource, validator: etag)
    }.get()
    let response = told.response
    let pollInterval = response.fields["x-poll-interval"].flatMap { Int64($0) }
      .map { Duration.seconds(min(max($0, 1), 3600)) }
    let maxAge = response.fields["cache-control"].flatMap(Self.maxAge)
    if response.status == 304 {
      return Answer(value: nil, etag: etag, next: nil, pollInterval: pollInterval, maxAge: maxAge)
    }
    guard let record = try? JSONDecoder().decode(Record.self, from: Data(response.body)) else {
      throw Self.error(.malformed, response, "GitHub's answer is not what was expected")
    }
    let next = response.fields["link"].flatMap { LinkHeader($0)["next"] }.flatMap { WebAddress($0) }
    // Following a `next` link outside the API would send the credential there.
    return Answer(
      value: record, etag: told.asker.validator(response.fields["etag"]),
      next: next.flatMap { next in base.map(next.lies(within:)) == true ? next : nil }, pollInterval: pollInterval,
      maxAge: maxAge)
  }

  /// `max-age` of `Cache-Control` (RFC 9111 section 5.2.2.1).
  private static func maxAge(_ field: String) -> Duration? {
    let directives = field.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
    let seconds = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int64($0.dropFirst("max-age=".count)) }
    return seconds.map { .seconds(min(max($0, 0), 3600)) }
  }

  /// The rate-limit state of the credential in use: the last reported quota, and until when nothing is sent. Sends no
  /// request.
  package func quota() -> GitHubQuota {
    let asker = self.asker
    return GitHubQuota(
      asker: asker.credential.asker, readings: asker.limits.readings(),
      limitedUntil: asker.limits.hold(on: Resource.core.rawValue)?.resetAt)
  }

  /// The credential in use: the first that GitHub does not reject, or the last one if it rejects them all.
  private var asker: CredentialState { askers.first { !$0.isRefused } ?? askers[askers.count - 1] }

  /// Performs a read with the first credential that GitHub accepts.
  private func exchange(
    _ address: WebAddress, resource: Resource, validator: String?
  ) async -> Result<Exchange, GitHubError> {
    while true {
      let asker = self.asker
      let result = await patientExchange(address, resource: resource, etag: asker.etag(of: validator), as: asker)
      guard case .failure(let error) = result, error.kind == .unauthorized, asker !== askers.last else {
        return result.map { Exchange(response: $0, asker: asker) }
      }
      if asker.refuse() {
        logger?.warning(
          "GitHub does not accept a credential; requests go on as the next one",
          metadata: [
            "refused": "\(asker.credential)", "now": "\(self.asker.credential)",
            "github_request_id": "\(error.requestID ?? "-")",
          ])
      }
    }
  }

  /// Performs a read, with retries after a pause for transient failures while the deadline allows.
  private func patientExchange(
    _ address: WebAddress, resource: Resource, etag: String?, as asker: CredentialState
  ) async -> Result<TransportResponse, GitHubError> {
    let end = clock.monotonic + configuration.readDeadline
    var pauses = configuration.retryPauses[...]
    while true {
      let result = await followedExchange(address, resource: resource, etag: etag, as: asker, end: end)
      guard case .failure(let error) = result, error.mayPass, let pause = pauses.popFirst(),
        clock.monotonic + pause < end, !Task.isCancelled
      else { return result }
      await clock.pause(for: pause)
    }
  }

  /// Performs a request and follows at most three redirects, all within the API: another host is not GitHub, and
  /// following its redirects would let it choose what this server requests.
  private func followedExchange(
    _ address: WebAddress, resource: Resource, etag: String?, as asker: CredentialState, end: Duration
  ) async -> Result<TransportResponse, GitHubError> {
    var address = address
    for _ in 0...3 {
      // Checked now rather than when the request was queued, since an earlier request may have hit the limit.
      if let hold = asker.limits.hold(on: resource.rawValue) {
        return .failure(
          Self.error(hold, status: nil, requestID: nil, message: "no request is sent before the limit resets"))
      }
      var request = request(address, etag: etag, credential: asker.credential)
      request.timeout = min(request.timeout, max(end - clock.monotonic, .milliseconds(1)))
      let response: TransportResponse
      do {
        response = try await transport.send(request)
      } catch {
        return .failure(GitHubError(error))
      }
      switch judge(response, resource: resource, limits: asker.limits, now: clock.now) {
      case .failure(let error): return .failure(error)
      case .success where [301, 302, 307, 308].contains(response.status):
        guard let location = response.fields["location"], let target = address.resolving(location: location),
          let base, target.lies(within: base)
        else { return .failure(Self.error(.malformed, response, "GitHub redirects to another place")) }
        address = target
      case .success where response.status == 304 && etag == nil:
        return .failure(Self.error(.malformed, response, "GitHub answered 304 to an unconditional request"))
      case .success: return .success(response)
      }
    }
    return .failure(GitHubError(kind: .malformed, message: "GitHub's redirects form a loop"))
  }

  private func request(
    _ address: WebAddress, etag: String?, credential: GitHubCredential
  ) -> TransportRequest {
    var fields = ["User-Agent": configuration.userAgent, "Accept": "application/vnd.github+json"]
    fields["X-GitHub-Api-Version"] = configuration.apiVersion.flatMap { $0.isEmpty ? nil : $0 }
    fields["If-None-Match"] = etag
    fields["Authorization"] = credential.authorization
    return TransportRequest(
      address: address, reach: .anyAddress, fields: fields, bodyLimit: configuration.bodyLimit,
      timeout: configuration.apiTimeout)
  }
}

extension GitHubCredential {
  /// The credential's kind, as reported with the quota.
  var asker: GitHubQuota.Asker {
    switch self {
    case .anonymous: .anonymous
    case .token: .token
    case .application: .application
    }
  }

  /// The value of `Authorization`; nil for the anonymous credential.
  fileprivate var authorization: String? {
    switch self {
    case .anonymous: nil
    case .token(let token): "Bearer " + token
    case .application(let id, let secret): "Basic " + Data((id + ":" + secret).utf8).base64EncodedString()
    }
  }
}
