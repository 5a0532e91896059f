import Chat
import FoundationEssentials
import Logging
import Outbound

/// Speaks GitHub's REST API: addresses, headers, credentials, limits, retries, redirects, errors. Knows nothing of storage.
///
/// Safe from any thread. Equal requests at the same moment are one; while GitHub has limited the credential, requests
/// fail at once with the time it told, and nothing is sent (D3). A credential that GitHub refuses is left alone, and the
/// next one asks.
public final class GitHubClient: Sendable {
  /// An answer to a request, conditional or not.
  struct Answer<Value: Sendable>: Sendable {
    /// What was asked for; nil where the validator that was sent still stands for it.
    var value: Value?
    /// The validator to ask with next time; opaque.
    var etag: String?
    /// The address of the next page, where it lies within the API.
    var next: WebAddress?
    /// The least time until this may be asked again, of feeds (`X-Poll-Interval`), an hour at most.
    var pollInterval: Duration?
    /// How long the answer is fresh (`max-age`), an hour at most.
    var maxAge: Duration?
  }

  /// The two quotas that this client draws on.
  enum Resource: String {
    case core, search
  }

  private struct RequestKey: Hashable {
    let address: WebAddress
    let validator: String?
  }

  /// An answer and as whom it was asked for.
  private struct Exchange {
    let response: TransportResponse
    let asker: CredentialState
  }

  let configuration: GitHubConfiguration
  let base: WebAddress?
  private let transport: any Transport
  private let clock: any ChatClock
  private let logger: Logger?
  /// The credentials in their order, at least one.
  private let askers: [CredentialState]
  private let core: FetchQueue<RequestKey, Result<Exchange, GitHubError>>
  private let search: FetchQueue<RequestKey, Result<Exchange, GitHubError>>

  /// A client for the GitHub that `configuration` names. `logger` hears once of each credential that GitHub refuses.
  public init(
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

  /// Asks for `path` (with its query, percent-encoded, beginning with `/`), conditionally where `etag` is a validator that
  /// an earlier answer gave to the same credential. Throws `GitHubError`, or `CancellationError` when the caller's task
  /// was cancelled.
  func get<Record: Decodable>(
    _ path: String, of resource: Resource = .core, etag: String? = nil, as type: Record.Type
  ) async throws -> Answer<Record> where Record: Sendable {
    // Joined as text: ordinary URL resolution would lose a base path.
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
    // A next elsewhere would take the credential with it.
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

  /// What GitHub last told of the quota of whoever asks at present, and until when nothing is asked. Asks nothing.
  public func quota() -> GitHubQuota {
    let asker = self.asker
    return GitHubQuota(
      asker: asker.credential.asker, readings: asker.limits.readings(),
      limitedUntil: asker.limits.hold(on: Resource.core.rawValue)?.resetAt)
  }

  /// Who asks at present: the first that GitHub does not refuse. The last one asks in any case.
  private var asker: CredentialState { askers.first { !$0.isRefused } ?? askers[askers.count - 1] }

  /// One read as whoever is accepted.
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

  /// One read, tried again after a pause where that may help and the deadline leaves the time for it.
  private func patientExchange(
    _ address: WebAddress, resource: Resource, etag: String?, as asker: CredentialState
  ) async -> Result<TransportResponse, GitHubError> {
    let end = clock.monotonic + configuration.readDeadline
    var pauses = configuration.retryPauses[...]
    while true {
      let result = await followedExchange(address, resource: resource, etag: etag, as: asker, end: end)
      guard case .failure(let error) = result, error.mayPass, let pause = pauses.popFirst(),
        clock.monotonic + pause < end
      else { return result }
      await clock.pause(for: pause)
    }
  }

  /// One request with its redirects, at most three, none of which leaves the API: what answers elsewhere is not GitHub,
  /// and whoever chose the address would choose what this server asks for.
  private func followedExchange(
    _ address: WebAddress, resource: Resource, etag: String?, as asker: CredentialState, end: Duration
  ) async -> Result<TransportResponse, GitHubError> {
    var address = address
    for _ in 0...3 {
      // Looked at only now, not when the request was queued: the one before it may have met the limit.
      if let hold = asker.limits.hold(on: resource.rawValue) {
        return .failure(
          Self.error(hold, status: nil, requestID: nil, message: "not asked again before the limit resets"))
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
        return .failure(Self.error(.malformed, response, "GitHub answered 304 to a first question"))
      case .success: return .success(response)
      }
    }
    return .failure(GitHubError(kind: .malformed, message: "GitHub redirects in circles"))
  }

  private func request(
    _ address: WebAddress, etag: String?, credential: GitHubCredential
  ) -> TransportRequest {
    var fields = ["User-Agent": configuration.userAgent, "Accept": "application/vnd.github+json"]
    fields["X-GitHub-Api-Version"] = configuration.apiVersion.flatMap { $0.isEmpty ? nil : $0 }
    fields["If-None-Match"] = etag
    fields["Authorization"] = credential.authorization
    return TransportRequest(
      address: address, fields: fields, bodyLimit: configuration.bodyLimit, timeout: configuration.apiTimeout)
  }
}

extension GitHubCredential {
  /// The credential's kind, as readers of the quota know it.
  var asker: GitHubQuota.Asker {
    switch self {
    case .anonymous: .anonymous
    case .token: .token
    case .application: .application
    }
  }

  /// The value of `Authorization`, nil for nobody.
  fileprivate var authorization: String? {
    switch self {
    case .anonymous: nil
    case .token(let token): "Bearer " + token
    case .application(let id, let secret): "Basic " + Data((id + ":" + secret).utf8).base64EncodedString()
    }
  }
}
