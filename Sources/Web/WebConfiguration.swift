import Chat
import HTTP
import Logging

/// The operator's settings that concern the web.
package struct WebConfiguration: Sendable {
  /// The public address of this server, `https://chat.example.org`, without a path; nil if unknown. With https, cookies
  /// are `Secure`.
  package var publicBase: String?
  /// The host names with a dot that requests may use besides the public one; nil accepts all.
  package var hostNames: Set<String>?
  /// The clients that may read `/metrics` besides those on this machine and admins.
  package var metricsReaders: MetricsReaders
  /// The registration mode, which the sign-in page shows.
  package var registration: RegistrationMode
  /// The directory's source: `live`, `demo`, or the address of another GitHub.
  package var github: String
  /// This instance's own origin, for redirects from GitHub; a function, since the port may be known only later. Nil if
  /// unknown, which disables GitHub sign-in.
  package var signInOrigin: (@Sendable () -> String)?
  /// Whether people can sign in with GitHub.
  var offersGitHubSignIn = false
  /// The folder with the browser's files.
  package var publicFolder: String
  /// The folder with the page templates.
  package var templatesFolder: String
  /// Logs failures.
  package var logger: Logger

  /// The defaults, with folders in the working directory.
  package init(
    publicBase: String? = nil, hostNames: Set<String>? = nil, metricsReaders: MetricsReaders = MetricsReaders(),
    registration: RegistrationMode = .open, github: String = "live",
    signInOrigin: (@Sendable () -> String)? = nil, publicFolder: String = "Public",
    templatesFolder: String = "Templates",
    logger: Logger = Logger(label: "web")
  ) {
    self.publicBase = publicBase
    self.hostNames = hostNames
    self.metricsReaders = metricsReaders
    self.registration = registration
    self.github = github
    self.signInOrigin = signInOrigin
    self.publicFolder = publicFolder
    self.templatesFolder = templatesFolder
    self.logger = logger
  }

  /// Whether people use https.
  var isSecure: Bool { publicBase?.lowercased().hasPrefix("https://") ?? false }

  /// All host names with a dot that belong to this server, in lower case; nil accepts all.
  var ownHostNames: Set<String>? {
    guard let hostNames else { return nil }
    let publicName = publicOrigin.flatMap { $0.split(separator: "/").dropFirst().first?.prefix { $0 != ":" } }
    return hostNames.union(publicName.map { [String($0)] } ?? [])
  }

  /// The origin of `publicBase` in the browsers' notation.
  var publicOrigin: String? {
    guard var origin = publicBase?.lowercased() else { return nil }
    while origin.hasSuffix("/") { origin.removeLast() }
    return origin
  }
}

/// The clients on other machines that may read `/metrics`.
package struct MetricsReaders: Sendable {
  /// The token for `Authorization: Bearer`; nil allows none.
  package var token: String?
  /// The networks that may read it.
  package var networks: NetworkList

  package init(token: String? = nil, networks: NetworkList = NetworkList()) {
    self.token = token
    self.networks = networks
  }
}

/// Why the web cannot be set up, for the operator.
package struct WebSetupError: Error, CustomStringConvertible {
  /// The problem in one line that names the file.
  package let description: String
}
