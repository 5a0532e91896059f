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
    /// The time in seconds since the epoch.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// The demo's choice.
    public init() {}
  }
}
