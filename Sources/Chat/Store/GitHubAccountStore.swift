/// Accounts that are known by GitHub's word (A1, A6, D7). The same promises as at `ChatStore`.
///
/// The key is GitHub's numeric id. What GitHub says of an account now (login, name, picture) is kept by each of these
/// functions, as by `saveGitHubAccount`.
public protocol GitHubAccountStore: Sendable {
  /// Lets the person in who is this GitHub account: who has an account here; else who was written to before he came,
  /// and who becomes a member with all that waited; else somebody new. The first account of the instance is its admin.
  /// Logs `user.updated` for everyone where a known person changes. Throws `.notFound` where an account would have to be
  /// made and the door is shut, `.invalid` at `invitation`.
  func enter(_ arrival: GitHubArrival) async throws -> GitHubEntrance
  /// Gives a member this GitHub account, and all that waited for it: chats and groups of a guest become the member's own,
  /// in one transaction. Again: no change. Throws `.invalid` at `github` with `taken` where another member has it, or
  /// `linked` where this one has another.
  func linkGitHub(_ account: GitHubAccount, to user: UserID, at time: Timestamp) async throws -> OwnUser
  /// Takes a member's GitHub account away; what was written stays. Logs `user.updated`. Throws `.conflict` unless there
  /// are an address and a password to come in with. Again: no change.
  func unlinkGitHub(of user: UserID) async throws -> OwnUser
  /// Gives a password to a member who has none, and ends all sessions but one; returns those ended. Throws
  /// `.unauthenticated` where there is one by now.
  func setFirstPassword(_ hash: String, of user: UserID, keeping kept: SessionID) async throws -> [SessionID]
  /// Gives an address to a member who has no password. Throws `.unauthenticated` where there is one by now, `.invalid` with
  /// `taken` at `email`.
  func setFirstEmail(_ email: String, of user: UserID) async throws -> OwnUser
}

/// Somebody who comes by GitHub's word.
public struct GitHubArrival: Sendable {
  /// Whether who has no account gets one.
  public enum Door: Hashable, Sendable {
    /// No.
    case shut
    /// By an open invitation, by its token's hash, which is used up by one and leads into its room.
    case invitation([UInt8])
    /// Yes; an invitation that is still open leads into its room, one that is not does not matter.
    case open(invitation: [UInt8]?)
  }

  /// Who GitHub says it is.
  public var account: GitHubAccount
  /// The id of a new person.
  public var newID: UserID
  /// Whether an account may be made.
  public var door: Door
  /// When this happens.
  public var time: Timestamp

  /// An arrival from its parts.
  public init(account: GitHubAccount, newID: UserID, door: Door, time: Timestamp) {
    self.account = account
    self.newID = newID
    self.door = door
    self.time = time
  }
}

/// Who was let in.
public struct GitHubEntrance: Hashable, Sendable {
  /// The person.
  public var own: OwnUser
  /// Whether the account was made now.
  public var isNew: Bool
  /// Where its invitation led.
  public var roomID: RoomID?

  /// An entrance from its parts.
  public init(own: OwnUser, isNew: Bool, roomID: RoomID? = nil) {
    self.own = own
    self.isNew = isNew
    self.roomID = roomID
  }
}

extension GitHubAccount {
  /// The longest first or last name that is taken over, in Unicode scalars.
  private static let longestName = 50

  /// First and last name as they follow from GitHub's one: the first word, and the rest; where there is none, the login.
  public static func names(of name: String?, login: String) -> (first: String, last: String) {
    let clean = String(String.UnicodeScalarView((name ?? "").unicodeScalars.filter { !Text.isUnfitForNames($0) }))
    let words = clean.split(separator: " ").map { Text.trimmed(String($0)) }.filter { !$0.isEmpty }
    guard let first = words.first else { return (login, "") }
    let rest = words.dropFirst().joined(separator: " ")
    return (
      Text.trimmed(Text.prefix(of: first, longestName)), Text.trimmed(Text.prefix(of: rest, longestName))
    )
  }
}
