import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Outbound

@Suite("The addresses a request may connect to", .shows("control 11"))
struct ReachTests {
  @Test(
    "A host with an address that is not public is refused before a connection is opened",
    arguments: ["127.0.0.1", "localhost", "LOCALHOST", "0x7f.1", "2130706433", "0"])
  func refused(_ host: String) async throws {
    try await withPeer { _ in
    } _: { peer, transport in
      let error = await #expect(throws: TransportFailure.self) {
        try await transport.send(peer.request(host: host, reach: .publicAddresses))
      }
      guard case .unreachable(let words) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(words.contains("not public"), "\(words)")
      #expect(peer.connections == 0)
    }
  }

  @Test("A kept-alive connection to such an address is not used for a request that may not open one")
  func kept() async throws {
    let requests = Mutex(0)
    try await withPeer { connection in
      while !connection.readRequest().isEmpty {
        requests.withLock { $0 += 1 }
        connection.write("HTTP/1.1 204 No Content\r\n\r\n")
      }
    } _: { peer, transport in
      #expect(await failure(transport, peer.request()) == "status 204")
      #expect(await failure(transport, peer.request(reach: .publicAddresses)) == "unreachable")
      #expect(await failure(transport, peer.request()) == "status 204")
      #expect(requests.withLock { $0 } == 2)
    }
  }

  @Test(
    "Addresses of this machine, of its network and for special uses are not public",
    arguments: [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
      "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.19.0.1", "198.51.100.7",
      "203.0.113.9", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
      "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
      "3fff::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
    ])
  func special(_ text: String) throws {
    #expect(!PublicAddresses.contains(try #require(NetworkAddress(text))))
  }

  @Test(
    "All other addresses are public",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "140.82.121.3", "172.15.0.1",
      "172.32.0.1", "192.167.0.1", "223.255.255.255", "::ffff:140.82.121.3", "64:ff9b::8c52:7903",
      "2606:50c0:8000::153",
      "2a00:1450:4001:80b::200a",
    ])
  func open(_ text: String) throws {
    #expect(PublicAddresses.contains(try #require(NetworkAddress(text))))
  }
}
