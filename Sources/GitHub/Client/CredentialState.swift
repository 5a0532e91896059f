import Chat
import Crypto
import Synchronization

/// One credential with all that is known of it: its limits, whether GitHub refuses it, and its mark on validators.
/// Safe from any thread.
final class CredentialState: Sendable {
  /// How long a refused credential is left alone. A revoked token never comes back, but a bad hour of GitHub's
  /// authentication ends; and many refusals in a row earn a 403.
  static let refusalPause = Duration.seconds(3600)

  private struct Refusal {
    var until = Duration.zero
    var isTold = false
  }

  /// The credential.
  let credential: GitHubCredential
  /// Its limits, which are nobody else's.
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

  /// Whether GitHub said no to it within the pause.
  var isRefused: Bool {
    let now = clock.monotonic
    return refusal.withLock { $0.until > now }
  }

  /// Leaves it alone for a while. True for the first time, which the operator is told of.
  func refuse() -> Bool {
    let until = clock.monotonic + Self.refusalPause
    return refusal.withLock { refusal in
      refusal.until = until
      defer { refusal.isTold = true }
      return !refusal.isTold
    }
  }

  /// GitHub's ETag as it is given out and stored: with the mark of the credential it was learnt with, since it proves
  /// nothing for another one (`Vary: Authorization`).
  func validator(_ etag: String?) -> String? { etag.map { mark + " " + $0 } }

  /// The ETag of a validator that was learnt with this credential; nil for any other.
  func etag(of validator: String?) -> String? {
    guard let validator, validator.hasPrefix(mark + " ") else { return nil }
    return String(validator.dropFirst(mark.count + 1))
  }
}

extension GitHubCredential {
  /// A name for the credential that tells nothing of its secret: of a token 64 bits of its hash, of an application those
  /// of its id, which is no secret.
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
