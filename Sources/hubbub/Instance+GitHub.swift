import Chat
import GitHub
import Logging
import Outbound

extension Instance {
  /// The services that talk to GitHub: one transport for all, one client for all public data, so that they share rate
  /// limits and validators, and the sign-in if it is configured.
  struct GitHubParts {
    let configuration: GitHubConfiguration
    let transport: any Transport
    let client: GitHubClient
    let signIn: GitHubSignIn?
  }

  /// The OAuth application of the stand-in.
  static let demoApplication = (id: "demo-client", secret: "demo-secret")

  /// The GitHub services for these settings; in the demo, `standIn` is the stand-in's address.
  static func gitHubParts(
    _ settings: Settings, standIn: String?, clock: any ChatClock, logger: Logger
  ) -> GitHubParts {
    let configuration = gitHub(settings, standIn: standIn)
    let transport = CurlTransport()
    return GitHubParts(
      configuration: configuration, transport: transport,
      client: GitHubClient(configuration: configuration, transport: transport, clock: clock, logger: logger),
      signIn: application(settings).map {
        GitHubSignIn(
          configuration: configuration, clientID: $0.id, clientSecret: $0.secret, clock: clock, transport: transport)
      })
  }

  /// GitHub's address and credential: the operator's token, else the application's credentials, else none.
  static func gitHub(_ settings: Settings, standIn: String?) -> GitHubConfiguration {
    var configuration =
      switch settings.github {
      case .live: GitHubConfiguration()
      case .demo: GitHubConfiguration(base: standIn ?? "")
      case .url(let base): GitHubConfiguration(base: base)
      }
    if let web = settings.githubWeb { configuration.webBase = web }
    configuration.avatarHosts.formUnion(settings.githubAvatarHosts)
    // One retry hides the failure of a single machine at GitHub. After a second 5xx the person has waited long enough:
    // they see the stored data and a Retry button.
    configuration.retryPauses = [.seconds(1)]
    var credentials = [GitHubCredential.anonymous]
    if let application = application(settings) {
      credentials.insert(.application(id: application.id, secret: application.secret), at: 0)
    }
    if let token = settings.githubToken { credentials.insert(.token(token), at: 0) }
    configuration.credential = credentials[0]
    configuration.fallbacks = Array(credentials.dropFirst())
    return configuration
  }

  /// What the data know this GitHub by: its host, without a port, since a test's stand-in takes a free one.
  static func gitHubProvider(_ settings: Settings) -> String {
    switch settings.github {
    case .live: return "github.com"
    case .demo: return "demo"
    case .url(let base):
      let web = GitHubConfiguration(base: base).webBase
      return WebAddress(web)?.host ?? web
    }
  }

  /// Logs how to enable GitHub sign-in if it is configured incompletely.
  static func tellSignIn(_ settings: Settings, isSetUp: Bool, _ logger: Logger) {
    if isSetUp, !settings.hasAddress {
      logger.warning(
        """
        signing in with GitHub is off: GitHub must know where to lead back to, and \(settings.host) is no address to go \
        to. Set HUBBUB_PUBLIC_URL (--public-url) to the address that people type, such as https://chat.example.com.
        """)
    } else if !isSetUp, settings.registration == .github {
      logger.warning(
        """
        nobody can make an account: registration is by GitHub, and there is no OAuth application. Set \
        HUBBUB_GITHUB_CLIENT_ID and HUBBUB_GITHUB_CLIENT_SECRET.
        """)
    }
  }

  private static func application(_ settings: Settings) -> (id: String, secret: String)? {
    if settings.github == .demo { return demoApplication }
    guard let id = settings.githubClientID, let secret = settings.githubClientSecret else { return nil }
    return (id, secret)
  }
}
