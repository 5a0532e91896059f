/// Inviting people to this Hubbub (A3), and into groups (R1). Callable from any thread; all errors are `ChatError`.
public final class Invitations: Sendable {
  /// How many open invitations a person, or a room, can have.
  public static let limit = 100
  /// The longest and shortest time that an invitation can be given, in seconds: a minute to a year.
  public static let lifetimes = 60...31_536_000
  /// How many uses can be set.
  public static let useCounts = 1...100_000

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

  /// Makes an invitation to the instance; `token` is told this once. `expiresIn` is in seconds. Throws `.invalid` at
  /// `expires_in` or `max_uses`, `.forbidden` for who may not invite, `.conflict` beyond the limit.
  public func create(
    by user: UserID, expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await requireInviter(user)
    return try await make(by: user, into: nil, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// Makes an invitation into a group; `token` is told this once. Throws as above, and `.notFound` for who is not in it,
  /// `.forbidden` for who is neither owner nor admin, `.conflict` in a direct room.
  public func create(
    into room: RoomID, by user: UserID, expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await make(by: user, into: room, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// The open invitations into a group, newest first. For owner and admins.
  public func list(into room: RoomID, for user: UserID) async throws -> [Invitation] {
    try await requireModerator(user, of: room)
    return try await store.invitations(in: room, of: nil, at: clock.now)
  }

  /// Ends an invitation into a group. For owner and admins; throws `.notFound`.
  public func end(_ id: InvitationID, into room: RoomID, by user: UserID) async throws {
    try await requireModerator(user, of: room)
    guard try await store.endInvitation(id, in: room, of: nil, at: clock.now) else { throw ChatError.notFound }
  }

  /// Lets the asker into the room of the invitation with this token. Throws `.notFound` where there never was one, `.over`
  /// where it is not open any more, `.conflict` where it leads into no room or the room is full, `.forbidden` for the
  /// banned.
  public func accept(token: String, by user: UserID) async throws -> Room {
    try await store.accept(secrets.hash(token), by: user, at: clock.now)
  }

  /// Makes an invitation in the operator's name, whatever the mode of registration: also the first account of an instance
  /// by invite comes in with one.
  public func createForOperator(
    expiresIn: Int? = nil, maxUses: Int? = nil
  ) async throws -> (invitation: Invitation, token: String) {
    try await make(by: nil, into: nil, expiresIn: expiresIn, maxUses: maxUses)
  }

  /// The open invitations to the instance, newest first: one's own, for an admin everybody's.
  public func list(for user: UserID) async throws -> [Invitation] {
    try await store.invitations(in: nil, of: scope(of: user), at: clock.now)
  }

  /// Ends an invitation to the instance: one's own, for an admin anybody's. Throws `.notFound`.
  public func end(_ id: InvitationID, by user: UserID) async throws {
    guard try await store.endInvitation(id, in: nil, of: scope(of: user), at: clock.now) else {
      throw ChatError.notFound
    }
  }

  /// The open invitation with this token. Throws `.notFound` where there never was one, `.over` for one that is expired,
  /// used up or ended.
  public func invitation(token: String) async throws -> Invitation {
    try await store.invitation(secretHash: secrets.hash(token), at: clock.now)
  }

  /// Whether somebody without an account can make one with an open invitation. By invite, only admins decide who comes in:
  /// what anybody makes for a group of his own is for people who have an account.
  public func makesAccounts(_ invitation: Invitation) async throws -> Bool {
    switch registration {
    case .open: return true
    case .github, .closed: return false
    case .invite:
      guard invitation.roomID != nil, let inviter = invitation.inviter else { return true }
      return try await isAdmin(inviter.id)
    }
  }

  /// Checks what an invitation may be limited to. Throws `.invalid` with every wrong field.
  public static func check(expiresIn: Int?, maxUses: Int?) throws(ChatError) {
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
    guard known.kind == .group else { throw ChatError.conflict("Nobody else can come into a direct chat.") }
    guard known.role?.isModerator == true else { throw ChatError.forbidden("Owner and admins invite to this group.") }
  }

  /// Where everybody can sign up, an invitation is just a link with a name on it; where it opens a door, the admin decides.
  private func requireInviter(_ user: UserID) async throws {
    switch registration {
    case .open: return
    case .invite:
      guard try await isAdmin(user) else { throw ChatError.forbidden("Only admins invite to this Hubbub.") }
    case .github, .closed:
      throw ChatError.forbidden("Invitations lead nowhere: accounts on this Hubbub are not made by signing up.")
    }
  }

  /// Whose invitations a person sees: nil for all.
  private func scope(of user: UserID) async throws -> UserID? { try await isAdmin(user) ? nil : user }

  private func isAdmin(_ user: UserID) async throws -> Bool { try await store.ownUser(user)?.isAdmin ?? false }
}
