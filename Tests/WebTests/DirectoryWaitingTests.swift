import Chat
import ChatTesting
import Foundation
import GitHub
import HTTP
import HTTPServer
import HTTPServerTesting
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("Directory responses and waiting requests")
struct DirectoryWaitingTests {
  @Test("A search reports its total, and a renamed login the address of its list", .shows("D1"))
  func fields() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let directory = try #require(hub.directory as? ScriptedDirectory)
      directory.script.page = .success(
        DirectoryPage(accounts: [], next: "2", found: SearchCount(total: 12_345, isIncomplete: true)))
      let search = try await ada.get("/github/search/users?q=tom")
      #expect(search.fields["hubbub-total"] == "12345" && search.fields["hubbub-incomplete"] == "1")
      #expect(search.link("next") == "/api/v1/github/search/users?q=tom&cursor=2")
      directory.script.page = .success(DirectoryPage(accounts: [], found: SearchCount(total: 0, isIncomplete: false)))
      let nobody = try await ada.get("/github/search/users?q=tom")
      #expect(nobody.fields["hubbub-total"] == "0" && nobody.fields["hubbub-incomplete"] == nil)
      for (asked, moved, path) in [
        ("users/old/followers", .followers(of: "New[bot]"), "users/New%5Bbot%5D/followers"),
        ("users/old/following", .following(of: "new"), "users/new/following"),
        ("orgs/old/members", .members(of: "new"), "orgs/new/members"),
      ] as [(String, DirectoryList, String)] {
        directory.script.page = .success(DirectoryPage(accounts: [], next: "2", movedTo: moved))
        let list = try await ada.get("/github/" + asked)
        #expect(list.fields["content-location"] == "/api/v1/github/" + path)
        #expect(list.link("next") == "/api/v1/github/\(path)?cursor=2")
      }
    }
  }

  @Test("Every signed-in person can see GitHub's quota, its credential, and until when requests are paused")
  func quota() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let directory = try #require(hub.directory as? ScriptedDirectory)
      let unknown = try await ada.get("/github/quota")
      #expect(try unknown.json() == .array([]) && unknown.fields["hubbub-asks-as"] == "anonymous")
      #expect(unknown.fields["hubbub-limited-until"] == nil)
      let reset = hub.clock.now.adding(seconds: 90)
      directory.script.quota = GitHubQuota(
        asker: .application,
        readings: [
          GitHubQuota.Reading(resource: "core", limit: 5000, remaining: 4312, used: 688, resetAt: reset)
        ], limitedUntil: reset)
      let known = try await ada.get("/github/quota")
      #expect(known.fields["hubbub-asks-as"] == "application")
      #expect(known.fields["hubbub-limited-until"] == reset.description)
      let reading = try #require(try known.json()[0])
      #expect(reading["resource"]?.text == "core" && reading["limit"]?.integer == 5000)
      #expect(reading["remaining"]?.integer == 4312 && reading["used"]?.integer == 688)
      #expect(reading["reset_at"]?.text == reset.description)
      #expect(try await hub.memory.send(.get, "/api/v1/github/quota").status == .unauthorized)
      #expect(directory.script.asked.isEmpty, "nothing is asked")
    }
  }

  @Test("Two hundred pictures whose requests the browser drops are not fetched, over real connections", .shows("D8"))
  func dropped() async throws {
    let folder = try TemporaryFolder()
    let transport = HeldTransport()
    var options = TestHub.Options()
    options.directory = { store, clock in
      CountingDirectory(
        GitHubDirectory(
          configuration: GitHubConfiguration(), store: store, cacheFolder: folder.path, clock: clock,
          logger: .silent, transport: transport))
    }
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      let counts = try #require(hub.directory as? CountingDirectory)
      for id in Int64(1)...201 {
        let account = GitHubAccount(
          id: id, login: "u\(id)", type: "User", avatarURL: "https://avatars.githubusercontent.com/u/\(id)")
        try await hub.store.saveGitHubAccount(account, at: hub.clock.now)
      }
      let port = try hub.port()
      let connections = try (1...200).map { id in
        let connection = try RawConnection(port: port)
        let request = "GET /api/v1/avatars/github-\(id)?s=80 HTTP/1.1\r\nHost: a\r\nCookie: \(ada.cookie)\r\n\r\n"
        try connection.write(Array(request.utf8))
        return connection
      }
      await counts.reaches { $0.begun == 200 }
      for connection in connections { connection.cut() }
      await counts.reaches { $0.ended == 200 }
      transport.open()
      let shown = try await ada.get("/avatars/github-201?s=80")
      #expect(shown.status == .ok)
      #expect(transport.count == 7, "six were under way, and the one that somebody waits for")
    }
  }
}

/// A transport that responds to nothing until it is opened, then to everything with a picture.
private final class HeldTransport: Transport {
  private struct State {
    var count = 0
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.resume() }
  }

  func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.count += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 80, 0, 0, 0, 80, 8, 6, 0, 0, 0, 1, 2, 3, 4]
    return TransportResponse(status: 200, body: png)
  }
}

/// A directory that counts the waiters for pictures.
private final class CountingDirectory: Directory {
  struct Counts {
    var begun = 0
    var ended = 0
  }

  private struct State {
    var counts = Counts()
    var waiting: [(isMet: @Sendable (Counts) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let directory: any Directory
  private let state = Mutex(State())

  init(_ directory: any Directory) { self.directory = directory }

  /// Returns once the counts meet the condition.
  func reaches(_ isMet: @escaping @Sendable (Counts) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if isMet(state.counts) { return true }
        state.waiting.append((isMet, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func note(_ change: @Sendable (inout Counts) -> Void) {
    let met = state.withLock { state in
      change(&state.counts)
      let counts = state.counts
      let met = state.waiting.filter { $0.isMet(counts) }
      state.waiting.removeAll { $0.isMet(counts) }
      return met.map(\.continuation)
    }
    for waiter in met { waiter.resume() }
  }

  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? {
    try await directory.storedPage(of: list, cursor: cursor)
  }

  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage {
    try await directory.page(of: list, cursor: cursor)
  }

  func account(login: String) async throws -> GitHubAccount { try await directory.account(login: login) }

  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage {
    note { $0.begun += 1 }
    defer { note { $0.ended += 1 } }
    return try await directory.avatar(of: githubID, size: size)
  }

  func quota() -> GitHubQuota { directory.quota() }
}
