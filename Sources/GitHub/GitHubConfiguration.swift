import Outbound

/// Where GitHub is and how it is spoken to: github.com, Enterprise Server, data residency, or the stand-in.
public struct GitHubConfiguration: Sendable {
  /// The API's address without a final slash: `https://api.github.com`, `https://HOST/api/v3`.
  public var apiBase = "https://api.github.com"
  /// Where pages for people are: `https://github.com`.
  public var webBase = "https://github.com"
  /// Hosts that avatars may come from over https, besides the origins of the two bases.
  public var avatarHosts: Set<String> = [
    "avatars.githubusercontent.com", "avatars0.githubusercontent.com", "avatars1.githubusercontent.com",
    "avatars2.githubusercontent.com", "avatars3.githubusercontent.com",
  ]
  /// Names this program to GitHub, which refuses requests without it.
  public var userAgent = "Hubbub"
  /// `X-GitHub-Api-Version`; nil sends none, for Enterprise Server before 3.8.
  public var apiVersion: String? = "2022-11-28"
  /// As whom to ask.
  public var credential = GitHubCredential.anonymous
  /// As whom to ask instead, in this order, when GitHub does not accept the one before.
  public var fallbacks: [GitHubCredential] = []
  /// Accounts to a page, 1–100.
  public var pageSize = 100
  /// How long one answer of the API may take, all of it (SECURITY 11).
  public var apiTimeout = Duration.seconds(5)
  /// After which pauses a read is tried again that timed out or met a 5xx; empty for never, as tests want it.
  public var retryPauses: [Duration] = []
  /// How long a read may take with all its tries: the last one gets what is left.
  public var readDeadline = Duration.seconds(11)
  /// How long a picture may take (SECURITY 11).
  public var avatarTimeout = Duration.seconds(5)
  /// The longest body that is read, in bytes (SECURITY 11).
  public var bodyLimit = 1 << 20
  /// API requests under way at once.
  public var concurrentRequests = 4
  /// Picture requests under way at once.
  public var concurrentAvatars = 6
  /// The least time between the starts of two searches.
  public var searchSpacing = Duration.seconds(2)
  /// The most bytes that the avatar cache keeps on disk.
  public var avatarCacheBytes = 256 << 20

  /// The configuration for github.com without a token.
  public init() {}

  /// The configuration for the GitHub whose API is at `base`; where its pages are follows from that unless said.
  ///
  /// An Enterprise Server's API lies below `/api/v3` of its pages; with data residency the API is at `api.SUB.ghe.com`
  /// and the pages at `SUB.ghe.com`; the stand-in has both in one place.
  public init(base: String, web: String? = nil) {
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

/// As whom GitHub is asked. Never printed.
public enum GitHubCredential: Hashable, Sendable {
  /// Nobody: 60 requests an hour for the whole address.
  case anonymous
  /// A person's or an installation's token.
  case token(String)
  /// An OAuth application by itself: public data at its own 5,000 requests an hour.
  case application(id: String, secret: String)
}

extension GitHubCredential: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind, without the secret.
  public var description: String {
    switch self {
    case .anonymous: "anonymous"
    case .token: "token"
    case .application: "application"
    }
  }

  /// The kind, without the secret.
  public var debugDescription: String { description }
}
