import Chat
import Outbound

/// How push services are named in the log: by their hosts. The rest of an endpoint is a secret.
enum PushLog {
  static func service(of subscription: PushSubscription) -> String {
    WebAddress(subscription.endpoint)?.host ?? "unknown"
  }
}
