import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite("Registrations")
struct RegistrationTests {
  @Test("a handler receives the events it requests, and none after it stops requesting them")
  func interest() async throws {
    try await withLoop { loop in
      let pair = SocketPair()
      defer { pair.closeNear() }
      let seen = try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<[Readiness], any Error>) in
        loop.execute {
          let seen = Box<[Readiness]>([])
          let handler = Handler()
          guard let registration = try? loop.register(pair.near, for: .writable, handler: handler) else {
            return continuation.resume(throwing: SystemError(code: 0, call: "register"))
          }
          handler.work = { events in
            seen.append(events)
            if events.contains(.writable) {
              loop.update(registration, to: [.readable, .peerClosed])
              pair.write("x")
              pair.closeFar()
            } else {
              loop.deregister(registration)
              loop.deregister(registration)
              // A turn later it would have been called again, because the byte is still there.
              loop.execute { loop.after(.zero) { continuation.resume(returning: seen.value) } }
            }
          }
        }
      }
      #expect(seen.count == 2)
      #expect(seen.first == .writable)
      #expect(seen.last?.isSuperset(of: [.readable, .peerClosed]) == true)
    }
  }

  @Test("an event fetched for a removed descriptor never reaches the next one in its slot")
  func staleEvent() async throws {
    try await withLoop { loop in
      let record = Box<[String]>([])
      let (first, second) = (SocketPair(), SocketPair())
      first.write("x")
      second.write("x")
      try await loop.run {
        // Whichever of the two is called first replaces the other, whose event was fetched in the same turn.
        let third = SocketPair()
        let handlers = [Handler(), Handler(), Handler()]
        let registrations = [
          try loop.register(first.near, for: .readable, handler: handlers[0]),
          try loop.register(second.near, for: .readable, handler: handlers[1]),
        ]
        handlers[2].work = { _ in record.append("stale") }
        for (index, name) in ["first", "second"].enumerated() {
          handlers[index].work = { _ in
            record.append(name)
            for registration in registrations { loop.deregister(registration) }
            _ = try? loop.register(third.near, for: .readable, handler: handlers[2])
            _ = try? loop.register(dup(third.near), for: .readable, handler: handlers[2])
          }
        }
      }
      // Two turns: for the events, and for anything left of them.
      for _ in 0..<2 {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          loop.execute { loop.after(.milliseconds(1)) { continuation.resume() } }
        }
      }
      #expect(record.value.count == 1)
      #expect(record.value.first != "stale")
      first.close()
      second.close()
    }
  }

  @Test("a reused slot has another generation")
  func generations() {
    var table = RegistrationTable()
    let handler = Handler()
    let first = table.add(handler, descriptor: 7)
    #expect(table.find(first)?.descriptor == 7)
    table.remove(first)
    let second = table.add(handler, descriptor: 8)
    #expect(table.find(first) == nil)
    #expect(table.find(second)?.descriptor == 8)
    #expect(Registration(token: second.token) == second)
    #expect(table.count == 1)
    #expect(table.find(Registration(index: 99, generation: 0)) == nil)
  }

  @Test("a descriptor that epoll cannot watch is an error, not a registration")
  func unwatchable() async throws {
    try await withLoop { loop in
      let code = try await loop.run {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        let plain = open("/bin/sh", O_RDONLY | O_CLOEXEC)
        defer {
          SystemCall.close(file)
          SystemCall.close(plain)
        }
        do throws(SystemError) {
          _ = try loop.register(plain, for: .readable, handler: Handler())
          return Int32(0)
        } catch {
          return loop.registrations.count == 0 ? error.code : -1
        }
      }
      #expect(code == EPERM)
    }
  }
}

private final class Handler: EventHandler {
  var work: (Readiness) -> Void = { _ in }

  func handle(_ events: Readiness) { work(events) }
}
