import Base
import Chat
import ChatSQLite
import HTTPServer
import Logging
import Outbound
import Web
import WebPush

extension Instance {
  /// Web Push for these settings, running. It shares the transport of the GitHub services, which opens no connection
  /// before it is needed.
  static func webPush(
    _ settings: Settings, store: SQLiteStore, transport: any Transport, broker: Broker,
    _ clock: any ChatClock, _ logger: Logger
  ) -> WebPush {
    let push = WebPush(
      store: store, transport: transport, hosts: settings.pushHosts, contact: settings.contact, clock: clock,
      logger: logger, isHere: { broker.hasStream(of: $0) })
    Task {
      do { try await push.run() } catch {
        logger.warning("could not read who has subscribed to notifications", metadata: ["error": "\(error)"])
      }
    }
    return push
  }
}

extension Settings {
  /// The operator's contact for push services: the configured one, else this instance's address if it is public.
  var contact: String? {
    pushContact ?? publicURL.flatMap { $0.hasPrefix("https://") ? $0 : nil }
  }

  /// Parses `push_hosts` or `push_contact`.
  mutating func setPush(_ name: String, to value: String, _ source: String) throws(Problem) {
    if name == "push_contact" {
      guard value.hasPrefix("mailto:") && value.contains("@") || value.hasPrefix("https://") else {
        throw Problem(
          description: "\(source) is \"\(value)\"; it takes mailto:… or https://…, for push services to reach you.")
      }
      pushContact = value
    } else {
      guard let hosts = PushHosts(adding: value) else {
        throw Problem(
          description: "\(source) is \"\(value)\"; it takes names of hosts, such as push.example.com or *.example.com.")
      }
      pushHosts = hosts
    }
  }
}
