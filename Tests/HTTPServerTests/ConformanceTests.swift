import HTTP
import TestSupport
import Testing

@testable import HTTPServer

/// The requirements of RFC 9110 and 9112, seen from outside. HTTPTests has the parser's own cases; these show that the
/// connection handles its results correctly.
@Suite("Conformance over a socket, whole and byte by byte", .shows("H1"))
struct ConformanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    let request: String
    let statuses: [Int]
    var testDescription: String { rule }
  }

  static let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// Requests, each followed by `last`, and the statuses of all responses before the connection ends.
  static let cases = [
    Case(rule: "9112 2.2 a leading empty line is skipped", request: "\r\n", statuses: [200]),
    Case(rule: "9112 2.2 a second one is not", request: "\r\n\r\n", statuses: [400]),
    Case(rule: "9112 2.2 a bare LF does not end a line", request: "GET / HTTP/1.1\nHost: a\n\n", statuses: [400]),
    Case(
      rule: "9112 2.2 an empty line after a body is skipped",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nGET\r\n", statuses: [200, 200]),
    Case(
      rule: "9112 3 a request line of 8,000 bytes is read",
      request: "GET /?" + String(repeating: "n", count: 7985) + " HTTP/1.1\r\nHost: a\r\n\r\n", statuses: [200, 200]),
    Case(rule: "9112 3.2 no Host", request: "GET / HTTP/1.1\r\n\r\n", statuses: [400]),
    Case(rule: "9112 3.2 two Hosts", request: "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 3.2.2 absolute form", request: "GET http://b/number?n=1 HTTP/1.1\r\nHost: a\r\n\r\n",
      statuses: [200, 200]),
    Case(
      rule: "9112 3.2.3 authority form", request: "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n", statuses: [501]),
    Case(rule: "9112 5.1 space before the colon", request: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", statuses: [400]),
    Case(rule: "9112 5.2 obs-fold", request: "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 6.1 Transfer-Encoding in HTTP/1.0",
      request: "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 6.1 an unknown coding",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", statuses: [501]),
    Case(
      rule: "9112 6.3 contradictory length and coding",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      statuses: [400]),
    Case(
      rule: "9112 6.3 two lengths", request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
      statuses: [400]),
    Case(
      rule: "9112 6.3 two differing lengths",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", statuses: [400]),
    Case(
      rule: "9112 6.3 a length", request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nGET",
      statuses: [200, 200]),
    Case(
      rule: "9112 6.3 no length means no body", request: "POST /echo HTTP/1.1\r\nHost: a\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9112 7.1 chunks, extension, trailer",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nGET\r\n0\r\nT: u\r\n\r\n",
      statuses: [200, 200]),
    Case(
      rule: "9112 7.1.2 trailers do not become fields",
      request:
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nConnection: close\r\nHost: b\r\n"
        + "Content-Length: 99\r\nTransfer-Encoding: gzip\r\nExpect: tea\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9112 7.1 a broken chunk",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nGETX\r\n0\r\n\r\n",
      statuses: [400]),
    Case(
      rule: "9112 9.3 HTTP/1.0 asks to persist",
      request: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", statuses: [200, 200]),
    Case(rule: "9112 9.3 HTTP/1.0 does not", request: "GET / HTTP/1.0\r\n\r\n", statuses: [200]),
    Case(
      rule: "9112 9.6 nothing behind close is read", request: last, statuses: [200]),
    Case(
      rule: "9112 9.3.2 pipelined, and then broken", request: "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET\r\n\r\n",
      statuses: [200, 400]),
    Case(
      rule: "9110 9.3.2 HEAD has no body", request: "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9110 10.1.1 an unknown expectation",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\nx", statuses: [417]),
    Case(rule: "9110 15.6.6 another version", request: "GET / HTTP/3.0\r\nHost: a\r\n\r\n", statuses: [505]),
    Case(rule: "9113 3.4 the HTTP/2 preface", request: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: [505]),
    Case(
      rule: "9112 3.2.2 a URI of https is not for this connection",
      request: "GET https://b/ HTTP/1.1\r\nHost: b\r\n\r\n", statuses: [421]),
    Case(
      rule: "9112 6 a body may come with any method",
      request: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 14\r\n\r\nGET / HTTP/1.1", statuses: [200, 200]),
    Case(
      rule: "9112 6.3 chunked must be the last coding",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 7.1 a chunk size that would overflow",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
      statuses: [413]),
    Case(
      rule: "9112 7.2 coding names are case-insensitive",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9112 7.4 TE can be ignored",
      request: "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers, gzip;q=0.5\r\nConnection: TE\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9110 7.6.1 unknown connection options are ignored",
      request: "GET / HTTP/1.1\r\nHost: a\r\nConnection: x-hop, keep-alive\r\nX-Hop: 1\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9110 7.8 Upgrade may be ignored, in HTTP/1.0 it must",
      request: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
        + "GET / HTTP/1.0\r\nUpgrade: h2c\r\nConnection: upgrade, keep-alive\r\n\r\n", statuses: [200, 200, 200]),
    Case(
      rule: "9110 5.3 field lines of one name may come in several pieces",
      request: "GET / HTTP/1.1\r\nHost: a\r\nConnection: a\r\nX: y\r\nConnection: b\r\n\r\n", statuses: [200, 200]),
    Case(
      rule: "9110 5.5 NUL in a value", request: "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 2.2 a bare CR in a value", request: "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", statuses: [400]),
    Case(
      rule: "9112 2.2 white space before the first field",
      request: "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n", statuses: [400]),
    Case(rule: "9110 4.2.1 an empty host", request: "GET / HTTP/1.1\r\nHost:\r\n\r\n", statuses: [400]),
    Case(
      rule: "9110 10.1.1 HTTP/1.0 cannot expect",
      request: "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
      statuses: [200, 200]),
    Case(
      rule: "9110 10.1.1 no 100 when the body has begun to come",
      request: "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
      statuses: [200, 200]),
    Case(rule: "9110 2.5 a higher minor version", request: "GET / HTTP/1.9\r\nHost: a\r\n\r\n", statuses: [200, 200]),
    Case(rule: "3986 dot segments", request: "GET /a/%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n", statuses: [400]),
  ]

  @Test("the responses to a request and to the next one", arguments: cases)
  func answers(to example: Case) async throws {
    try await withServer { server in
      for isWhole in [true, false] {
        let client = try server.client()
        let bytes = Array((example.request + Self.last).utf8)
        if isWhole {
          try client.send(bytes)
        } else {
          // The server may refuse and close before the last byte.
          do { for byte in bytes { try client.send([byte]) } } catch {}
        }
        // No body in these responses contains a status line.
        let lines = try client.receiveAll().split(separator: "\r\n").filter { $0.contains("HTTP/1.1 ") }
        let statuses = lines.compactMap { line in
          line.firstRange(of: "HTTP/1.1 ").flatMap { Int(line[$0.upperBound...].prefix(3)) }
        }
        #expect(statuses == example.statuses, "\(isWhole ? "whole" : "byte by byte")")
      }
    }
  }
}
