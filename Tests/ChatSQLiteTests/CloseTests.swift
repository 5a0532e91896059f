import Chat
import Foundation
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Closing the store", .timeLimit(.minutes(10)))
struct CloseTests {
  @Test("concurrent reads succeed until the store is closed, and are refused afterwards")
  func readersMeetTheEnd() async throws {
    for _ in 0..<10 {
      let chat = try await Chatroom()
      let answered = Box(0)
      let readers = (0..<8).map { reader in
        Task.detached { () async -> ChatError? in
          while true {
            do {
              if reader.isMultiple(of: 2) {
                _ = try await chat.store.lastEventID()
              } else {
                _ = try await chat.store.members(of: chat.room, for: chat.ada)
              }
              answered.update { $0 += 1 }
              // A read that never suspends would keep its thread forever.
              await Task.yield()
            } catch {
              return error as? ChatError
            }
          }
        }
      }
      while answered.value < 20 { await Task.yield() }
      // On a separate thread, because the readers occupy the pool's few threads.
      await withCheckedContinuation { closed in
        Thread.detachNewThread {
          chat.store.close()
          closed.resume()
        }
      }
      for reader in readers {
        let refusal = await reader.value
        guard case .unavailable = refusal else {
          Issue.record("a read ended with \(String(describing: refusal))")
          continue
        }
      }
    }
  }
}
