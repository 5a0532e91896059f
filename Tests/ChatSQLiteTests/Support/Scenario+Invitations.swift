import Chat
import TestSupport

@testable import ChatTesting

extension Scenario {
  /// Creating and ending invitations to the instance or a room, by people or the operator.
  mutating func invitation() -> Step {
    let ((place, user), time) = (place(), time)
    let room = random.chance(40) ? place : nil
    let inviter = random.chance(20) ? nil : user
    if random.chance(30), let id = state.invitations.keys.sorted().randomElement(using: &random) {
      let (room, by) = (
        random.chance(80) ? state.invitations[id]?.invitation.roomID : room, random.chance(50) ? inviter : nil
      )
      return Step("end invitation \(id) \(room as Any) of \(by as Any)") {
        try await $0.endInvitation(id, in: room, of: by, at: time)
      }
    }
    let new = NewInvitation(
      id: newID(), secretHash: token(), roomID: room, inviterID: inviter, createdAt: time,
      expiresAt: random.chance(50) ? time.adding(seconds: Int64.random(in: 1...200, using: &random)) : nil,
      maxUses: random.chance(50) ? Int.random(in: 1...2, using: &random) : nil)
    guard !state.invitations.values.contains(where: { $0.secretHash == new.secretHash }) else {
      return Step("invitations") { try await $0.invitations(in: room, of: inviter, at: time) }
    }
    return Step("invite \(new)") { try await $0.createInvitation(new, limit: 3) }
  }

  /// Joining a room with one of the tokens.
  mutating func accept() -> Step {
    let (user, time, token) = (somebody(), time, token())
    return Step("accept \(token[0]) by \(user)") { try await $0.accept(token, by: user, at: time) }
  }

  /// Queries about invitations.
  mutating func invitations() -> Step {
    let ((place, user), time) = (place(), time)
    if random.chance(50) {
      let token = token()
      return Step("invitation \(token[0])") { store in
        let found = try await store.invitation(secretHash: token, at: time)
        guard let room = found.roomID else { return "\(found)" }
        return "\(found) \(try await store.invitedRoom(room) as Any)"
      }
    }
    let (room, inviter) = (random.chance(50) ? place : nil, random.chance(50) ? user : nil)
    return Step("invitations in \(room as Any) of \(inviter as Any)") {
      try await $0.invitations(in: room, of: inviter, at: time)
    }
  }

  /// The hash of one of a few tokens, usually of one that exists.
  mutating func token() -> [UInt8] {
    if random.chance(50), let id = state.invitations.keys.sorted().randomElement(using: &random),
      let known = state.invitations[id]?.secretHash
    {
      return known
    }
    return [UInt8](repeating: UInt8.random(in: 1...120, using: &random), count: 32)
  }
}
