import ChatTesting
import TestSupport
import Testing

@testable import Chat

@Suite("Throttle", .shows("control 6", "control 20"))
struct ThrottleTests {
  private let clock = ManualClock()

  private func throttle(burst: Int = 20, keys: Int = 100) -> Throttle {
    Throttle(limits: .init(burst: burst, interval: .seconds(30), keys: keys), clock: clock)
  }

  @Test("after 20 failures a key waits, and may try once per interval")
  func limit() {
    let throttle = throttle()
    for _ in 0..<20 {
      #expect(throttle.retryAfter("a") == nil)
      throttle.recordFailure("a")
    }
    #expect(throttle.retryAfter("a") == 30)
    #expect(throttle.retryAfter("b") == nil)
    clock.advance(by: .milliseconds(29_001))
    #expect(throttle.retryAfter("a") == 1)
    clock.advance(by: .milliseconds(999))
    #expect(throttle.retryAfter("a") == nil)
    throttle.recordFailure("a")
    #expect(throttle.retryAfter("a") == 30)
  }

  @Test("a try counts before its outcome is known, and can be taken back")
  func take() {
    let throttle = throttle(burst: 2)
    #expect(throttle.take("a") == nil && throttle.take("a") == nil && throttle.take("a") == 30)
    throttle.giveBack("a")
    #expect(throttle.take("a") == nil && throttle.retryAfter("a") == 30)
    throttle.giveBack("b")
    #expect(throttle.retryAfter("b") == nil)
  }

  @Test("failures are forgotten eventually")
  func forgets() {
    let throttle = throttle()
    for _ in 0..<20 { throttle.recordFailure("a") }
    clock.advance(by: .seconds(600))
    for _ in 0..<19 { throttle.recordFailure("a") }
    #expect(throttle.retryAfter("a") == nil)
  }

  @Test("a reset forgets one key's failures only")
  func reset() {
    let throttle = throttle(burst: 1)
    throttle.recordFailure("a")
    throttle.recordFailure("b")
    throttle.reset("a")
    #expect(throttle.retryAfter("a") == nil)
    #expect(throttle.retryAfter("b") == 30)
  }

  @Test("changing the civil time neither frees nor blocks a key", .shows("control 20"))
  func civilTime() {
    let throttle = throttle(burst: 1)
    throttle.recordFailure("a")
    clock.setCivilTime(clock.now.adding(seconds: 86_400))
    #expect(throttle.retryAfter("a") == 30)
    clock.setCivilTime(clock.now.adding(seconds: -2 * 86_400))
    clock.advance(by: .seconds(30))
    #expect(throttle.retryAfter("a") == nil)
  }

  @Test("flooding the table with keys does not free a hot one, and the table stays bounded")
  func eviction() {
    let throttle = throttle(keys: 100)
    for _ in 0..<20 { throttle.recordFailure("hot") }
    for number in 0..<5000 {
      throttle.recordFailure("key \(number)")
      #expect(throttle.keyCount <= 100)
    }
    #expect(throttle.retryAfter("hot") == 30)
  }

  @Test("keys whose failures are forgotten are dropped first")
  func sweeping() {
    let throttle = throttle(burst: 2, keys: 8)
    for number in 0..<8 { throttle.recordFailure("old \(number)") }
    clock.advance(by: .seconds(31))
    throttle.recordFailure("new")
    #expect(throttle.keyCount == 1)
  }
}
