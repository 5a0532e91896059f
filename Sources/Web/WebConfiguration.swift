import Chat
import Logging

/// What the operator chose, as far as the web has to know it.
public struct WebConfiguration: Sendable {
  /// Where people reach this server, `https://chat.example.org`, without a path; nil: by whatever name they use. With
  /// https, cookies are `Secure`.
  public var publicBase: String?
  /// Who may sign up; the sign-in page shows it.
  public var registration: RegistrationMode
  /// What stands behind the directory: `live`, `demo`, or the address of another GitHub.
  public var github: String
  /// This instance's own origin, to which GitHub sends browsers back; asked when it is needed, since the port may be
  /// known only then. Nil where it is not known: then nobody signs in with GitHub.
  public var signInOrigin: (@Sendable () -> String)?
  /// Whether one can sign in with GitHub.
  var offersGitHubSignIn = false
  /// The folder of the browser's files.
  public var publicFolder: String
  /// The folder of the pages' templates.
  public var templatesFolder: String
  /// Gets what goes wrong.
  public var logger: Logger

  /// A configuration for the folders in the working directory, everything else as usual.
  public init(
    publicBase: String? = nil, registration: RegistrationMode = .open, github: String = "live",
    signInOrigin: (@Sendable () -> String)? = nil, publicFolder: String = "Public",
    templatesFolder: String = "Templates",
    logger: Logger = Logger(label: "web")
  ) {
    self.publicBase = publicBase
    self.registration = registration
    self.github = github
    self.signInOrigin = signInOrigin
    self.publicFolder = publicFolder
    self.templatesFolder = templatesFolder
    self.logger = logger
  }

  /// Whether people come by https.
  var isSecure: Bool { publicBase?.lowercased().hasPrefix("https://") ?? false }

  /// The origin of `publicBase` as browsers write it.
  var publicOrigin: String? {
    guard var origin = publicBase?.lowercased() else { return nil }
    while origin.hasSuffix("/") { origin.removeLast() }
    return origin
  }
}

/// Why the web cannot be set up; told to the operator.
public struct WebSetupError: Error, CustomStringConvertible {
  /// What is wrong, in a line that names the file.
  public let description: String
}
