import Chat
import FoundationEssentials

/// Speaks GitHub's REST API as one credential: addresses, headers, limits, redirects, errors. Knows nothing of storage.
///
/// Safe from any thread. Equal requests at the same moment are one; while GitHub has limited the credential, requests
/// fail at once with the time it told, and nothing is sent (D3).
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
  }

  /// The two quotas that this client draws on.
  enum Resource: String {
    case core, search
  }

  private struct RequestKey: Hashable {
    let address: WebAddress
    let etag: String?
  }

  let configuration: GitHubConfiguration
  let base: WebAddress?
  private let transport: any Transport
  private let clock: any ChatClock
  private let limits: RateLimits
  private let core: FetchQueue<RequestKey, Result<TransportResponse, GitHubError>>
  private let search: FetchQueue<RequestKey, Result<TransportResponse, GitHubError>>

  /// A client for the GitHub that `configuration` names.
  public init(configuration: GitHubConfiguration, transport: any Transport, clock: any ChatClock) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    base = WebAddress(configuration.apiBase)
    limits = RateLimits(clock: clock)
    core = FetchQueue(limit: configuration.concurrentRequests, clock: clock)
    search = FetchQueue(limit: 1, spacing: configuration.searchSpacing, clock: clock)
  }

  /// Asks for `path` (with its query, percent-encoded, beginning with `/`). Throws `GitHubError`, or
  /// `CancellationError` when the caller's task was cancelled.
  func get<Record: Decodable>(
    _ path: String, of resource: Resource = .core, etag: String? = nil, as type: Record.Type
  ) async throws -> Answer<Record> where Record: Sendable {
    // Joined as text: ordinary URL resolution would lose a base path.
    guard let address = WebAddress(configuration.apiBase + path) else {
      throw GitHubError(kind: .invalid, message: "the address of GitHub's API cannot be used")
    }
    let queue = resource == .search ? search : core
    let response = try await queue.value(for: RequestKey(address: address, etag: etag)) { [self] in
      await exchange(address, resource: resource, etag: etag)
    }.get()
    let pollInterval = response.fields["x-poll-interval"].flatMap { Int64($0) }
      .map { Duration.seconds(min(max($0, 1), 3600)) }
    if response.status == 304 { return Answer(value: nil, etag: etag, next: nil, pollInterval: pollInterval) }
    guard let record = try? JSONDecoder().decode(Record.self, from: Data(response.body)) else {
      throw Self.error(.malformed, response, "GitHub's answer is not what was expected")
    }
    let next = response.fields["link"].flatMap { LinkHeader($0)["next"] }.flatMap { WebAddress($0) }
    // A next elsewhere would take the credential with it.
    return Answer(
      value: record, etag: response.fields["etag"],
      next: next.flatMap { next in base.map(next.lies(within:)) == true ? next : nil }, pollInterval: pollInterval)
  }

  /// What GitHub last told of this client's quota, and until when nothing is asked. Asks nothing.
  public func quota() -> GitHubQuota {
    GitHubQuota(
      asker: configuration.credential.asker, readings: limits.readings(),
      limitedUntil: limits.hold(on: Resource.core.rawValue)?.resetAt)
  }

  /// One request with its redirects, at most three, none of which leaves the API.
  private func exchange(
    _ address: WebAddress, resource: Resource, etag: String?
  ) async -> Result<TransportResponse, GitHubError> {
    var address = address
    for _ in 0...3 {
      // Looked at only now, not when the request was queued: the one before it may have met the limit.
      if let hold = limits.hold(on: resource.rawValue) {
        return .failure(
          Self.error(hold, status: nil, requestID: nil, message: "not asked again before the limit resets"))
      }
      let response: TransportResponse
      do {
        response = try await transport.send(request(address, etag: etag))
      } catch {
        return .failure(GitHubError(error))
      }
      switch judge(response, resource: resource) {
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

  private func request(_ address: WebAddress, etag: String?) -> TransportRequest {
    var fields = ["User-Agent": configuration.userAgent, "Accept": "application/vnd.github+json"]
    fields["X-GitHub-Api-Version"] = configuration.apiVersion.flatMap { $0.isEmpty ? nil : $0 }
    fields["If-None-Match"] = etag
    fields["Authorization"] = configuration.credential.authorization
    return TransportRequest(
      address: address, fields: fields, bodyLimit: configuration.bodyLimit, timeout: configuration.apiTimeout)
  }

  /// Learns the limits that the answer tells, and turns a failing status into its error.
  private func judge(_ response: TransportResponse, resource: Resource) -> Result<Void, GitHubError> {
    let record = response.status < 400 ? nil : try? JSONDecoder().decode(ErrorRecord.self, from: Data(response.body))
    let rule = LimitRule(response, resource: resource.rawValue, message: record, now: clock.now)
    let message = record?.line ?? "GitHub answered \(response.status)"
    if let hold = limits.learn(rule, resource: resource.rawValue, status: response.status) {
      return .failure(Self.error(hold, status: response.status, requestID: response.requestID, message: message))
    }
    switch response.status {
    case 200, 301, 302, 304, 307, 308: return .success(())
    case 401: return .failure(Self.error(.unauthorized, response, message))
    case 403: return .failure(Self.error(.forbidden, response, message))
    case 404: return .failure(Self.error(.notFound, response, message))
    case 410: return .failure(Self.error(.gone, response, message))
    case 451: return .failure(Self.error(.blocked, response, message))
    case 400..<500: return .failure(Self.error(.invalid, response, message))
    case 500..<600: return .failure(Self.error(.server, response, message))
    default: return .failure(Self.error(.malformed, response, message))
    }
  }

  private static func error(
    _ kind: GitHubError.Kind, _ response: TransportResponse, _ message: String
  ) -> GitHubError {
    GitHubError(kind: kind, status: response.status, requestID: response.requestID, message: message)
  }

  private static func error(
    _ hold: RateLimits.Hold, status: Int?, requestID: String?, message: String
  ) -> GitHubError {
    let kind: GitHubError.Kind =
      hold.isPrimary ? .primaryLimit(resetAt: hold.resetAt) : .secondaryLimit(resetAt: hold.resetAt)
    return GitHubError(kind: kind, status: status, requestID: requestID, message: message)
  }
}

extension TransportResponse {
  fileprivate var requestID: String? { fields["x-github-request-id"].map { String($0.prefix(100)) } }
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
