import Chat
import Dispatch
import HTTP
import HTTPServer
import HTTPServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Web

/// Password hashing on the real workers, blocked until the test opens the gate.
private final class GatedPasswords: PasswordHashing {
  private let workers = PasswordWorkers(count: 2, queueLimit: 256)
  private let gate = DispatchSemaphore(value: 0)
  private let state = Mutex((asked: 0, computed: 0, isOpen: true, waiters: [(Int, CheckedContinuation<Void, Never>)]()))

  var computed: Int { state.withLock { $0.computed } }

  func close() { state.withLock { $0.isOpen = false } }

  func open(for count: Int) {
    state.withLock { $0.isOpen = true }
    for _ in 0..<count { gate.signal() }
  }

  /// Returns when this many comparisons have been requested.
  func asked(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.asked >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  func hash(_ password: String, for client: String) async throws -> String { "plain:" + password }

  func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool {
    let (mustWait, met) = state.withLock { state in
      state.asked += 1
      let met = state.waiters.filter { $0.0 <= state.asked }
      state.waiters.removeAll { $0.0 <= state.asked }
      return (!state.isOpen, met)
    }
    for (_, continuation) in met { continuation.resume() }
    return try await workers.run(for: client) {
      if mustWait { self.gate.wait() }
      self.state.withLock { $0.computed += 1 }
      return hash == "plain:" + password
    }
  }
}

@Suite("Sign-in under load", .timeLimit(.minutes(10)))
struct SignInLoadTests {
  @Test(
    "While 200 sign-ins wait for two workers, chat and its streams respond; then all complete", .shows("control 5")
  )
  func chatGoesOn() async throws {
    let passwords = GatedPasswords()
    var options = TestHub.Options()
    options.hasher = passwords
    try await TestHub.with(options) { hub in
      let socket = try hub.socket()
      let (ada, bob) = (try await hub.signUp("Ada", over: socket), try await hub.signUp("Bob", over: socket))
      let room = try await ada.room(with: bob)
      let stream = try await bob.events(socket)
      while try await stream.next()?.name != "hello" {}
      passwords.close()
      let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
        for number in 0..<200 {
          group.addTask {
            try await socket.send(
              .post, "/api/v1/session", fields: [.contentType: "application/json"],
              text: #"{"email":"\#(number.isMultiple(of: 2) ? ada.email : "nobody@example.org")","password":"guess"}"#
            ).status
          }
        }
        await passwords.asked(200)
        // Nothing is computed until the gate opens, so each response below overtakes 200 waiting sign-ins.
        for number in 1...50 {
          #expect(try await ada.say("message \(number)", in: room) == number)
          #expect(try await bob.get("/rooms").status == .ok)
          var event = try await stream.next()
          while event?.name == "presence" { event = try await stream.next() }
          #expect(event?.name == "message.created")
        }
        #expect(passwords.computed == 0)
        passwords.open(for: 200)
        var statuses: [Status] = []
        for try await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses.count == 200 && statuses.allSatisfy { $0 == .unauthorized })
      #expect(passwords.computed == 200, "a guess at nobody's password is as much work as at somebody's")
    }
  }
}
