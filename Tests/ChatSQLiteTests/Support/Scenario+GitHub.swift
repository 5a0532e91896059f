import Chat

@testable import ChatTesting

extension Scenario {
  /// Signing in with GitHub, linking, unlinking, the first address and password.
  mutating func gitHub() -> Step {
    let (account, user, time) = (account(), somebody(), time)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3:
      let doors: [GitHubArrival.Door] = [
        .shut, .invitation(token()), .open(invitation: nil), .open(invitation: token()),
      ]
      let arrival = GitHubArrival(
        account: account, newID: newID(), door: doors.randomElement(using: &random) ?? .shut, time: time)
      return Step("enter \(arrival)") { try await $0.enter(arrival) }
    case 3..<8:
      return Step("link \(account) to \(user)") { try await $0.linkGitHub(account, to: user, at: time) }
    case 8..<10:
      return Step("unlink \(user)") { try await $0.unlinkGitHub(of: user) }
    case 10:
      let email = "p\(UInt64.random(in: 101...lastNumber, using: &random))@example.org"
      return Step("first email \(email) of \(user)") { try await $0.setFirstEmail(email, of: user) }
    default:
      let kept = state.sessions.keys.sorted().randomElement(using: &random) ?? id(7)
      return Step("first password of \(user), keeping \(kept)") {
        try await $0.setFirstPassword("first", of: user, keeping: kept).sorted()
      }
    }
  }

  /// A guest with a waiting chat, the subject of linking.
  mutating func guestChat() -> Step {
    let (account, guest, user, room, time) = (account(), newID() as UserID, somebody(), newID() as RoomID, time)
    return Step("\(user) writes to \(account)") { store in
      let person = try await store.person(for: account, newID: guest, at: time)
      return "\(try await store.openDirectRoom(of: user, with: person.id, newID: room, at: time))"
    }
  }
}
