import Chat
import Foundation
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Closing the store", .timeLimit(.minutes(1)))
struct CloseTests {
  @Test("reads of many threads go on until the store is closed, and are refused afterwards")
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
              // A read that does not suspend would keep its thread for good.
              await Task.yield()
            } catch {
              return error as? ChatError
            }
          }
        }
      }
      while answered.value < 20 { await Task.yield() }
      // On a thread of its own: the pool's few threads are the readers'.
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
