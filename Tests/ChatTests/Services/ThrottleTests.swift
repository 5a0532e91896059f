@testable import Chat
import Testing

@Suite("Throttle (SECURITY 6, 20)")
struct ThrottleTests {
  private let clock = ManualClock()

  private func throttle(failures: Int = 20, keys: Int = 100) -> Throttle {
    Throttle(limits: .init(failures: failures, interval: .seconds(30), keys: keys), clock: clock)
  }

  @Test("after 20 failures a key waits, and may try once more for each interval")
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

  @Test("nothing is held against a key for good")
  func forgets() {
    let throttle = throttle()
    for _ in 0..<20 { throttle.recordFailure("a") }
    clock.advance(by: .seconds(600))
    for _ in 0..<19 { throttle.recordFailure("a") }
    #expect(throttle.retryAfter("a") == nil)
  }

  @Test("a reset forgets a key's failures, and no other's")
  func reset() {
    let throttle = throttle(failures: 1)
    throttle.recordFailure("a")
    throttle.recordFailure("b")
    throttle.reset("a")
    #expect(throttle.retryAfter("a") == nil)
    #expect(throttle.retryAfter("b") == 30)
  }

  @Test("a change of civil time neither frees nor locks (SECURITY 20)")
  func civilTime() {
    let throttle = throttle(failures: 1)
    throttle.recordFailure("a")
    clock.setCivilTime(clock.now.adding(seconds: 86_400))
    #expect(throttle.retryAfter("a") == 30)
    clock.setCivilTime(clock.now.adding(seconds: -2 * 86_400))
    clock.advance(by: .seconds(30))
    #expect(throttle.retryAfter("a") == nil)
  }

  @Test("pouring in keys does not free a hot one, and the table stays bounded")
  func eviction() {
    let throttle = throttle(keys: 100)
    for _ in 0..<20 { throttle.recordFailure("hot") }
    for number in 0..<5000 {
      throttle.recordFailure("key \(number)")
      #expect(throttle.keyCount <= 100)
    }
    #expect(throttle.retryAfter("hot") == 30)
  }

  @Test("keys whose failures are forgotten make room first")
  func sweeping() {
    let throttle = throttle(failures: 2, keys: 8)
    for number in 0..<8 { throttle.recordFailure("old \(number)") }
    clock.advance(by: .seconds(31))
    throttle.recordFailure("new")
    #expect(throttle.keyCount == 1)
  }
}
