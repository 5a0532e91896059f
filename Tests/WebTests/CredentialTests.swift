import Chat
import HTTPServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("Credentials and addresses")
struct CredentialTests {
  /// Small enough for a test, large enough to be scrypt.
  private static let cost = ScryptPasswordHasher.Cost(logRounds: 4, blockSize: 2, parallelism: 1)

  @Test("A password matches only its own hash; salt and cost are stored with it", .shows("control 5"))
  func scrypt() async throws {
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    let (hash, other) = (
      try await hasher.hash("correct horse", for: "test"), try await hasher.hash("correct horse", for: "test")
    )
    #expect(hash != other && hash.hasPrefix("scrypt$4$2$1$") && !hash.contains("horse"))
    #expect(try await hasher.verify("correct horse", against: hash, for: "test"))
    #expect(try await !hasher.verify("correct horsf", against: hash, for: "test"))
    #expect(try await !hasher.verify("", against: hash, for: "test"))
    // A hash stored with a different cost still matches.
    let stronger = ScryptPasswordHasher(cost: ScryptPasswordHasher.Cost(logRounds: 6, blockSize: 2, parallelism: 2))
    #expect(try await stronger.verify("correct horse", against: hash, for: "test"))
    #expect(try await stronger.hash("x", for: "test").hasPrefix("scrypt$6$2$2$"))
    let usual = ScryptPasswordHasher.Cost()
    #expect(usual.logRounds == 15 && usual.blockSize == 8 && usual.parallelism == 3)
  }

  @Test("The key is that of RFC 7914 section 12", .shows("control 5"))
  func vector() async throws {
    let stored =
      "scrypt$14$8$1$536f6469756d43686c6f72696465"
      + "$7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
      + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
    #expect(StoredHash(stored)?.description == stored)
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    #expect(try await hasher.verify("pleaseletmein", against: stored, for: "test"))
    #expect(try await !hasher.verify("pleaseletmeout", against: stored, for: "test"))
  }

  @Test("Without a hash, or with a damaged one, a password is compared with a dummy, and is wrong", .shows("control 7"))
  func dummy() async throws {
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    #expect(try await !hasher.verify("x", against: nil, for: "test"))
    let good = try await hasher.hash("x", for: "test")
    for bad in [
      "", "scrypt", "bcrypt$4$2$1$00$00", "scrypt$99$2$1$0011223344556677$\(String(repeating: "00", count: 32))",
      "scrypt$4$0$1$0011223344556677$\(String(repeating: "00", count: 32))", good + "0",
      good.replacing("$4$", with: "$x$"),
      String(good.dropLast(40)),
    ] {
      #expect(StoredHash(bad) == nil, "\(bad)")
      #expect(try await !hasher.verify("x", against: bad, for: "test"))
    }
  }

  /// Counts how many run at once.
  private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() { counts.withLock { $0.now -= 1 } }
  }

  @Test("Two are computed at once, the others wait in order, and too many are refused", .shows("control 5"))
  func workers() async throws {
    let workers = PasswordWorkers(count: 2, queueLimit: 4)
    let running = Running()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do {
            try await workers.run(for: "test") {
              running.begin()
              var sum = 0.0
              for number in 1...20_000 { sum += Double(number).squareRoot() }
              running.end()
              #expect(sum > 0)
            }
            return true
          } catch ChatError.unavailable {
            return false
          }
        }
      }
      var served = 0
      for try await isServed in group where isServed { served += 1 }
      #expect(served >= 6)
    }
    #expect((1...2).contains(running.most))
    // All waiting jobs have run, so there is room again.
    #expect(try await workers.run(for: "test") { 7 } == 7)
    let none = PasswordWorkers(count: 0, queueLimit: 0)
    await #expect(throws: ChatError.unavailable("Too many people sign in at once. Try again in a moment.")) {
      try await none.run(for: "test") { 7 }
    }
  }

  @Test("A session's secret has 256 random bits; only its SHA-256 is stored", .shows("control 1"))
  func secrets() {
    let source = SHA256Secrets()
    let secrets = Set((0..<100).map { _ in source.makeSecret() })
    #expect(secrets.count == 100 && secrets.allSatisfy { Hexadecimal.bytes($0)?.count == 32 })
    #expect(
      Hexadecimal.text(source.hash("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Hexadecimal.bytes("0") == nil && Hexadecimal.bytes("0g") == nil && Hexadecimal.bytes("AB") == nil)
  }

  @Test(
    "IPv4 addresses count individually, IPv6 by their first 64 bits", .shows("control 6"),
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
      ("2001:db8:1:2::6", "2001:db8:1:2::/64"), ("2001:db8::6", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"),
      ("fe80::1%eth0", "fe80:0:0:0::/64"), ("2001:db8:1::", "2001:db8:1:0::/64"), ("1::2:3:4:5", "1:0:0:0::/64"),
    ])
  func clientAddress(_ address: String, _ key: String) {
    #expect(ClientAddress.key(of: address) == key)
  }

  @Test("A cursor round-trips through a query, even with arbitrary characters in a name")
  func cursors() throws {
    let user = UserCursor(name: "Ä. b.c %&=", id: UserID(at: Timestamp(milliseconds: 5)))
    #expect(try PageCursor.user(PageCursor.text(user)) == user)
    let room = RoomCursor(isPinned: true, position: -7)
    #expect(try PageCursor.room(PageCursor.text(room)) == room)
    #expect(try PageCursor.user(nil) == nil && PageCursor.room(nil) == nil)
  }

  @Test(
    "Clients take turns: one with many jobs waits only for itself, and is evicted first",
    .shows("control 5"))
  func turns() {
    var queue = FairQueue<String, String>(limit: 6)
    for number in 1...6 { #expect(queue.append("eve \(number)", of: "eve") == nil) }
    #expect(queue.append("eve 7", of: "eve") == "eve 7", "her own newest")
    #expect(queue.append("ada", of: "ada") == "eve 6" && queue.append("bob", of: "bob") == "eve 5")
    var order: [String] = []
    while let next = queue.next() { order.append(next.element) }
    #expect(order == ["eve 1", "ada", "bob", "eve 2", "eve 3", "eve 4"])
    #expect(queue.count == 0 && queue.append("again", of: "eve") == nil && queue.next()?.element == "again")
    for element in ["eve a", "eve b", "ada a", "bob a"] { _ = queue.append(element, of: String(element.prefix(3))) }
    let taken = (0..<3).compactMap { _ in queue.next() }
    #expect(taken.map(\.element) == ["eve a", "ada a", "bob a"])
    queue.putBack(taken.dropFirst())
    // What was taken out and not used is next, in its order.
    #expect((0..<4).map { _ in queue.next()?.element } == ["ada a", "bob a", "eve b", nil] && queue.isEmpty)
    var none = FairQueue<String, Int>(limit: 0)
    #expect(none.append(1, of: "a") == 1 && none.next() == nil)
  }
}
