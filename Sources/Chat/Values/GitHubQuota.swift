/// How much GitHub lets this instance ask, as GitHub last told, and whether it answers now.
public struct GitHubQuota: Hashable, Sendable {
  /// As whom GitHub is asked.
  public enum Asker: String, Hashable, Sendable {
    /// As the operator, by a token.
    case token
    /// As the application that people sign in with.
    case application
    /// As nobody.
    case anonymous
  }

  /// What was told of one resource.
  public struct Reading: Hashable, Sendable {
    /// GitHub's name for it: `core`, `search`, …
    public var resource: String
    /// Requests to a period: an hour, for `search` a minute.
    public var limit: Int
    /// How many are left of them.
    public var remaining: Int
    /// How many were used; of a person's token also by other programs.
    public var used: Int
    /// When the next period begins, by this machine's clock.
    public var resetAt: Timestamp

    /// A reading from its parts.
    public init(resource: String, limit: Int, remaining: Int, used: Int, resetAt: Timestamp) {
      self.resource = resource
      self.limit = limit
      self.remaining = remaining
      self.used = used
      self.resetAt = resetAt
    }
  }

  /// As whom GitHub is asked at present.
  public var asker: Asker
  /// What GitHub told of that asker's resources, by their names. One whose period is over is left out, since nothing is
  /// known of it; none at all before the first request, and where an Enterprise Server has no limits.
  public var readings: [Reading]
  /// Nothing is asked before then; nil while questions are asked. Searches may have to wait although this is nil.
  public var limitedUntil: Timestamp?

  /// A quota from its parts.
  public init(asker: Asker, readings: [Reading] = [], limitedUntil: Timestamp? = nil) {
    self.asker = asker
    self.readings = readings
    self.limitedUntil = limitedUntil
  }
}
