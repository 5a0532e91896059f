/// The rules for accounts and their sessions. Lengths are counted in Unicode scalars.
package enum AccountRules {
  /// Valid values in canonical form.
  package struct Checked: Hashable, Sendable {
    /// The address, trimmed and in lower case.
    package let email: String
    /// The password as typed.
    package let password: String
    /// The first name, trimmed.
    package let firstName: String
    /// The last name, trimmed, possibly empty.
    package let lastName: String
  }

  package static let shortestPassword = 8
  package static let longestPassword = 256
  /// The longest first or last name.
  package static let longestName = 50
  /// The longest handle that a person may choose.
  package static let longestHandle = 50
  /// How many handles a person may have had, the present one included.
  package static let mostHandles = 20
  /// How long a session lasts, in seconds: 180 days.
  package static let sessionLifetime: Int64 = 180 * 86_400
  /// The precision, in seconds, with which the use of a session is recorded: an hour.
  package static let sessionUseInterval: Int64 = 3600
  /// How long a session counts as recent, which changes to the sign-in methods require.
  static let recentSession = Duration.seconds(15 * 60)
  /// The longest description of a browser stored with a session.
  static let longestUserAgent = 200

  /// The values in canonical form. Throws `.invalid` with every field that is wrong.
  package static func check(
    email: String, password: String, firstName: String, lastName: String
  ) throws(ChatError) -> Checked {
    var errors: [FieldError] = []
    let checkedEmail = canonicalEmail(email)
    if Text.isBlank(email) {
      errors.append(FieldError(field: "email", code: "required", detail: "Enter your email address."))
    } else if checkedEmail == nil {
      errors.append(FieldError(field: "email", code: "invalid", detail: "This is not an email address."))
    }
    errors += passwordErrors(password, field: "password", own: [email, firstName, lastName, firstName + lastName])
    let first = check(firstName, field: "first_name", isRequired: true, &errors)
    let last = check(lastName, field: "last_name", isRequired: false, &errors)
    guard errors.isEmpty, let checkedEmail else { throw .invalid(errors) }
    return Checked(email: checkedEmail, password: password, firstName: first, lastName: last)
  }

  /// A change with names and handle in canonical form. Throws `.invalid` with every field that is wrong.
  package static func check(_ change: ProfileChange) throws(ChatError) -> ProfileChange {
    var (change, errors) = (change, [FieldError]())
    if let name = change.firstName { change.firstName = check(name, field: "first_name", isRequired: true, &errors) }
    if let name = change.lastName { change.lastName = check(name, field: "last_name", isRequired: false, &errors) }
    if let handle = change.handle { change.handle = check(handle: handle, &errors) }
    guard errors.isEmpty else { throw .invalid(errors) }
    return change
  }

  /// A handle, trimmed, without an `@` before it.
  private static func check(handle: String, _ errors: inout [FieldError]) -> String {
    let handle = String(Text.trimmed(handle).trimmingPrefix("@"))
    if !(1...longestHandle).contains(handle.unicodeScalars.count) || !Mentions.isHandle(handle) {
      let detail = "Use at most \(longestHandle) letters, digits, - and _; begin with a letter or digit."
      errors.append(FieldError(field: "handle", code: "invalid", detail: detail))
    }
    return handle
  }

  /// The address trimmed and in lower case; nil if it is invalid. Requires one `@` with text on either side, no white
  /// space or controls, and at most 64 bytes before it and 254 in total (RFC 5321 section 4.5.3.1).
  package static func canonicalEmail(_ email: String) -> String? {
    let address = Text.trimmed(email).lowercased()
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty, address.utf8.count <= 254,
      address.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && !Text.isUnfitForNames($0) }),
      parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { return nil }
    return address
  }

  /// What is wrong with a password. `own` is what others know of the person: their names, login and address.
  static func passwordErrors(_ password: String, field: String, own: [String?] = []) -> [FieldError] {
    let length = password.unicodeScalars.count
    if length == 0 {
      return [FieldError(field: field, code: "required", detail: "Choose a password.")]
    } else if length < shortestPassword {
      return [FieldError(field: field, code: "too_short", detail: "Use at least \(shortestPassword) characters.")]
    } else if length > longestPassword {
      return [FieldError(field: field, code: "too_long", detail: "Use at most \(longestPassword) characters.")]
    } else if CommonPasswords.contains(password) {
      return [FieldError(field: field, code: "too_common", detail: "This is one of the most common passwords.")]
    } else if isOwn(password, own.compactMap { $0 }) {
      return [
        FieldError(
          field: field, code: "too_common", detail: "This is your name or address. Choose something others do not know."
        )
      ]
    }
    return []
  }

  /// Whether a password's letters, in order, equal those of something known about the person, or of the part before the
  /// `@`. Digits, signs and spaces are ignored.
  private static func isOwn(_ password: String, _ known: [String]) -> Bool {
    func letters(_ text: some StringProtocol) -> String {
      String(String.UnicodeScalarView(text.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)))
    }
    let wanted = letters(password)
    guard !wanted.isEmpty else { return false }
    return known.contains { letters($0) == wanted || letters($0.prefix { $0 != "@" }) == wanted }
  }

  private static func check(
    _ name: String, field: String, isRequired: Bool, _ errors: inout [FieldError]
  ) -> String {
    let name = Text.trimmed(name)
    if Text.isInvisible(name), isRequired || !name.isEmpty {
      errors.append(FieldError(field: field, code: "required", detail: "Enter a name."))
    } else if name.unicodeScalars.count > longestName {
      errors.append(FieldError(field: field, code: "too_long", detail: "Use at most \(longestName) characters."))
    } else if name.unicodeScalars.contains(where: Text.isUnfitForNames) {
      errors.append(FieldError(field: field, code: "invalid", detail: "A name cannot contain control characters."))
    }
    return name
  }
}
