/// Why the core refused, classified by what the caller can do about it. Only `Web` chooses an HTTP status.
package enum ChatError: Error, Hashable, Sendable {
  /// The input is wrong; each entry names a field. Correct it and try again.
  case invalid([FieldError])
  /// There is no such thing, or the caller may not know of it.
  case notFound
  /// Nobody is signed in, or the sign-in failed. Sign in.
  case unauthenticated
  /// The thing existed and is over; the entry says why. Request another one.
  case over(FieldError)
  /// The caller may know of the thing but not do this.
  case forbidden(String)
  /// The person is not added to groups by the asker. Invite them.
  case mustInvite
  /// The thing is not in the expected state: the address is taken, the client id was used for something else.
  case conflict(String)
  /// Somebody else has the value of this field. Choose another.
  case taken(FieldError)
  /// Too many tries; retry after this many seconds.
  case rateLimited(retryAfter: Int)
  /// As many event streams of the person are open as may be. Close one.
  case tooManyStreams(limit: Int)
  /// The disk is full; nothing was stored. Service resumes once there is room.
  case storageFull
  /// The store cannot handle this now; nothing was stored. Try again.
  case unavailable(String)
}

/// What is wrong with one field of an input.
package struct FieldError: Error, Hashable, Sendable {
  /// The field's name in the API, such as `first_name`.
  package var field: String
  /// A word for programs: `required`, `too_short`, `too_long`, `invalid`, `taken`, `wrong_type`, `too_common`; for an
  /// invitation also `expired`, `ended`, `used`.
  package var code: String
  /// A sentence for people.
  package var detail: String

  package init(field: String, code: String, detail: String) {
    self.field = field
    self.code = code
    self.detail = detail
  }
}
