import Chat

@testable import ChatTesting

extension Scenario {
  /// A change of one's own profile.
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
    case 5:
      let language = random.chance(40) ? nil : random.chance(50) ? "de" : "en"
      return Step("language \(language as Any) of \(user)") { try await $0.setLanguage(language, of: user) }
    default:
      let (reading, lastSeen) = (flag(), flag())
      return Step("settings \(reading as Any) \(lastSeen as Any) of \(user)") {
        try await $0.setSettings(of: user, readReceipts: reading, lastSeen: lastSeen)
      }
    }
  }

  /// What is known of profiles.
  mutating func profiles() -> Step {
    let id = picture().id
    return Step("picture \(id) and who hides") { store in
      let hiding = try await store.privateUsers()
      let shown = hiding.value.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "\(try await store.picture(id) as Any) \(shown) \(hiding.eventID)"
    }
  }

  /// The hash that is stored for somebody, or now and then another.
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
