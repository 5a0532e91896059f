import Foundation

extension Simulation {
  /// The settings that a test or the demo can choose.
  package struct Options: Sendable {
    /// The API's path on its host: empty, or `/api/v3` as on Enterprise Server.
    package var basePath = ""
    /// Requests an hour per account, whatever the token, and for the application.
    package var quota: Int64 = 5000
    /// Requests an hour without a credential. GitHub allows 60; the default here is higher, so that a demo does not end
    /// after a few clicks.
    package var anonymousQuota: Int64 = 5000
    /// Searches per minute.
    package var searchQuota: Int64 = 30
    /// Whether a 304 without a credential counts against the quota, as it seems to on GitHub.
    package var chargesAnonymousNotModified = true
    /// The OAuth application that may send people here to sign in.
    package var application = OAuthApplication()
    /// Tokens that are valid from the start, with the login of their account; they have no scopes.
    package var tokens = ["demo-token": "octocat"]
    /// The logins offered on the sign-in page.
    package var offeredLogins = ["octocat", "Codertocat", "mojombo", "defunkt", "rtyler", "kohsuke"]
    /// Logins, in lower case, without a verified email address, which therefore cannot sign in.
    package var unverifiedLogins: Set<String> = ["b"]
    /// The number of accounts that follow `many` and are followed by it; with 0 that account does not exist.
    package var crowd = 30_000
    /// The average number of seconds between events, over all accounts.
    package var secondsPerEvent = 20
    /// The polling interval that feeds announce, in seconds.
    package var pollSeconds = 60
    /// Whether event payloads have the members that GitHub removed in October 2025.
    package var payloads = Payloads.mixed
    /// Renamed repositories: the former `owner/name` in lower case, and the current one.
    package var renamedRepositories = ["sigmavirus24/betamax": "betamaxpy/betamax"]
    /// The time in seconds since the epoch.
    package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// The demo's settings.
    package init() {}

    /// How complete event payloads are.
    package enum Payloads: Sendable {
      /// Some full, some trimmed; a client must handle both.
      case mixed
      /// Full, as on Enterprise Server.
      case full
      /// Trimmed, as on github.com since October 2025.
      case trimmed
    }
  }
}
