import Chat
import Crypto
import FoundationEssentials
import Outbound

/// Sends one push to one browser's push service (RFC 8030 section 5), and says what became of it.
struct PushSender: Sendable {
  /// What became of a push, told apart by what is to be done next.
  enum Outcome: Hashable, Sendable {
    /// The push service has it.
    case accepted
    /// There is no such subscription any more (404, 410): forget it.
    case gone
    /// Not now: again, after so long where the service said so.
    case later(Duration?, status: Int)
    /// The service does not want this push, and would not want it later.
    case refused(status: Int)
  }

  /// How a push is to be treated on its way.
  struct Handling: Sendable {
    /// The chat: of two pushes of one chat that wait at the service the newer replaces the older.
    var room: RoomID?
    /// Whether a sleeping device should be woken for it (RFC 8030 section 5.3).
    var isUrgent = false
    /// For how many seconds the service keeps it.
    var timeToLive = 86_400
  }

  /// The longest wait that a push service can ask for: beyond it a push is given up.
  static let longestWait = Duration.seconds(3600)

  let transport: any Transport
  let hosts: PushHosts
  let clock: any ChatClock
  /// How long a push service has to answer (SECURITY 11).
  var timeout = Duration.seconds(5)
  let identity: @Sendable () async throws -> ServerIdentity

  /// Encrypts `payload` and sends it. Throws what the store throws where the server's key cannot be read.
  func send(_ payload: [UInt8], to subscription: PushSubscription, _ handling: Handling) async throws -> Outcome {
    // Looked at again: the list of hosts may have become shorter since it was stored.
    guard let address = WebAddress(subscription.endpoint), hosts.allow(address),
      let body = try? MessageEncryption.encrypt(
        payload, for: subscription.publicKey, secret: subscription.secret)
    else { return .gone }
    var fields = [
      "Authorization": try await identity().authorization(for: address.origin, at: clock.now),
      "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm", "TTL": "\(handling.timeToLive)",
      "Urgency": handling.isUrgent ? "high" : "normal",
    ]
    if let room = handling.room { fields["Topic"] = Self.topic(of: room, for: subscription) }
    let request = TransportRequest(
      method: .post, address: address, fields: fields, body: body, bodyLimit: 64 * 1024, timeout: timeout)
    do {
      return judge(try await transport.send(request))
    } catch {
      return .later(nil, status: 0)
    }
  }

  /// A chat's name for the push service: 32 characters (RFC 8030 section 5.4) that tell it nothing, since they are made with
  /// the browser's secret, and are another for each browser.
  static func topic(of room: RoomID, for subscription: PushSubscription) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(room.description.utf8), using: SymmetricKey(data: subscription.secret))
    return Base64URL.encode(Array(code).prefix(24))
  }

  private func judge(_ answer: TransportResponse) -> Outcome {
    switch answer.status {
    case 200..<300: return .accepted
    case 404, 410: return .gone
    case 408, 429, 500..<600:
      let wait = answer.fields["retry-after"].flatMap { ServerTime.retryAfter($0, now: clock.now) }
        .map { Duration.seconds(min($0, 1_000_000)) }
      if let wait, wait > Self.longestWait { return .refused(status: answer.status) }
      return .later(wait, status: answer.status)
    // 401 and 403 among them: a wrong clock here, which must not cost everybody his subscription, or a key that is not
    // ours any more, which the page finds out and mends when it is next open.
    default: return .refused(status: answer.status)
    }
  }
}
