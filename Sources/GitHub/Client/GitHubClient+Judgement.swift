import Chat
import FoundationEssentials
import Outbound

extension GitHubClient {
  /// Updates the rate limits from the response, and maps an error status to a `GitHubError`.
  func judge(
    _ response: TransportResponse, resource: Resource, limits: RateLimits, now: Timestamp
  ) -> Result<Void, GitHubError> {
    let record = response.status < 400 ? nil : try? JSONDecoder().decode(ErrorRecord.self, from: Data(response.body))
    let rule = LimitRule(response, resource: resource.rawValue, message: record, now: now)
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

  static func error(
    _ kind: GitHubError.Kind, _ response: TransportResponse, _ message: String
  ) -> GitHubError {
    GitHubError(kind: kind, status: response.status, requestID: response.requestID, message: message)
  }

  static func error(
    _ hold: RateLimits.Hold, status: Int?, requestID: String?, message: String
  ) -> GitHubError {
    let kind: GitHubError.Kind =
      hold.isPrimary ? .primaryLimit(resetAt: hold.resetAt) : .secondaryLimit(resetAt: hold.resetAt)
    return GitHubError(kind: kind, status: status, requestID: requestID, message: message)
  }
}

extension TransportResponse {
  /// GitHub's id for the request, which its support asks for.
  var requestID: String? { fields["x-github-request-id"].map { String($0.prefix(100)) } }
}
