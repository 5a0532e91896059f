import Foundation
import HTTP
import Outbound
import Testing

@Suite("Requests over libcurl")
struct CurlTransportTests {
  @Test("A request is sent as given, and the response's fields and body are returned")
  func exchange() async throws {
    try await withPeer { connection in
      let request = connection.readRequest()
      connection.write(
        """
        HTTP/1.1 103 Early Hints\r\nLink: </early>\r\n\r\n\
        HTTP/1.1 201 Created\r\nX-One: a\r\nLink: <b>\r\nx-one:  c \r\nX-Empty:\r\n\
        Transfer-Encoding: chunked\r\n\r\n\
        \(String(request.utf8.count, radix: 16))\r\n\(request)\r\n0\r\nX-One: trailer\r\n\r\n
        """)
      connection.waitForEnd()
    } _: { peer, transport in
      let response = try await transport.send(
        peer.request(
          "/a%2Fb//c?d=%20&e", method: .post, fields: ["X-Two": "é", "X-Void": "", "Content-Type": "text/plain"],
          body: Array("body".utf8)))
      #expect(response.status == 201)
      #expect(
        response.fields["x-one"] == "a, c" && response.fields["x-empty"] == "" && response.fields["link"] == "<b>")
      let request = String(decoding: response.body, as: UTF8.self)
      let lines = request.split(separator: "\r\n")
      #expect(lines.first == "POST /a%2Fb//c?d=%20&e HTTP/1.1" && request.hasSuffix("\r\n\r\nbody"))
      for line in ["X-Two: é", "X-Void:", "Content-Type: text/plain", "Content-Length: 4"] {
        #expect(lines.contains { $0 == line }, "\(line)")
      }
      #expect(!request.contains("Expect") && !request.contains("User-Agent") && !request.contains("Cookie"))
    }
  }

  @Test("A redirect is returned as a response; a connection is reused", arguments: [301, 302, 303, 307, 308])
  func redirect(_ status: Int) async throws {
    try await withPeer { connection in
      while !connection.readRequest().isEmpty {
        connection.write(
          "HTTP/1.1 \(status) Go\r\nLocation: /elsewhere\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n")
      }
    } _: { peer, transport in
      for _ in 0..<3 {
        let response = try await transport.send(peer.request())
        #expect(response.status == status && response.fields["location"] == "/elsewhere")
      }
      // libcurl does not reuse a connection that was idle for two minutes, which a busy machine can make of a moment.
      #expect(peer.connections < 3)
    }
  }

  @Test("A field with a line break in it is not sent", arguments: ["a\r\nb: c", "a\nb", "a\u{0}", "a\u{7F}"])
  func injection(_ text: String) async throws {
    try await withPeer { _ in
    } _: { peer, transport in
      #expect(await failure(transport, peer.request(fields: ["X": text])) == "unreachable")
      #expect(await failure(transport, peer.request(fields: [text: "x"])) == "unreachable")
      #expect(peer.connections == 0)
    }
  }

  @Test("Cancelling a request closes its connection, before the response and within the body")
  func cancellation() async throws {
    try await withPeer { connection in
      _ = connection.readRequest()
      if connection.number == 2 { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome") }
      connection.note("waiting")
      connection.waitForEnd()
      connection.note("ended")
    } _: { peer, transport in
      for _ in 1...2 {
        let request = peer.request()
        let task = Task { await failure(transport, request) }
        await peer.noted("waiting")
        task.cancel()
        #expect(await task.value == "cancelled")
        await peer.noted("ended")
      }
      let request = peer.request()
      let early = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure(transport, request)
      }
      #expect(await early.value == "cancelled")
      #expect(peer.connections == 2)
    }
  }

  @Test("The time limit closes the connection of a server that is silent or sends a byte now and then")
  func slow() async throws {
    try await withPeer { connection in
      _ = connection.readRequest()
      if connection.number == 2 {
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        while connection.write([0x20]) { Thread.sleep(forTimeInterval: 0.01) }
      }
      connection.waitForEnd()
      connection.note("ended")
    } _: { peer, transport in
      for _ in 1...2 {
        #expect(await failure(transport, peer.request(timeout: .milliseconds(150))) == "timedOut")
        await peer.noted("ended")
      }
    }
  }

  @Test("A body beyond the limit closes the connection while it arrives, with any framing or coding")
  func oversized() async throws {
    let page = [UInt8](repeating: 0x61, count: 200_000)
    let compressed = try #require(Gzip.encode(page, effort: .quick))
    try await withPeer { connection in
      let target = connection.readRequest().split(separator: " ")[1]
      switch target {
      case "/endless":
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        while connection.write(page) {}
        connection.note("ended")
      case "/head":
        connection.write("HTTP/1.1 200 OK\r\n")
        for number in 0..<20_000 { connection.write("X-\(number): value\r\n") }
      case "/coded":
        let length = "Content-Length: \(compressed.count)\r\nConnection: close"
        connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(length)\r\n\r\n")
        _ = connection.write(compressed)
      default:
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(page.count)\r\nConnection: close\r\n\r\n")
        _ = connection.write(page)
      }
      connection.waitForEnd()
    } _: { peer, transport in
      #expect(compressed.count < 10_000)
      for target in ["/endless", "/head", "/coded", "/"] {
        #expect(await failure(transport, peer.request(target, limit: page.count - 1)) == "oversized", "\(target)")
      }
      await peer.noted("ended")
      for target in ["/coded", "/"] {
        let response = try await transport.send(peer.request(target, limit: page.count))
        let isWhole = response.body == page
        #expect(isWhole, "\(target): \(response.body.count) bytes")
      }
    }
  }

  @Test(
    "A response that breaks off is a failure",
    arguments: [
      "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", "SSH-2.0-OpenSSH_9.2\r\n",
    ])
  func truncated(_ response: String) async throws {
    try await withPeer { connection in
      _ = connection.readRequest()
      connection.write(response)
    } _: { peer, transport in
      #expect(await failure(transport, peer.request()) == "unreachable")
    }
  }

  @Test("Fifty concurrent requests share ten connections")
  func many() async throws {
    try await withPeer { connection in
      while !connection.readRequest().isEmpty { connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
    } _: { peer, transport in
      let request = peer.request()
      let answers = await withTaskGroup(of: String.self) { tasks in
        for _ in 0..<50 { tasks.addTask { await failure(transport, request) } }
        return await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: "status 204", count: 50))
      #expect((1...10).contains(peer.connections))
    }
  }
}
