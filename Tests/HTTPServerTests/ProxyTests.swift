import HTTP
import Logging
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Trusted proxies, over a socket", .timeLimit(.minutes(10)))
struct ProxyTests {
  private func answer(trusted: String, _ lines: String, target: String = "/who") async throws -> RawResponse {
    let proxies = try #require(TrustedProxies(trusted))
    return try await withServer { application, configuration in
      application.immediate("/who") { Response("\($0.remoteAddress) \($0.isSecure)") }
      application.suspending("/later-who") { request in
        await Task.yield()
        return Response("\(request.remoteAddress) \(request.isSecure)")
      }
      configuration.trustedProxies = proxies
    } _: { server in
      let client = try server.client()
      try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
      return try client.receiveResponse()
    }
  }

  @Test("fields from an untrusted peer are ignored", .shows("control 6"), arguments: ["", "10.0.0.0/8", "::1"])
  func untrusted(trusted: String) async throws {
    let lines = "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\nForwarded: for=192.0.2.1;proto=https"
    #expect(try await answer(trusted: trusted, lines).body == "127.0.0.1 false")
  }

  @Test("a trusted proxy sets the client's address and the scheme", arguments: ["/who", "/later-who"])
  func trusted(target: String) async throws {
    let custom = "X-Forwarded-For: 6.6.6.6, 2001:db8::1\r\nX-Forwarded-Proto: https"
    #expect(try await answer(trusted: "127.0.0.1", custom, target: target).body == "2001:db8::1 true")
    let standard = "Forwarded: for=\"[2001:db8::1]:9\";proto=http"
    #expect(try await answer(trusted: "127.0.0.0/8", standard, target: target).body == "2001:db8::1 false")
    #expect(try await answer(trusted: "127.0.0.1", "X: y", target: target).body == "127.0.0.1 false")
    for lines in ["Forwarded: a", "X-Forwarded-For: garbage", "Forwarded: for=_x"] {
      #expect(try await answer(trusted: "127.0.0.1", lines, target: target).body == "unknown false")
    }
  }

  @Test("9110 7.4 a request for https is 421, unless a trusted proxy received it over https")
  func misdirected() async throws {
    let target = "https://a/who"
    #expect(try await answer(trusted: "", "X: y", target: target).status == 421)
    #expect(try await answer(trusted: "", "X-Forwarded-Proto: https", target: target).status == 421)
    #expect(try await answer(trusted: "127.0.0.1", "X-Forwarded-Proto: http", target: target).status == 421)
    #expect(try await answer(trusted: "127.0.0.1", "X-Forwarded-Proto: https", target: target).status == 200)
    #expect(try await answer(trusted: "", "X: y", target: "http://a/who").status == 200)
  }

  @Test("connections are counted by IPv4 address and by 64 bits of IPv6; a trusted proxy speaks for many")
  func admission() throws {
    var limits = Limits()
    limits.connectionsPerAddress = 2
    limits.connections = 9
    let control = AdmissionControl(limits: limits, proxies: try #require(TrustedProxies("10.0.0.1")))
    func admits(_ text: String) throws -> Bool { control.admit(try #require(NetworkAddress(text))) }
    #expect(try admits("2001:db8::1"))
    #expect(try admits("2001:db8::ffff"))
    #expect(try !admits("2001:db8::2:3:4"), "the third of one network")
    #expect(try admits("2001:db8:0:1::1"))
    #expect(try admits("192.0.2.1") && admits("192.0.2.1") && !admits("192.0.2.1"))
    #expect(try admits("192.0.2.2"))
    #expect(try admits("10.0.0.1") && admits("10.0.0.1") && admits("10.0.0.1"))
    #expect(try !admits("10.0.0.1"), "the tenth in all")
    control.release(try #require(NetworkAddress("2001:db8::1")))
    #expect(try admits("2001:db8::5"))
  }

  @Test(
    "each response is logged in one line at level info, with its request id, without target or fields", .shows("X3"))
  func log() async throws {
    let log = RecordedLog(level: .info)
    try await withServer { _, configuration in
      configuration.logger = log.logger
    } _: { server in
      let client = try server.client()
      try client.send("GET /number?n=canary HTTP/1.1\r\nHost: a\r\nX: canary\r\n\r\n")
      let answer = try client.receiveResponse()
      try client.send("GET /canary\r\n\r\n")
      let refusal = try client.receiveResponse()
      #expect(
        log.lines.map { $0.replacing(#/ microseconds=[0-9.]+/#, with: "") } == [
          "info answered client=127.0.0.1 method=GET request_id=\(answer["x-request-id"] ?? "") route=/number status=200",
          "info answered client=127.0.0.1 method=- request_id=\(refusal["x-request-id"] ?? "") route=- status=400",
        ])
      #expect(log.lines.allSatisfy { $0.contains(#/ microseconds=[0-9]/#) })
    }
  }
}
