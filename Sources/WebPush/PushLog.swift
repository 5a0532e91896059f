import Chat
import Outbound

/// Logs push services by host. The rest of an endpoint is secret.
enum PushLog {
  static func service(of subscription: PushSubscription) -> String {
    WebAddress(subscription.endpoint)?.host ?? "unknown"
  }
}
