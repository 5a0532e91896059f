import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// A central guarantee: messages are stored exactly once.
@Suite("Exactly-once sending")
struct ExactlyOnceTests {
  private func request(_ person: Person, _ room: String, _ clientID: ClientMessageID, _ text: String) -> [UInt8] {
    let body = #"{"client_id":"\#(clientID)","text":"\#(text)"}"#
    return Array(
      """
      POST /api/v1/rooms/\(room)/messages HTTP/1.1\r
      Host: localhost\r
      Cookie: \(person.cookie)\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      Connection: close\r
      \r
      \(body)
      """.utf8)
  }

  @Test(
    "If the connection is cut between request and response, the retry results in one message",
    .shows("S2"))
  func cutBeforeTheAnswer() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let port = try hub.port()
      for number in 1...20 {
        let bytes = request(ada, room, ClientMessageID(at: hub.clock.now), "m\(number)")
        let before = try await hub.store.lastEventID()
        let connection = try RawConnection(port: port)
        try connection.write(bytes)
        // Odd requests lose the connection at once, even ones when the message is on disk; no byte of the response is
        // read.
        if number.isMultiple(of: 2) { await hub.committed(before + 1) }
        connection.cut()
        await hub.committed(before + 1)

        let retry = try RawConnection(port: port)
        try retry.write(bytes)
        let answer = try TestResponse(parsing: await retry.readAll())
        #expect(answer.status == .ok, "the first try was stored, so the second is a repeat")
        #expect(try answer.json()["seq"]?.integer == number)
      }
      let messages = try await bob.get("/rooms/\(room)/messages").json().array
      #expect(messages.map { $0["text"]?.text } == (1...20).map { "m\($0)" })
      let events = try await bob.get("/sync?after=0").json()["events"]?.array ?? []
      let created = events.filter { $0["event"]?.text == "message.created" }
      #expect(created.map { $0["data"]?["seq"]?.integer } == Array(1...20))
    }
  }

  @Test(
    "Cut anywhere, even within the request, and retried until acknowledged, each message is stored once",
    .shows("S2"),
    arguments: [1, 2, 3] as [UInt64])
  func cutAnywhere(seed: UInt64) async throws {
    print("seed \(seed)")
    try await TestHub.with { hub in
      var random = SeededRandom(seed: seed)
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let port = try hub.port()
      var tries = 0
      for number in 1...25 {
        let bytes = request(ada, room, ClientMessageID(at: hub.clock.now), "m\(number)")
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          tries += 1
          let connection = try RawConnection(port: port)
          let isWhole = Bool.random(using: &random)
          try connection.write(bytes.prefix(isWhole ? bytes.count : Int.random(in: 0..<bytes.count, using: &random)))
          // Now and then the first bytes of the response arrive.
          if isWhole, Bool.random(using: &random) { _ = try await connection.read(atMost: 20) }
          connection.cut()
        }
        let last = try RawConnection(port: port)
        try last.write(bytes)
        let answer = try TestResponse(parsing: await last.readAll())
        #expect(answer.status == .ok || answer.status == .created)
        #expect(try answer.json()["seq"]?.integer == number)
      }
      #expect(tries > 0)
      let messages = try await bob.get("/rooms/\(room)/messages").json().array
      #expect(messages.map { $0["text"]?.text } == (1...25).map { "m\($0)" })
    }
  }
}
