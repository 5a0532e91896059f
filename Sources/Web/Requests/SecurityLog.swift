import Chat
import HTTPServer
import Logging

/// Logs at `notice` what concerns the safety of accounts: who, from which address, and the outcome. Never a password, a
/// secret, an email address or a text.
struct SecurityLog: Sendable {
  enum Event: String, CaseIterable, Sendable {
    case signUp = "sign_up"
    case signIn = "sign_in"
    case signInFailed = "sign_in_failed"
    /// Too many failures: the password was not even checked.
    case locked
    case signOut = "sign_out"
    case sessionsEnded = "sessions_ended"
    case passwordChanged = "password_changed"
    case emailChanged = "email_changed"
    case gitHubLinked = "github_linked"
    case gitHubUnlinked = "github_unlinked"
    case roleChanged = "role_changed"
  }

  let logger: Logger

  func note(_ event: Event, _ request: Request, user: UserID? = nil, _ more: [String: String] = [:]) {
    var metadata: Logger.Metadata = [
      "event": "\(event.rawValue)", "address": "\(request.remoteAddress)", "request": "\(request.id)",
    ]
    if let user { metadata["user"] = "\(user)" }
    for (name, value) in more { metadata[name] = "\(value)" }
    logger.notice("security", metadata: metadata)
  }

  /// Runs an operation that checks a password, and logs whether it was wrong or not checked.
  func watching<Value>(
    _ request: Request, user: UserID? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as ChatError {
      switch error {
      case .unauthenticated: note(.signInFailed, request, user: user)
      case .rateLimited: note(.locked, request, user: user)
      case .invalid(let errors) where errors.contains(where: { $0.code == "wrong" }):
        note(.signInFailed, request, user: user)
      default: break
      }
      throw error
    }
  }
}
