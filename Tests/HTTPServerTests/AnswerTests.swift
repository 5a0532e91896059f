import Base
import EventLoop
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Answers, whatever was asked", .shows("H1"), .timeLimit(.minutes(10)))
struct AnswerTests {
  @Test(
    "9112 6.1 no response has a transfer coding: it has a length, or ends with the connection",
    arguments: ["HTTP/1.1", "HTTP/1.0"])
  func framing(version: String) async throws {
    try await withServer { application, _ in
      application.immediate("/events") { _ in
        Response(body: .eventStream { $0.close(after: SharedBytes(Array("data: 1\n\n".utf8))) })
      }
      application.immediate("/coded") { _ in Response(fields: [.transferEncoding: "chunked"], body: .bytes([0x61])) }
    } _: { server in
      for (path, body) in [("/", "hello"), ("/later", "later"), ("/coded", "a"), ("/events", "data: 1\n\n")] {
        let client = try server.client()
        try client.send("GET \(path) \(version)\r\nHost: a\r\nConnection: close\r\n\r\n")
        let text = try client.receiveAll()
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        let answer = RawResponse(head: String(text[..<end.upperBound]))
        #expect(answer["transfer-encoding"] == nil)
        #expect(answer["content-length"] == (path == "/events" ? nil : "\(body.utf8.count)"))
        #expect(answer["connection"] == "close" && text[end.upperBound...] == body)
        // RFC 9110 section 2.5: the highest version of the same major that the server speaks.
        #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
    }
  }

  @Test("9112 4 the space after the status is present even without a phrase")
  func phrase() async throws {
    try await withServer { application, _ in
      application.immediate("/own") { _ in Response(status: Status(599), body: .bytes([0x61])) }
    } _: { server in
      let client = try server.client()
      try client.send("GET /own HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receiveResponse().head.hasPrefix("HTTP/1.1 599 \r\n"))
    }
  }

  @Test(
    "9112 8 an incomplete request is not performed and gets no response",
    arguments: [
      "", "POST", "POST /count HTTP/1.1\r\nHost: a", "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
      "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcd",
      "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
      "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n",
    ])
  func cutOff(request: String) async throws {
    let carriedOut = Atomic<Int>(0)
    try await withServer { application, _ in
      application.immediate("/count") { _ in
        carriedOut.add(1, ordering: .relaxed)
        return Response()
      }
    } _: { server in
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + request)
      client.endSending()
      #expect(try client.receiveResponse().body == "hello")
      #expect(try client.receiveAll().isEmpty)
      #expect(carriedOut.load(ordering: .relaxed) == 0)
    }
  }

  @Test("9112 9.3 an unused body is skipped, so that the next request is found")
  func unwantedBody() async throws {
    try await withServer { server in
      let client = try server.client()
      let next = "GET /number?n=7 HTTP/1.1\r\nHost: a\r\n\r\n"
      for path in ["/", "/missing"] {
        for framing in [
          "Content-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3\r\nGET\r\n0\r\n\r\n",
        ] {
          try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(framing)\(next)")
          #expect(try client.receiveResponse().status == (path == "/" ? 200 : 404))
          #expect(try client.receiveResponse().body == "7")
        }
      }
    }
  }

  @Test(
    "nothing in a request can add a field to a response, or split it", .shows("control 13"),
    arguments: [
      "a%0D%0AX-Evil:%201", "a%0AX-Evil:%201", "a%0DX-Evil:%201", "a%00X-Evil:%201",
      "a%0D%0A%0D%0AHTTP/1.1%20200%20OK%0D%0AX-Evil:%201", "%C4%8D%C4%8AX-Evil:%201", "a%E5%98%8A%E5%98%8DX-Evil:1",
    ])
  func splitting(value: String) async throws {
    try await withServer { application, _ in
      application.immediate("/reflect") { request in
        let text = request.head.query["v"] ?? ""
        var fields: Fields = [.location: "/\(text)", "x-a": text]
        fields.add(.setCookie, "a=\(text)")
        fields.set(.etag, "\"\(text)\"")
        fields["x-b"] = text
        return Response(fields: fields, body: .bytes(Array("body".utf8)))
      }
      application.immediate("/events") { request in
        let text = request.head.query["v"] ?? ""
        let frame = EventStreamEncoding.event(name: text, id: text, data: text)
        return Response(body: .eventStream { $0.close(after: SharedBytes(frame)) })
      }
    } _: { server in
      let client = try server.client()
      try client.send("GET /reflect?v=\(value) HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.receiveResponse()
      #expect(answer.status == 200 && answer.body == "body")
      #expect(answer["x-evil"] == nil && answer["x-a"]?.hasSuffix("1") == true)
      let names = answer.head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" } }
      #expect(names.sorted() == names.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } })
      try client.send("GET /events?v=\(value) HTTP/1.1\r\nHost: a\r\n\r\n")
      let events = try client.receiveAll()
      let frame = try #require(events.firstRange(of: "\r\n\r\n")).upperBound
      for line in events[frame...].split(whereSeparator: { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }) {
        #expect(["id: ", "event: ", "data: "].contains { line.hasPrefix($0) }, "\(line)")
      }
    }
  }
}
