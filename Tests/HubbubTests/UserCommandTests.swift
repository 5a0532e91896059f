import ArgumentParser
import Chat
import ChatSQLite
import Foundation
import TestSupport
import Testing
import Web

@testable import hubbub

@Suite("hubbub user", .shows("A3", "A5"), .serialized)
struct UserCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "hubbub-user-\(UUID().uuidString)")

  private func settings() throws -> Settings { try Settings(options: ["data": folder.path()]) }

  private func inFolder(_ body: () async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  /// Runs blocking work on a thread of its own, like the program's main thread: tasks' threads are few and must not
  /// wait for tasks.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try body() }) }.start()
    }
  }

  private func hands<Value: Sendable>(
    _ settings: Settings, mayBegin: Bool = false,
    _ work: @escaping @Sendable (OperatorSession.Hands) async throws -> Value
  ) async throws -> Value {
    try await onThread { try OperatorSession(settings, mayBegin: mayBegin).run(work) }
  }

  /// The exit code thrown by `body`; 0 for none.
  private func code(_ body: () async throws -> Void) async -> Int32 {
    do {
      try await body()
      return 0
    } catch {
      return Hubbub.exitCode(for: error).rawValue
    }
  }

  private func run(_ arguments: String...) async -> Int32 {
    await code {
      try await onThread {
        var command = try Hubbub.parseAsRoot(["user"] + arguments)
        try command.run()
      }
    }
  }

  @Test(
    "On an empty by-invite instance, the operator's invitation creates the first account, the admin", .shows("A3"))
  func invites() async throws {
    try await inFolder {
      let settings = try settings()
      let token = try await hands(settings, mayBegin: true) { hands in
        try await hands.accounts.invitations.createForOperator(expiresIn: 3600, maxUses: 1).token
      }
      #expect(await run("invite", "--data", folder.path(), "--public-url", "https://chat.example.org") == 0)
      let store = try SQLiteStore(path: settings.data + "/hubbub.sqlite")
      let hash = SHA256Secrets().hash(token)
      let now = Timestamp(milliseconds: 1_800_000_000_000)
      let account = NewAccount(
        id: UserID(at: now), email: "ada@example.org", passwordHash: "hash", firstName: "Ada", lastName: "",
        createdAt: Timestamp(milliseconds: 1000), invitation: hash)
      #expect(try await store.createAccount(account).isAdmin)
      await #expect(throws: ChatError.over(Invitation.End.used.refusal)) {
        try await store.invitation(secretHash: hash, at: account.createdAt)
      }
      // While another program holds the data, nothing is done.
      #expect(await run("list", "--data", folder.path()) == 73)
      store.close()
      #expect(await run("list", "--data", folder.path()) == 0)
      let listed = try await hands(settings) { try await $0.store.accounts() }
      #expect(listed.map(\.email) == ["ada@example.org"] && listed.first?.isAdmin == true)
    }
  }

  @Test("The operator sets a password and ends that person's sessions; failures have exit codes", .shows("A5"))
  func passwords() async throws {
    try await inFolder {
      let settings = try settings()
      #expect(await run("list", "--data", folder.path()) == 73, "there is no data yet, and none is made")
      #expect(!FileManager.default.fileExists(atPath: settings.data))
      _ = try await hands(settings, mayBegin: true) { hands in
        try await hands.accounts.signUp(
          email: "ada@example.org", password: "a long and private phrase", firstName: "Ada", lastName: "",
          userAgent: "", address: "")
      }
      func reset(_ email: String, _ password: String) async -> Int32 {
        await code {
          try await hands(settings) { try await $0.accounts.resetPassword(email: email, to: password) }
        }
      }
      #expect(await reset("eve@example.org", "difference engine") == 67)
      #expect(await reset("ada@example.org", "short") == 65)
      #expect(await reset("ada@example.org", "difference engine") == 0)
      let signedIn = try await hands(settings) { hands in
        try await hands.accounts.signIn(
          email: "ada@example.org", password: "difference engine", userAgent: "", address: "")
      }
      let sessions = try await hands(settings) { hands in
        try await hands.store.sessions(of: signedIn.session.userID, at: signedIn.session.createdAt)
      }
      #expect(sessions.map(\.id) == [signedIn.session.id], "the session of before is gone")
    }
  }

  @Test("Wrong usage is 64, an invalid database 73, and other failures are explained")
  func failures() async throws {
    try await inFolder {
      #expect(await run("invite", "--uses", "0") == 64)
      #expect(await run("invite", "--days", "400") == 64)
      #expect(await run("password") == 64)
      #expect(await run("list", "--public-url", "nonsense") == 64)
      #expect(await run("list", "--config", folder.path() + "/none.json") == 64)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(repeating: 65, count: 5000).write(to: folder.appending(path: "hubbub.sqlite"))
      #expect(await run("list", "--data", folder.path()) == 73)
      #expect(await run("invite", "--data", folder.path() + "/hubbub.sqlite") == 73)
      let fresh = try Settings(options: ["data": folder.path() + "/fresh"])
      for error in [ChatError.storageFull, .unavailable("x")] {
        #expect(await code { try await hands(fresh, mayBegin: true) { _ in throw error } } == 73)
      }
    }
  }

  @Test("A refusal by GitHub has its exit code; unlinking requires another way to sign in", .shows("A6"))
  func link() async throws {
    let failures: [(GitHubIdentityFailure, Int32)] = [
      (.denied, 77), (.expired, 75), (.unverifiedEmail, 77), (.misconfigured("device_flow_disabled"), 78),
      (.misconfigured("incorrect_client_credentials"), 78),
      (.unavailable(DirectoryFailure(kind: .unreachable, message: "no route")), 75),
    ]
    for (failure, code) in failures { #expect(DeviceLink.failure(failure).rawValue == code) }
    try await inFolder {
      let settings = try settings()
      _ = try await hands(settings, mayBegin: true) { hands in
        try await hands.accounts.signInWithGitHub(
          GitHubAccount(id: 1, login: "octocat", type: "User", avatarURL: "https://example.org/a.png"), invitation: nil,
          userAgent: "", address: "")
      }
      #expect(await run("unlink", "octo@example.org", "--data", folder.path()) == 67)
      let user = try await hands(settings) { try await $0.store.accounts()[0].user.id }
      _ = try await hands(settings) { try await $0.store.setFirstEmail("octo@example.org", of: user) }
      #expect(await run("unlink", "octo@example.org", "--data", folder.path()) == 65)
      #expect(await run("link", "octo@example.org", "--data", folder.path()) == 65)
    }
    var demo = try Settings(options: ["github": "demo"])
    #expect(await code { _ = try await onThread { [demo] in try DeviceLink(demo).account { _ in } } } == 78)
    demo.github = .live
    #expect(await code { _ = try await onThread { [demo] in try DeviceLink(demo).account { _ in } } } == 78)
  }

  @Test(
    "Links start with the public address or the listening one, and have no base if that is a wildcard",
    .shows("control 14"))
  func address() throws {
    #expect(try Settings(options: ["port": "8080"]).address(port: 8080) == "http://127.0.0.1:8080")
    #expect(try Settings(options: ["host": "::1"]).address(port: 81) == "http://[::1]:81")
    let all = try Settings(options: ["host": "0.0.0.0"])
    #expect(all.address(port: 8080) == nil && !all.hasAddress)
    let told = try Settings(options: ["host": "::", "public_url": "https://chat.example.org/"])
    #expect(told.address(port: 1) == "https://chat.example.org" && told.hasAddress)
  }
}
