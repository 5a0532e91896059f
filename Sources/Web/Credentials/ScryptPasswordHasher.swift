import Chat
import Crypto
import CryptoExtras

/// Passwords by scrypt (RFC 7914), off the event loops, two at once (SECURITY 5).
///
/// A hash is stored as `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, salt and key in hexadecimal, so that the cost can be
/// raised later without touching what is stored.
public final class ScryptPasswordHasher: PasswordHashing {
  /// How much work a hash is. Memory is 128·N·r bytes; time grows with N·r·p.
  public struct Cost: Sendable, Hashable {
    /// The base-2 logarithm of N.
    public var logRounds: Int
    /// r.
    public var blockSize: Int
    /// p.
    public var parallelism: Int

    /// A cost from its parts: by default about 0.2 s and 32 MiB.
    public init(logRounds: Int = 15, blockSize: Int = 8, parallelism: Int = 3) {
      self.logRounds = logRounds
      self.blockSize = blockSize
      self.parallelism = parallelism
    }
  }

  private let cost: Cost
  private let workers: PasswordWorkers
  /// What unknown addresses are compared with, so that they take as long as known ones (SECURITY 7).
  private let dummy: StoredHash

  /// A hasher that makes new hashes at `cost`; at most `queueLimit` calls wait, more are refused with `.unavailable`.
  public init(cost: Cost = Cost(), queueLimit: Int = 256) {
    self.cost = cost
    workers = PasswordWorkers(count: 2, queueLimit: queueLimit)
    dummy = StoredHash(cost: cost, salt: StoredHash.makeSalt(), key: [UInt8](repeating: 0, count: 32))
  }

  /// The hash with its parameters and a fresh salt.
  public func hash(_ password: String) async throws -> String {
    let (cost, salt) = (cost, StoredHash.makeSalt())
    return try await workers.run {
      let key = try StoredHash.deriveKey(password, salt: salt, cost: cost, count: 32)
      return StoredHash(cost: cost, salt: salt, key: key.withUnsafeBytes { Array($0) }).description
    }
  }

  /// Whether `password` gives `hash`. Nil, or a text that is no hash, costs as much and is false.
  public func verify(_ password: String, against hash: String?) async throws -> Bool {
    let known = hash.flatMap { StoredHash($0) }
    let stored = known ?? dummy
    let matches = try await workers.run {
      let key = try StoredHash.deriveKey(password, salt: stored.salt, cost: stored.cost, count: stored.key.count)
      // `SymmetricKey` compares in constant time.
      return key == SymmetricKey(data: stored.key)
    }
    return matches && known != nil
  }
}

/// A stored hash, taken apart.
struct StoredHash: Sendable, CustomStringConvertible {
  var cost: ScryptPasswordHasher.Cost
  var salt: [UInt8]
  var key: [UInt8]

  init(cost: ScryptPasswordHasher.Cost, salt: [UInt8], key: [UInt8]) {
    self.cost = cost
    self.salt = salt
    self.key = key
  }

  /// The hash that `text` writes, or nil; costs beyond a GiB or so are refused, lest a stored text stall the program.
  init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "scrypt",
      let logRounds = Int(parts[1]), (1...20).contains(logRounds),
      let blockSize = Int(parts[2]), (1...32).contains(blockSize),
      let parallelism = Int(parts[3]), (1...16).contains(parallelism),
      let salt = Hexadecimal.bytes(parts[4]), salt.count >= 8,
      let key = Hexadecimal.bytes(parts[5]), key.count >= 16
    else { return nil }
    cost = ScryptPasswordHasher.Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    self.salt = salt
    self.key = key
  }

  var description: String {
    "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(Hexadecimal.text(salt))$\(Hexadecimal.text(key))"
  }

  static func makeSalt() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  static func deriveKey(
    _ password: String, salt: [UInt8], cost: ScryptPasswordHasher.Cost, count: Int
  ) throws -> SymmetricKey {
    try KDF.Scrypt.deriveKey(
      from: Array(password.utf8), salt: salt, outputByteCount: count, rounds: 1 << cost.logRounds,
      blockSize: cost.blockSize, parallelism: cost.parallelism)
  }
}
