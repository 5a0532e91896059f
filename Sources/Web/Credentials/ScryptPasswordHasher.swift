import Chat
import Crypto
import CryptoExtras

/// Hashes passwords with scrypt (RFC 7914), off the event loops, two at a time.
///
/// A hash is stored as `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, salt and key in hexadecimal, so that the cost can be
/// raised later without affecting stored hashes.
package final class ScryptPasswordHasher: PasswordHashing {
  /// The cost of a hash. Memory is 128·N·r bytes; time grows with N·r·p.
  package struct Cost: Sendable, Hashable {
    /// The base-2 logarithm of N.
    package var logRounds: Int
    /// The block size, r.
    package var blockSize: Int
    /// The parallelism, p.
    package var parallelism: Int

    /// The default takes about 0.2 s and 32 MiB.
    package init(logRounds: Int = 15, blockSize: Int = 8, parallelism: Int = 3) {
      self.logRounds = logRounds
      self.blockSize = blockSize
      self.parallelism = parallelism
    }
  }

  private let cost: Cost
  private let workers: PasswordWorkers
  /// The hash that passwords for unknown addresses are compared with, so that they take as long as known ones.
  private let dummy: StoredHash

  /// Creates new hashes at `cost`. At most `queueLimit` calls wait; more throw `.unavailable`.
  package init(cost: Cost = Cost(), queueLimit: Int = 256) {
    self.cost = cost
    workers = PasswordWorkers(count: 2, queueLimit: queueLimit)
    dummy = StoredHash(cost: cost, salt: StoredHash.makeSalt(), key: [UInt8](repeating: 0, count: 32))
  }

  /// The hash with its parameters and a fresh salt.
  package func hash(_ password: String, for client: String) async throws -> String {
    let (cost, salt) = (cost, StoredHash.makeSalt())
    return try await workers.run(for: client) {
      let key = try StoredHash.deriveKey(password, salt: salt, cost: cost, count: 32)
      return StoredHash(cost: cost, salt: salt, key: key.withUnsafeBytes { Array($0) }).description
    }
  }

  /// Whether `password` matches `hash`. Nil, or an invalid hash, takes as long and is false.
  package func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool {
    let known = hash.flatMap { StoredHash($0) }
    let stored = known ?? dummy
    let matches = try await workers.run(for: client) {
      let key = try StoredHash.deriveKey(password, salt: stored.salt, cost: stored.cost, count: stored.key.count)
      // `SymmetricKey` compares in constant time.
      return key == SymmetricKey(data: stored.key)
    }
    return matches && known != nil
  }
}

/// A parsed hash.
struct StoredHash: Sendable, CustomStringConvertible {
  var cost: ScryptPasswordHasher.Cost
  var salt: [UInt8]
  var key: [UInt8]

  init(cost: ScryptPasswordHasher.Cost, salt: [UInt8], key: [UInt8]) {
    self.cost = cost
    self.salt = salt
    self.key = key
  }

  /// Parses `text`; nil if it is invalid. Rejects costs beyond about a GiB, so that a stored text cannot stall the
  /// program.
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
