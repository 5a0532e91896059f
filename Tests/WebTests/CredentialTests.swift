import Chat
import Synchronization
import Testing

@testable import Web

@Suite("Credentials and addresses")
struct CredentialTests {
  /// Small enough for a test, large enough to be scrypt.
  private static let cost = ScryptPasswordHasher.Cost(logRounds: 4, blockSize: 2, parallelism: 1)

  @Test("SECURITY 5 A password fits its own hash alone; salt and cost are stored with it")
  func scrypt() async throws {
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    let (hash, other) = (try await hasher.hash("correct horse"), try await hasher.hash("correct horse"))
    #expect(hash != other && hash.hasPrefix("scrypt$4$2$1$") && !hash.contains("horse"))
    #expect(try await hasher.verify("correct horse", against: hash))
    #expect(try await !hasher.verify("correct horsf", against: hash))
    #expect(try await !hasher.verify("", against: hash))
    // One that was stored at another cost still fits.
    let stronger = ScryptPasswordHasher(cost: ScryptPasswordHasher.Cost(logRounds: 6, blockSize: 2, parallelism: 2))
    #expect(try await stronger.verify("correct horse", against: hash))
    #expect(try await stronger.hash("x").hasPrefix("scrypt$6$2$2$"))
    let usual = ScryptPasswordHasher.Cost()
    #expect(usual.logRounds == 15 && usual.blockSize == 8 && usual.parallelism == 3)
  }

  @Test("SECURITY 5 The key is that of RFC 7914 section 12")
  func vector() async throws {
    let stored =
      "scrypt$14$8$1$536f6469756d43686c6f72696465"
      + "$7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
      + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
    #expect(StoredHash(stored)?.description == stored)
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    #expect(try await hasher.verify("pleaseletmein", against: stored))
    #expect(try await !hasher.verify("pleaseletmeout", against: stored))
  }

  @Test("SECURITY 7 Nobody's password, and one whose hash is damaged, is compared with a dummy, and wrong")
  func dummy() async throws {
    let hasher = ScryptPasswordHasher(cost: Self.cost)
    #expect(try await !hasher.verify("x", against: nil))
    let good = try await hasher.hash("x")
    for bad in [
      "", "scrypt", "bcrypt$4$2$1$00$00", "scrypt$99$2$1$0011223344556677$\(String(repeating: "00", count: 32))",
      "scrypt$4$0$1$0011223344556677$\(String(repeating: "00", count: 32))", good + "0",
      good.replacing("$4$", with: "$x$"),
      String(good.dropLast(40)),
    ] {
      #expect(StoredHash(bad) == nil, "\(bad)")
      #expect(try await !hasher.verify("x", against: bad))
    }
  }

  /// How many run at once.
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

  @Test("SECURITY 5 Two are computed at once, the others wait in order, and too many are refused")
  func workers() async throws {
    let workers = PasswordWorkers(count: 2, queueLimit: 4)
    let running = Running()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do {
            try await workers.run {
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
    // All that waited has been served, so there is room again.
    #expect(try await workers.run { 7 } == 7)
    let none = PasswordWorkers(count: 0, queueLimit: 0)
    await #expect(throws: ChatError.unavailable("Too many people sign in at once. Try again in a moment.")) {
      try await none.run { 7 }
    }
  }

  @Test("SECURITY 1 A session's secret is 256 random bits, of which SHA-256 is kept")
  func secrets() {
    let source = SHA256Secrets()
    let secrets = Set((0..<100).map { _ in source.makeSecret() })
    #expect(secrets.count == 100 && secrets.allSatisfy { Hexadecimal.bytes($0)?.count == 32 })
    #expect(
      Hexadecimal.text(source.hash("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Hexadecimal.bytes("0") == nil && Hexadecimal.bytes("0g") == nil && Hexadecimal.bytes("AB") == nil)
  }

  @Test(
    "SECURITY 6 An address counts as itself, of IPv6 the first 64 bits",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
      ("2001:db8:1:2::6", "2001:db8:1:2::/64"), ("2001:db8::6", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"),
      ("fe80::1%eth0", "fe80:0:0:0::/64"), ("2001:db8:1::", "2001:db8:1:0::/64"), ("1::2:3:4:5", "1:0:0:0::/64"),
    ])
  func clientAddress(_ address: String, _ key: String) {
    #expect(ClientAddress.key(of: address) == key)
  }

  @Test("A cursor travels in a query and comes back the same, also with a name of any characters")
  func cursors() throws {
    let user = UserCursor(name: "Ä. b.c %&=", id: UserID(at: Timestamp(milliseconds: 5)))
    #expect(try PageCursor.user(PageCursor.text(user)) == user)
    let room = RoomCursor(isPinned: true, position: -7)
    #expect(try PageCursor.room(PageCursor.text(room)) == room)
    #expect(try PageCursor.user(nil) == nil && PageCursor.room(nil) == nil)
  }
}
