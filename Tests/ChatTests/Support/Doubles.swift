import Base
import Chat
import TestSupport
@testable import ChatTesting

/// Password "hashing" in plain text that counts the calls.
final class PlainPasswords: PasswordHashing {
  struct Calls {
    var hashed = 0
    var verified: [String?] = []
  }

  let calls = Box(Calls())
  /// Awaited within each comparison.
  let gate: @Sendable () async -> Void
  /// Awaited within each hashing.
  let hashing: @Sendable () async -> Void

  init(
    gate: @escaping @Sendable () async -> Void = {}, hashing: @escaping @Sendable () async -> Void = {}
  ) {
    self.gate = gate
    self.hashing = hashing
  }

  func hash(_ password: String, for client: String) async throws -> String {
    calls.update { $0.hashed += 1 }
    await hashing()
    return "plain:" + password
  }

  func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool {
    calls.update { $0.verified.append(hash) }
    await gate()
    return hash == "plain:" + password
  }
}

/// Secrets that count up.
final class CountedSecrets: SecretSource {
  private let count = Box(0)

  func makeSecret() -> String {
    "secret-"
      + String(
        count.update {
          $0 += 1; return $0
        })
  }

  func hash(_ secret: String) -> [UInt8] { Array(secret.utf8.reversed()) }
}

/// A directory of known accounts; everything else fails.
struct FixedDirectory: Directory {
  var accounts: [GitHubAccount] = []
  var failure = DirectoryFailure(kind: .notFound, status: 404, message: "Not Found")

  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage? { throw failure }
  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage { throw failure }
  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage { throw failure }
  func quota() -> GitHubQuota { GitHubQuota(asker: .anonymous) }

  func account(login: String) async throws -> GitHubAccount {
    guard let account = accounts.first(where: { $0.login.lowercased() == login.lowercased() }) else { throw failure }
    return account
  }
}

/// Records the announcements.
final class Announcements: Announcing {
  struct Entry: Equatable {
    let json: String
    let audience: Audience
    let except: UserID?
  }

  let entries = Box<[Entry]>([])

  func announce(_ event: Event, to audience: Audience, except: UserID?) {
    var json = JSONWriter()
    json.value(event)
    let entry = Entry(json: String(decoding: json.bytes, as: UTF8.self), audience: audience, except: except)
    entries.update { $0.append(entry) }
  }
}

/// A readable frame: on the wire, a line each for id, name and data.
struct Frame: Equatable, Sendable {
  let id: EventID?
  let name: String
  let data: String

  init(id: EventID?, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }

  init(_ bytes: SharedBytes) {
    let lines = String(decoding: bytes.bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    self.init(id: EventID(lines[0]), name: String(lines[1]), data: String(lines[2]))
  }

  /// What brokers under test encode events with.
  static func encode(id: EventID?, name: String, data: [UInt8]) -> SharedBytes {
    SharedBytes(Array("\(id.map { String($0) } ?? "")\n\(name)\n".utf8) + data)
  }
}

/// A gate at which asynchronous calls wait, in order, until the test releases them.
final class Door: Sendable {
  private let waiting = Box<[CheckedContinuation<Void, Never>]>([])
  let isOpen = Box(true)

  var count: Int { waiting.value.count }

  func pass() async {
    guard !isOpen.value else { return }
    await withCheckedContinuation { continuation in waiting.update { $0.append(continuation) } }
  }

  /// Releases one call.
  func release(_ index: Int = 0) {
    waiting.update { $0.indices.contains(index) ? $0.remove(at: index) : nil }?.resume()
  }

  /// Releases all calls, now and later.
  func open() {
    isOpen.value = true
    while count > 0 { release() }
  }

  func close() { isOpen.value = false }
}
