import Testing

/// Returns once `condition` holds; fails the test if it does not within ten minutes.
///
/// Polls every two milliseconds. A busy loop would starve the threads that the condition depends on.
package func eventually(_ condition: @Sendable () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while try await !condition() {
    try #require(ContinuousClock.now < end, "the condition never held")
    try await Task.sleep(for: .milliseconds(2))
  }
}
