import Chat
import HTTP
import HTTPServer

extension Visit {
  /// Counts a request against its route's allowance, and its body against the storage allowance. Returns the balance to
  /// report, if anything was counted; throws the 429 that says how long to wait.
  func spend(_ allowance: Allowance) throws(Problem) -> Allowances.Balance? {
    let balance = try spend(1, of: allowance)
    if !request.head.method.isSafe, !request.body.isEmpty { try spend(request.body.count, of: .storage) }
    return balance
  }

  /// Counts costs beyond those of the request itself.
  @discardableResult
  func spend(_ cost: Int, of allowance: Allowance) throws(Problem) -> Allowances.Balance? {
    guard let balance = allowances?.spend(cost, of: allowance, by: userID) else { return nil }
    if let seconds = balance.standing.retryAfter {
      throw Problem(
        name: .rateLimited, status: .tooManyRequests,
        detail: "You have reached the limit for one person (\(allowance.rawValue)). Try again in \(seconds) s.",
        retryAfter: seconds, balance: balance)
    }
    return balance
  }
}

extension Fields {
  /// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
  mutating func set(_ balance: Allowances.Balance) {
    let (allowance, standing) = (balance.allowance, balance.standing)
    let name = "\"\(allowance.rawValue)\""
    set("ratelimit-policy", "\(name);q=\(allowance.limits.burst);w=\(allowance.window)")
    set("ratelimit", "\(name);r=\(standing.remaining);t=\(standing.retryAfter ?? standing.resetAfter)")
  }
}
