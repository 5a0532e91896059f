import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Metrics")
struct MetricsTests {
  @Test("The text format: help and type before the samples, labels escaped, cumulative buckets", .shows("X3"))
  func format() {
    var writer = MetricsWriter()
    writer.single("a_total", .counter, "Things.", 3)
    writer.family("b_seconds", .histogram, "Times.")
    writer.histogram("b_seconds", [("route", "/\"x\"\\\n")], bounds: [0.5, 1], counts: [2, 0, 1], sum: 4.25)
    let label = #"route="/\"x\"\\\n""#
    #expect(
      writer.text == """
        # HELP a_total Things.
        # TYPE a_total counter
        a_total 3
        # HELP b_seconds Times.
        # TYPE b_seconds histogram
        b_seconds_bucket{\(label),le="0.5"} 2
        b_seconds_bucket{\(label),le="1"} 2
        b_seconds_bucket{\(label),le="+Inf"} 3
        b_seconds_sum{\(label)} 4.25
        b_seconds_count{\(label)} 3

        """)
  }

  @Test(
    "Responses are counted by route and status class, refusals too; they contain no user data",
    .shows("X3"))
  func requests() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      for _ in 1...3 { try await ada.say("canary of a text", in: room) }
      _ = try await ada.send(.post, "/rooms/\(room)/messages", "{}")
      _ = try await ada.get("/rooms/nobody")
      _ = try await hub.memory.send(.get, "/nowhere")
      let answer = try await hub.memory.send(.get, "/metrics")
      #expect(answer.status == .ok && answer.fields[.contentType] == MetricsWriter.mediaType)
      let lines = Set(answer.text.split(separator: "\n").map(String.init))
      let messages = #"route="/api/v1/rooms/:room/messages""#
      #expect(lines.contains("hubbub_http_requests_total{\(messages),status=\"2xx\"} 3"))
      #expect(lines.contains("hubbub_http_requests_total{\(messages),status=\"4xx\"} 1"))
      #expect(lines.contains(#"hubbub_http_requests_total{route="/api/v1/rooms/:room",status="4xx"} 1"#))
      #expect(lines.contains(#"hubbub_http_requests_total{route="(not found)",status="4xx"} 1"#))
      #expect(lines.contains("hubbub_http_request_duration_seconds_count{\(messages)} 4"))
      for secret in ["canary", room, ada.email, "\(ada.id)", String(ada.cookie.dropFirst(20))] {
        #expect(!answer.text.contains(secret))
      }
    }
  }

  @Test("A request forwarded by a proxy is never local, whatever it claims", .shows("control 6"))
  func forwarded() async throws {
    for proxies in [TrustedProxies(), .loopback] {
      var options = TestHub.Options()
      options.trustedProxies = proxies
      try await TestHub.with(options) { hub in
        let client = try hub.socket()
        #expect(try await client.send(.get, "/metrics").status == .ok)
        for (name, value) in [
          ("forwarded", "a"), ("forwarded", "for=127.0.0.1"), ("x-forwarded-for", "garbage"),
          ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-for", "203.0.113.9"), ("x-real-ip", "127.0.0.1"),
          ("x-forwarded-proto", "https"), ("x-forwarded-host", "localhost"), ("via", "1.1 proxy"),
          ("host", "rebound.example"),
        ] {
          let answer = try await client.send(.get, "/metrics", fields: [FieldName(stringLiteral: name): value])
          #expect(answer.status == .notFound, "\(name): \(value)")
        }
      }
    }
  }

  @Test("A token is accepted from anywhere; an address only directly or through a trusted proxy")
  func readers() async throws {
    for (proxies, isRelayed) in [(TrustedProxies(), false), (.loopback, true)] {
      var options = TestHub.Options()
      options.trustedProxies = proxies
      options.metricsReaders = MetricsReaders(
        token: "a secret", networks: try #require(NetworkList("203.0.113.0/24, 127.0.0.1")))
      try await TestHub.with(options) { hub in
        let client = try hub.socket()
        func status(_ client: String, _ authorization: String? = nil) async throws -> Int {
          var fields: Fields = [.xForwardedFor: client]
          if let authorization { fields.set("authorization", authorization) }
          return try await hub.socket().send(.get, "/metrics", fields: fields).status.code
        }
        #expect(try await client.send(.get, "/metrics").status == .ok)
        #expect(try await status("203.0.113.9") == (isRelayed ? 200 : 404))
        #expect(try await status("198.51.100.1") == 404)
        #expect(try await status("garbage") == 404)
        #expect(try await status("198.51.100.1", "Bearer a secret") == 200)
        #expect(try await status("198.51.100.1", "Bearer another") == 404)
      }
    }
  }

  @Test(
    "Clients on this machine may read them",
    arguments: [
      ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
      ("203.0.113.9", false), ("::ffff:203.0.113.9", false), ("2001:db8::1", false), ("", false),
    ])
  func loopback(address: String, isOne: Bool) {
    #expect(MetricsController.isLoopback(address) == isOne)
  }
}
