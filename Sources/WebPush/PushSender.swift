import Chat
import Crypto
import FoundationEssentials
import HTTP
import Outbound

/// Sends one push to one browser's push service (RFC 8030 section 5), and returns the outcome.
struct PushSender: Sendable {
  /// The outcome of a push, by what to do next.
  enum Outcome: Hashable, Sendable {
    /// The push service has accepted it.
    case accepted
    /// The subscription has ended (404, 410): delete it.
    case gone
    /// Retry later, after the service's delay if it stated one.
    case later(Duration?, status: Int)
    /// The service refuses this push for good.
    case refused(status: Int)
  }

  /// The delivery options of a push.
  struct Handling: Sendable {
    /// The chat's topic: the newer of two queued pushes of one chat replaces the older.
    var room: RoomID?
    /// Whether a sleeping device should be woken for it (RFC 8030 section 5.3).
    var isUrgent = false
    /// How long the service keeps it, in seconds.
    var timeToLive = 86_400
  }

  /// The longest accepted delay of a push service. A push with a longer one is dropped.
  static let longestWait = Duration.seconds(3600)

  let transport: any Transport
  let hosts: PushHosts
  let clock: any ChatClock
  /// The time limit for a push service's response.
  var timeout = Duration.seconds(5)
  let identity: @Sendable () async throws -> ServerIdentity

  /// Encrypts `payload` and sends it. Throws the store's error if the server's key cannot be read.
  func send(_ payload: [UInt8], to subscription: PushSubscription, _ handling: Handling) async throws -> Outcome {
    // Checked again: the list of hosts may have become shorter since the subscription was stored.
    guard let address = WebAddress(subscription.endpoint), let reach = hosts.reach(of: address),
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
      method: .post, address: address, reach: reach, fields: fields, body: body, bodyLimit: 64 * 1024, timeout: timeout)
    do {
      return judge(try await transport.send(request))
    } catch {
      return .later(nil, status: 0)
    }
  }

  /// A chat's topic for the push service: 32 characters (RFC 8030 section 5.4) that reveal nothing, since they are
  /// derived with the browser's secret, and differ for each browser.
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
      let wait = answer.retryAfter(now: HTTPDate(seconds: Int(clock.now.milliseconds / 1000)))
        .map { Duration.seconds(min($0, 1_000_000)) }
      if let wait, wait > Self.longestWait { return .refused(status: answer.status) }
      return .later(wait, status: answer.status)
    // Including 401 and 403: a wrong clock here, which must not end all subscriptions, or a changed key, which the page
    // repairs when it is next open.
    default: return .refused(status: answer.status)
    }
  }
}
