import ArgumentParser
import Chat
import ChatSQLite
import FoundationEssentials
import Testing
import Web

@testable import hubbub

@Suite("hubbub user (A3, A5)", .serialized)
struct UserCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "hubbub-user-\(UUID().uuidString)")

  private func settings() throws -> Settings { try Settings(options: ["data": folder.path()]) }

  private func inFolder(_ body: () async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  /// The exit code that `body` throws; 0 for none.
  private func code(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return 0
    } catch {
      return Hubbub.exitCode(for: error).rawValue
    }
  }

  private func run(_ arguments: String...) -> Int32 {
    code {
      var command = try Hubbub.parseAsRoot(["user"] + arguments)
      try command.run()
    }
  }

  @Test("A3 An invitation of the operator's makes the first account of an empty instance by invite, its admin")
  func invites() async throws {
    try await inFolder {
      let settings = try settings()
      let token = try OperatorSession(settings, mayBegin: true).run { hands in
        try await hands.accounts.invitations.createForOperator(expiresIn: 3600, maxUses: 1).token
      }
      #expect(run("invite", "--data", folder.path(), "--public-url", "https://chat.example.org") == 0)
      let store = try SQLiteStore(path: settings.data + "/hubbub.sqlite", presence: NobodyOnline())
      let hash = SHA256Secrets().hash(token)
      let now = Timestamp(milliseconds: 1_800_000_000_000)
      let account = NewAccount(
        id: UserID(at: now), email: "ada@example.org", passwordHash: "hash", firstName: "Ada", lastName: "",
        createdAt: Timestamp(milliseconds: 1000), invitation: hash)
      #expect(try await store.createAccount(account).isAdmin)
      #expect(try await store.invitation(secretHash: hash, at: account.createdAt) == nil)
      // While somebody holds the data, nothing is done.
      #expect(run("list", "--data", folder.path()) == 73)
      store.close()
      #expect(run("list", "--data", folder.path()) == 0)
      let listed = try OperatorSession(settings).run { try await $0.store.accounts() }
      #expect(listed.map(\.email) == ["ada@example.org"] && listed.first?.isAdmin == true)
    }
  }

  @Test("A5 The operator sets a password and ends that person's sessions; what fails has its exit code")
  func passwords() async throws {
    try await inFolder {
      let settings = try settings()
      #expect(run("list", "--data", folder.path()) == 73, "there is no data yet, and none is made")
      #expect(!FileManager.default.fileExists(atPath: settings.data))
      _ = try OperatorSession(settings, mayBegin: true).run { hands in
        try await hands.accounts.signUp(
          email: "ada@example.org", password: "a long and private phrase", firstName: "Ada", lastName: "",
          userAgent: "", address: "")
      }
      func reset(_ email: String, _ password: String) -> Int32 {
        code {
          try OperatorSession(settings).run { try await $0.accounts.resetPassword(email: email, to: password) }
        }
      }
      #expect(reset("eve@example.org", "difference engine") == 67)
      #expect(reset("ada@example.org", "short") == 65)
      #expect(reset("ada@example.org", "difference engine") == 0)
      let signedIn = try OperatorSession(settings).run { hands in
        try await hands.accounts.signIn(
          email: "ada@example.org", password: "difference engine", userAgent: "", address: "")
      }
      let sessions = try OperatorSession(settings).run { hands in
        try await hands.store.sessions(of: signedIn.session.userID, at: signedIn.session.createdAt)
      }
      #expect(sessions.map(\.id) == [signedIn.session.id], "the session of before is gone")
    }
  }

  @Test("Wrong usage is 64, what is no database 73, and other failures say so")
  func failures() async throws {
    try await inFolder {
      #expect(run("invite", "--uses", "0") == 64)
      #expect(run("invite", "--days", "400") == 64)
      #expect(run("password") == 64)
      #expect(run("list", "--public-url", "nonsense") == 64)
      #expect(run("list", "--config", folder.path() + "/none.json") == 64)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(repeating: 65, count: 5000).write(to: folder.appending(path: "hubbub.sqlite"))
      #expect(run("list", "--data", folder.path()) == 73)
      #expect(run("invite", "--data", folder.path() + "/hubbub.sqlite") == 73)
      let fresh = try Settings(options: ["data": folder.path() + "/fresh"])
      for error in [ChatError.storageFull, .unavailable("x")] {
        #expect(code { try OperatorSession(fresh, mayBegin: true).run { _ in throw error } } == 73)
      }
    }
  }
}
