import Outbound

/// Which GitHub to talk to and how: github.com, Enterprise Server, data residency, or the stand-in.
package struct GitHubConfiguration: Sendable {
  /// The API's base URL without a trailing slash: `https://api.github.com`, `https://HOST/api/v3`.
  package var apiBase = "https://api.github.com"
  /// The website's base URL without a trailing slash: `https://github.com`.
  package var webBase = "https://github.com"
  /// Hosts that may serve avatars over https, in addition to the origins of the two base URLs.
  package var avatarHosts = publicAvatarHosts
  /// GitHub's own avatar hosts; they must resolve to public addresses.
  static let publicAvatarHosts: Set<String> = [
    "avatars.githubusercontent.com", "avatars0.githubusercontent.com", "avatars1.githubusercontent.com",
    "avatars2.githubusercontent.com", "avatars3.githubusercontent.com",
  ]
  /// The `User-Agent` field. GitHub rejects requests without one.
  package var userAgent = "Hubbub"
  /// `X-GitHub-Api-Version`; nil omits the field, as Enterprise Server before 3.8 requires.
  package var apiVersion: String? = "2022-11-28"
  /// The credential to send.
  package var credential = GitHubCredential.anonymous
  /// Credentials to try, in this order, when GitHub rejects the one before.
  package var fallbacks: [GitHubCredential] = []
  /// Accounts per page, 1–100.
  package var pageSize = 100
  /// The time limit for one API response, body included.
  package var apiTimeout = Duration.seconds(5)
  /// The pauses before each retry of a read that timed out or got a 5xx. Empty, as in most tests, means no retries.
  package var retryPauses: [Duration] = []
  /// The time limit for a read with all its retries; the last try gets what is left.
  package var readDeadline = Duration.seconds(11)
  /// The time limit for fetching one avatar.
  package var avatarTimeout = Duration.seconds(5)
  /// The longest response body accepted, in bytes.
  package var bodyLimit = 1 << 20
  /// The maximum number of concurrent API requests.
  package var concurrentRequests = 4
  /// The maximum number of concurrent avatar requests.
  package var concurrentAvatars = 6
  /// The minimum time between the starts of two searches.
  package var searchSpacing = Duration.seconds(2)
  /// The maximum size of the avatar cache on disk, in bytes.
  package var avatarCacheBytes = 256 << 20

  /// The configuration for github.com without a token.
  package init() {}

  /// The configuration for the GitHub whose API is at `base`. Unless `web` is given, the website's address is derived
  /// from `base`.
  ///
  /// An Enterprise Server's API is below `/api/v3` of its website; with data residency the API is at `api.SUB.ghe.com`
  /// and the website at `SUB.ghe.com`; the stand-in serves both from one origin.
  package init(base: String, web: String? = nil) {
    apiBase = base.hasSuffix("/") ? String(base.dropLast()) : base
    webBase = web ?? Self.webBase(for: apiBase)
  }

  private static func webBase(for apiBase: String) -> String {
    if apiBase.hasSuffix("/api/v3") { return String(apiBase.dropLast("/api/v3".count)) }
    guard let address = WebAddress(apiBase) else { return apiBase }
    let isApart = address.host == "api.github.com" || address.host.hasSuffix(".ghe.com")
    guard isApart, address.host.hasPrefix("api.") else { return address.origin }
    return address.origin.replacing("://api.", with: "://", maxReplacements: 1)
  }
}

/// The credential sent to GitHub. Its description never contains the secret.
package enum GitHubCredential: Hashable, Sendable {
  /// No credential: 60 requests an hour per IP address.
  case anonymous
  /// A user's or an installation's token.
  case token(String)
  /// An OAuth application's own credentials: public data, with a separate limit of 5,000 requests an hour.
  case application(id: String, secret: String)
}

extension GitHubCredential: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind, without the secret.
  package var description: String {
    switch self {
    case .anonymous: "anonymous"
    case .token: "token"
    case .application: "application"
    }
  }

  /// The kind, without the secret.
  package var debugDescription: String { description }
}
