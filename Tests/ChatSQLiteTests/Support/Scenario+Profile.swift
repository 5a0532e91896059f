import Chat
import TestSupport

@testable import ChatTesting

extension Scenario {
  /// A change of a person's own profile.
  mutating func profile() -> Step {
    let user = somebody()
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3:
      let picture = random.chance(30) ? nil : picture()
      return Step("picture \(picture as Any) of \(user)") { try await $0.setPicture(picture, of: user) }
    case 3:
      let (email, hash) = (
        "p\(UInt64.random(in: 101...lastNumber, using: &random))@example.org", passwordHash(of: user)
      )
      return Step("email \(email) of \(user) by \(hash)") {
        try await $0.setEmail(email, of: user, passwordHash: hash)
      }
    case 4:
      let former = random.chance(30) ? nil : passwordHash(of: user)
      let kept = random.chance(20) ? nil : state.sessions.keys.sorted().randomElement(using: &random)
      let hash = "hash \(Int.random(in: 1...500, using: &random))"
      return Step("password \(hash) of \(user) for \(former as Any), \(kept as Any)") {
        try await $0.setPassword(hash, of: user, replacing: former, keeping: kept).sorted()
      }
    default:
      func some<Value>(_ value: @autoclosure () -> Value) -> Value? { random.chance(25) ? value() : nil }
      let change = ProfileChange(
        firstName: some(name()), lastName: some(random.chance(50) ? "" : name()),
        handle: some(name() + (random.chance(50) ? "2" : "")), language: some(random.chance(40) ? nil : "de"),
        readReceipts: flag(), lastSeen: flag(),
        addedBy: random.chance(25) ? UserSettings.AddedBy.allCases.randomElement(using: &random) : nil)
      return Step("profile \(change) of \(user)") { try await $0.changeProfile(of: user, change) }
    }
  }

  /// Queries about profiles.
  mutating func profiles() -> Step {
    let id = picture().id
    return Step("picture \(id) and who hides") { store in
      let hiding = try await store.privateUsers()
      let shown = hiding.value.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "\(try await store.picture(id) as Any) \(shown) \(hiding.eventID)"
    }
  }

  /// Somebody's stored password hash, or now and then a different one.
  mutating func passwordHash(of user: UserID) -> String {
    random.chance(20) ? "another" : state.accounts[user]?.passwordHash ?? "none"
  }

  /// One of a few pictures.
  mutating func picture() -> Picture {
    let number = UInt8.random(in: 1...4, using: &random)
    return Picture(
      id: PictureID(digest: [UInt8](repeating: number, count: 32)), mediaType: "image/png", bytes: [number])
  }

  private mutating func flag() -> Bool? { random.chance(30) ? nil : random.chance(50) }
}
