import Chat
import ChatTesting
import Foundation
import TestSupport
import Testing

@testable import Web

/// Random sequences of operations, applied to the real program through its API and to a simple model of chat.
@Suite("The program compared with a model of chat", .timeLimit(.minutes(30)))
struct ModelTests {
  /// The number of sequences played on each of four hubs; `HUBBUB_MODEL_SEQUENCES` overrides it.
  private static let sequences =
    ProcessInfo.processInfo.environment["HUBBUB_MODEL_SEQUENCES"].flatMap { Int($0) } ?? 8

  @Test(
    "Unread counts, pointers, orders and streams agree with the model for any operations",
    .shows("L3", "L4", "C7", "S4", "R1", "R3"),
    arguments: [0, 1, 2, 3] as [UInt64])
  func agree(part: UInt64) async throws {
    let base = UInt64.random(in: 0...UInt64(UInt32.max)) << 20
    for number in 0..<UInt64(Self.sequences) { try await play(seed: base + number << 2 + part) }
  }

  @Test("Sequences that once failed", arguments: [1, 2, 3] as [UInt64])
  func known(seed: UInt64) async throws {
    try await play(seed: seed)
  }

  private func play(seed: UInt64) async throws {
    do {
      try await TestHub.with { hub in
        var play = try await ModelPlay(hub: hub, seed: seed)
        for number in 1...40 {
          hub.clock.advance(by: .seconds(1))
          try await play.step()
          if number % 20 == 0 { try await play.compare() }
        }
      }
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
  }
}
