import Chat
import GitHub
import Logging
import Outbound

extension Instance {
  /// What speaks to GitHub: one transport for all, one client for all that is public, so that one set of limits and
  /// validators holds for it, and the sign-in, if it is set up.
  struct GitHubParts {
    let configuration: GitHubConfiguration
    let transport: any Transport
    let client: GitHubClient
    let signIn: GitHubSignIn?
  }

  /// The application that the stand-in knows.
  static let demoApplication = (id: "demo-client", secret: "demo-secret")

  /// The parts for these settings; `standIn` is the stand-in's address, in the demo.
  static func gitHubParts(
    _ settings: Settings, standIn: String?, clock: any ChatClock, logger: Logger
  ) -> GitHubParts {
    let configuration = gitHub(settings, standIn: standIn)
    let transport = URLSessionTransport(clock: clock)
    return GitHubParts(
      configuration: configuration, transport: transport,
      client: GitHubClient(configuration: configuration, transport: transport, clock: clock, logger: logger),
      signIn: application(settings).map {
        GitHubSignIn(
          configuration: configuration, clientID: $0.id, clientSecret: $0.secret, clock: clock, transport: transport)
      })
  }

  /// Where GitHub is, and as whom it is asked: as the operator, else as the application, else as nobody.
  static func gitHub(_ settings: Settings, standIn: String?) -> GitHubConfiguration {
    var configuration =
      switch settings.github {
      case .live: GitHubConfiguration()
      case .demo: GitHubConfiguration(base: standIn ?? "")
      case .url(let base): GitHubConfiguration(base: base)
      }
    if let web = settings.githubWeb { configuration.webBase = web }
    configuration.avatarHosts.formUnion(settings.githubAvatarHosts)
    // One retry: it takes the bad moment of a single machine of GitHub's out of a person's sight. Whoever gets the second
    // 5xx as well has waited long enough to be told, sees what is stored meanwhile, and has a button to try again.
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

  /// Says how to turn signing in with GitHub on, where it is off though it was meant to be on.
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
