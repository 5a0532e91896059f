import Chat
import HTTP

/// What is said of how old GitHub's things are.
extension Fields {
  /// When GitHub answered, and where what is shown is an old one, that it is and in short why: the name of the problem
  /// that it would have been.
  mutating func setAge(fetchedAt: Timestamp?, failure: DirectoryFailure?, now: Timestamp) {
    if let fetchedAt { set("hubbub-fetched-at", fetchedAt.description) }
    guard let failure else { return }
    set("hubbub-stale", "1")
    set("hubbub-stale-reason", Problem(failure, now: now).name.rawValue)
    if case .rateLimited(let resetAt?) = failure.kind { set("hubbub-reset-at", resetAt.description) }
  }
}
