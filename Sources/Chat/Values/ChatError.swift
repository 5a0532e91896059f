/// Why the core refused, told apart by what the caller can do about it. `Web` chooses the HTTP status, nobody else.
public enum ChatError: Error, Hashable, Sendable {
  /// The input is wrong; each entry names a field. Mend it and try again.
  case invalid([FieldError])
  /// There is no such thing, or the asker may not know of it.
  case notFound
  /// Nobody is signed in, or the sign-in failed. Sign in.
  case unauthenticated
  /// The thing was there and is over; the entry says why. Ask for another.
  case over(FieldError)
  /// The asker may know of the thing but not do this.
  case forbidden(String)
  /// The thing is in another state than the asker thought: the address is taken, the client id was used otherwise.
  case conflict(String)
  /// Too many tries; again after so many seconds.
  case rateLimited(retryAfter: Int)
  /// The disk is full; nothing was stored. Service resumes by itself.
  case storageFull
  /// The store cannot take or answer this now; nothing was stored. Try again.
  case unavailable(String)
}

/// What is wrong with one field of an input.
public struct FieldError: Error, Hashable, Sendable {
  /// The field's name in the API, such as `first_name`.
  public var field: String
  /// A word for programs: `required`, `too_short`, `too_long`, `invalid`, `taken`, `wrong_type`, `too_common`;
  /// of an invitation also `expired`, `ended`, `used`.
  public var code: String
  /// A sentence for people.
  public var detail: String

  /// An error from its parts.
  public init(field: String, code: String, detail: String) {
    self.field = field
    self.code = code
    self.detail = detail
  }
}
