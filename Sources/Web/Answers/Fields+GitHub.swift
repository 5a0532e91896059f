import Chat
import HTTP

/// The fields that state the age of GitHub's data.
extension Fields {
  /// Sets when GitHub last confirmed the data and, if stale data is shown, the reason: the name of the problem that
  /// would otherwise have been returned.
  mutating func setAge(fetchedAt: Timestamp?, failure: DirectoryFailure?, now: Timestamp) {
    if let fetchedAt { set("hubbub-fetched-at", fetchedAt.description) }
    guard let failure else { return }
    set("hubbub-stale", "1")
    set("hubbub-stale-reason", Problem(failure, now: now).name.rawValue)
    if case .rateLimited(let resetAt?) = failure.kind { set("hubbub-reset-at", resetAt.description) }
  }
}
