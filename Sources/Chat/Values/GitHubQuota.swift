/// This instance's rate limits at GitHub as last reported, and whether requests are being sent now.
package struct GitHubQuota: Hashable, Sendable {
  /// The kind of credential.
  package enum Asker: String, Hashable, Sendable {
    /// The operator's token.
    case token
    /// The OAuth application that people sign in with.
    case application
    /// None.
    case anonymous
  }

  /// The quota of one resource.
  package struct Reading: Hashable, Sendable {
    /// GitHub's name of the resource: `core`, `search`, …
    package var resource: String
    /// Requests per period: an hour, for `search` a minute.
    package var limit: Int
    /// The number of requests left.
    package var remaining: Int
    /// The number of requests used; with a person's token this includes other programs.
    package var used: Int
    /// When the next period starts, by this machine's clock.
    package var resetAt: Timestamp

    package init(resource: String, limit: Int, remaining: Int, used: Int, resetAt: Timestamp) {
      self.resource = resource
      self.limit = limit
      self.remaining = remaining
      self.used = used
      self.resetAt = resetAt
    }
  }

  /// The kind of credential in use.
  package var asker: Asker
  /// The quotas of that credential, by resource name. Those whose period is over are left out, since nothing is known
  /// of them. Empty before the first request, and if an Enterprise Server has no limits.
  package var readings: [Reading]
  /// No requests are sent until then; nil while they are. Searches may have to wait even if this is nil.
  package var limitedUntil: Timestamp?

  package init(asker: Asker, readings: [Reading] = [], limitedUntil: Timestamp? = nil) {
    self.asker = asker
    self.readings = readings
    self.limitedUntil = limitedUntil
  }
}
