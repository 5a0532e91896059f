/// Invitations to this Hubbub and to groups. Callable from any thread; all errors are `ChatError`.
package final class Invitations: Sendable {
  /// The maximum number of open invitations per person or room.
  package static let limit = 100
  /// The permitted lifetimes in seconds: a minute to a year.
  package static let lifetimes = 60...31_536_000
  /// The permitted number of uses.
  package static let useCounts = 1...100_000

  private let store: any ChatStore
  private let secrets: any SecretSource
  private let clock: any ChatClock
  private let registration: RegistrationMode

  init(store: any ChatStore, secrets: any SecretSource, clock: any ChatClock, registration: RegistrationMode) {
    self.store = store
    self.secrets = secrets
    self.clock = clock
    self.registration = registration
  }

  /// Creates an invitation to the instance; `token` is returned only here. `expiresIn` is in seconds. Throws `.invalid`
  /// at `expires_in` or `max_uses`, `.forbidden` without permission to invite, `.conflict` beyond the limit.
  package func create(
    by user: UserID, expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await requireInviter(user)
    return try await make(by: user, into: nil, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// Creates an invitation to a group; `token` is returned only here. Throws as above, and `.notFound` for non-members,
  /// `.forbidden` unless owner or admin, `.conflict` in a direct room.
  package func create(
    into room: RoomID, by user: UserID, expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await make(by: user, into: room, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// The open invitations to a group, newest first. For owner and admins.
  package func list(into room: RoomID, for user: UserID) async throws -> [Invitation] {
    try await requireModerator(user, of: room)
    return try await store.invitations(in: room, of: nil, at: clock.now)
  }

  /// Ends an invitation to a group. For owner and admins; throws `.notFound`.
  package func end(_ id: InvitationID, into room: RoomID, by user: UserID) async throws {
    try await requireModerator(user, of: room)
    guard try await store.endInvitation(id, in: room, of: nil, at: clock.now) else { throw ChatError.notFound }
  }

  /// Accepts the invitation with this token. Throws `.notFound` for an unknown one, `.over` if it is no longer open,
  /// `.conflict` if it leads to no room or the room is full, `.forbidden` for banned people.
  package func accept(token: String, by user: UserID) async throws -> Room {
    try await store.accept(secrets.hash(token), by: user, at: clock.now)
  }

  /// Creates an invitation for the operator, whatever the registration mode; if that is by invite, the first account
  /// needs one.
  package func createForOperator(
    expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await make(by: nil, into: nil, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// The open invitations to the instance, newest first: the person's own, or for admins all.
  package func list(for user: UserID) async throws -> [Invitation] {
    try await store.invitations(in: nil, of: scope(of: user), at: clock.now)
  }

  /// Ends an invitation to the instance: the person's own, or for admins any. Throws `.notFound`.
  package func end(_ id: InvitationID, by user: UserID) async throws {
    guard try await store.endInvitation(id, in: nil, of: scope(of: user), at: clock.now) else {
      throw ChatError.notFound
    }
  }

  /// The open invitation with this token. Throws `.notFound` for an unknown one, `.over` if it has expired, is used up,
  /// or was ended.
  package func invitation(token: String) async throws -> Invitation {
    try await store.invitation(secretHash: secrets.hash(token), at: clock.now)
  }

  /// Whether an open invitation allows creating an account. If registration is by invite, only admins decide that:
  /// others' group invitations are for people with an account.
  package func makesAccounts(_ invitation: Invitation) async throws -> Bool {
    switch registration {
    case .open: return true
    case .github, .closed: return false
    case .invite:
      guard invitation.roomID != nil, let inviter = invitation.inviter else { return true }
      return try await isAdmin(inviter.id)
    }
  }

  /// Checks lifetime and number of uses. Throws `.invalid` with every wrong field.
  package static func check(expiresIn: Int?, maxUses: Int?) throws(ChatError) {
    var errors: [FieldError] = []
    if let expiresIn, !lifetimes.contains(expiresIn) {
      errors.append(
        FieldError(field: "expires_in", code: "invalid", detail: "Give the seconds until it ends: a minute to a year."))
    }
    if let maxUses, !useCounts.contains(maxUses) {
      errors.append(FieldError(field: "max_uses", code: "invalid", detail: "Give a number from 1 to 100,000."))
    }
    if !errors.isEmpty { throw .invalid(errors) }
  }

  private func make(
    by user: UserID?, into room: RoomID?, expiresIn: Int?, maxUses: Int?
  ) async throws -> (invitation: Invitation, token: String) {
    try Invitations.check(expiresIn: expiresIn, maxUses: maxUses)
    let (token, now) = (secrets.makeSecret(), clock.now)
    let new = NewInvitation(
      id: InvitationID(at: now), secretHash: secrets.hash(token), roomID: room, inviterID: user, createdAt: now,
      expiresAt: expiresIn.map { now.adding(seconds: Int64($0)) }, maxUses: maxUses)
    return (try await store.createInvitation(new, limit: Invitations.limit), token)
  }

  private func requireModerator(_ user: UserID, of room: RoomID) async throws {
    let known = try await store.room(room, for: user).value
    guard known.kind == .group else { throw ChatError.conflict("Nobody else can join a direct chat.") }
    guard known.role?.isModerator == true else {
      throw ChatError.forbidden("Only the owner and admins can invite people to this group.")
    }
  }

  /// If anyone can sign up, anyone may invite; otherwise only admins.
  private func requireInviter(_ user: UserID) async throws {
    switch registration {
    case .open: return
    case .invite:
      guard try await isAdmin(user) else { throw ChatError.forbidden("Only admins can invite people to this Hubbub.") }
    case .github, .closed:
      throw ChatError.forbidden("Nobody can sign up on this Hubbub, so invitations are of no use.")
    }
  }

  /// The inviter whose invitations a person sees; nil for all.
  private func scope(of user: UserID) async throws -> UserID? { try await isAdmin(user) ? nil : user }

  private func isAdmin(_ user: UserID) async throws -> Bool { try await store.ownUser(user)?.isAdmin ?? false }
}
