import Outbound
import TestSupport
import Testing

@testable import WebPush

@Suite("Allowed push services")
struct PushHostsTests {
  private func allows(_ hosts: PushHosts, _ text: String) -> Bool { WebAddress(text).flatMap(hosts.reach) != nil }

  @Test(
    "The browsers' push services are allowed", .shows("control 11", "T1"),
    arguments: [
      "https://fcm.googleapis.com/fcm/send/abc:def", "https://updates.push.services.mozilla.com/wpush/v2/x",
      "https://wns2-par02p.notify.windows.com/w/?token=x", "https://web.push.apple.com/x", "https://a.push.apple.com/x",
    ])
  func known(address: String) {
    #expect(allows(PushHosts(), address))
  }

  @Test(
    "No other endpoint is allowed: other hosts, this network, another scheme or port, lookalike names",
    .shows("control 11"),
    arguments: [
      "https://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/",
      "https://10.0.0.1/",
      "https://169.254.169.254/latest/meta-data", "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x",
      "https://fcm.googleapis.com.example.com/x", "https://evilfcm.googleapis.com/x", "https://xpush.apple.com/x",
      "https://fcm.googleapis.com@example.com/x", "https://localhost/x", "ftp://fcm.googleapis.com/",
      "fcm.googleapis.com",
      "https://push.services.mozilla.com.evil.example/", "https://fcm.googleapis.com./x", "",
    ])
  func others(address: String) {
    #expect(!allows(PushHosts(), address))
  }

  @Test("An operator can add hosts, and for tests an origin on this machine only", .shows("control 11"))
  func added() throws {
    let hosts = try #require(PushHosts(adding: "Push.example.com, *.example.org,http://127.0.0.1:9000"))
    #expect(allows(hosts, "https://push.example.com/x"))
    #expect(allows(hosts, "https://a.example.org/x"))
    #expect(!allows(hosts, "https://example.org/x"))
    #expect(!allows(hosts, "https://other.example.com/x"))
    #expect(allows(hosts, "http://127.0.0.1:9000/x"))
    #expect(!allows(hosts, "http://127.0.0.1:9001/x"))
    #expect(!allows(hosts, "http://push.example.com/x"))
    #expect(allows(hosts, "https://fcm.googleapis.com/x"))
    #expect(PushHosts(adding: "") == PushHosts())
  }

  @Test(
    "An invalid host is refused", .shows("control 11"),
    arguments: [
      "http://10.0.0.1:80", "https://push.example.com/", "*", "*.com.", ".example.com", "push_example.com", "localhost",
      "http://127.0.0.1:9000/path", "*.*.example.com",
    ])
  func refused(text: String) {
    #expect(PushHosts(adding: text) == nil)
  }
}
