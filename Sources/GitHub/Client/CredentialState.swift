import Chat
import Crypto
import Synchronization

/// One credential and its state: its rate limits, whether GitHub rejects it, and its prefix for validators. Safe from
/// any thread.
final class CredentialState: Sendable {
  /// How long a rejected credential is not used. A revoked token stays revoked, but an outage of GitHub's
  /// authentication ends; and repeated 401s lead to a 403.
  static let refusalPause = Duration.seconds(3600)

  private struct Refusal {
    var until = Duration.zero
    var isTold = false
  }

  let credential: GitHubCredential
  /// The credential's own rate limits.
  let limits: RateLimits
  private let mark: String
  private let clock: any ChatClock
  private let refusal = Mutex(Refusal())

  init(_ credential: GitHubCredential, clock: any ChatClock) {
    self.credential = credential
    self.clock = clock
    limits = RateLimits(clock: clock)
    mark = credential.mark
  }

  /// Whether GitHub rejected the credential within `refusalPause`.
  var isRefused: Bool {
    let now = clock.monotonic
    return refusal.withLock { $0.until > now }
  }

  /// Stops using the credential for `refusalPause`. Returns true the first time, so that the caller logs it once.
  func refuse() -> Bool {
    let until = clock.monotonic + Self.refusalPause
    return refusal.withLock { refusal in
      refusal.until = until
      defer { refusal.isTold = true }
      return !refusal.isTold
    }
  }

  /// GitHub's ETag prefixed with a mark of this credential, as stored and handed out. An ETag proves nothing for a
  /// different credential (`Vary: Authorization`).
  func validator(_ etag: String?) -> String? { etag.map { mark + " " + $0 } }

  /// The ETag in a validator created with this credential; nil for any other.
  func etag(of validator: String?) -> String? {
    guard let validator, validator.hasPrefix(mark + " ") else { return nil }
    return String(validator.dropFirst(mark.count + 1))
  }
}

extension GitHubCredential {
  /// Identifies the credential without revealing its secret: 64 bits of a token's hash, or of the hash of an
  /// application's id, which is public.
  fileprivate var mark: String {
    func digest(_ text: String) -> String {
      SHA256.hash(data: Array(("validator " + text).utf8)).prefix(8).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
    return switch self {
    case .anonymous: "anonymous"
    case .token(let token): "token-" + digest(token)
    case .application(let id, _): "application-" + digest(id)
    }
  }
}
