import Foundation

extension Simulation {
  /// What a test or the demo chooses.
  public struct Options: Sendable {
    /// Where the API lies on its host: empty, or `/api/v3` as on Enterprise Server.
    public var basePath = ""
    /// Requests an hour for an account, whatever the token, and for the application.
    public var quota: Int64 = 5000
    /// Requests an hour without a credential: 60 at GitHub, more here, so that a demo does not end after a few clicks.
    public var anonymousQuota: Int64 = 5000
    /// Searches a minute.
    public var searchQuota: Int64 = 30
    /// Whether a 304 without a credential counts, as it seems to at GitHub.
    public var chargesAnonymousNotModified = true
    /// The application that people can be sent by.
    public var application = OAuthApplication()
    /// Tokens that hold from the start, with the login of their account; they have no scopes.
    public var tokens = ["demo-token": "octocat"]
    /// Whom the sign-in page offers, by login.
    public var offeredLogins = ["octocat", "Codertocat", "mojombo", "defunkt", "rtyler", "kohsuke"]
    /// Who has no verified email and so cannot sign in, by login in lower case.
    public var unverifiedLogins: Set<String> = ["b"]
    /// How many follow the account `many`, and are followed by it; 0: there is no such account.
    public var crowd = 30_000
    /// How many seconds pass from one event to the next, on average, among everybody.
    public var secondsPerEvent = 20
    /// How often feeds may be asked for, in seconds, as they tell.
    public var pollSeconds = 60
    /// Whether events tell all they told until October 2025.
    public var payloads = Payloads.mixed
    /// Repositories that have another name now: the old `owner/name` in lower case, and the new one.
    public var renamedRepositories = ["sigmavirus24/betamax": "betamaxpy/betamax"]
    /// The time in seconds since the epoch.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// The demo's choice.
    public init() {}

    /// How much events tell.
    public enum Payloads: Sendable {
      /// Some all, some little: a client must do with either.
      case mixed
      /// All, as Enterprise Server does.
      case full
      /// As little as github.com does since October 2025.
      case trimmed
    }
  }
}
