/// What an account may be made of (A2, SECURITY 5). Lengths are counted in Unicode scalars.
public struct AccountRules {
  /// Values that have passed, in their canonical form.
  public struct Checked: Hashable, Sendable {
    /// The address, trimmed and in lower case.
    public let email: String
    /// The password as it was typed.
    public let password: String
    /// The first name, trimmed.
    public let firstName: String
    /// The last name, trimmed, maybe empty.
    public let lastName: String
  }

  /// The longest password that is looked at.
  static let longestPassword = 256

  /// The values in canonical form. Throws `.invalid` with every field that is wrong.
  public static func check(
    email: String, password: String, firstName: String, lastName: String
  ) throws(ChatError) -> Checked {
    var errors: [FieldError] = []
    let checkedEmail = canonicalEmail(email)
    if Text.isBlank(email) {
      errors.append(FieldError(field: "email", code: "required", detail: "Enter your email address."))
    } else if checkedEmail == nil {
      errors.append(FieldError(field: "email", code: "invalid", detail: "This is not an email address."))
    }
    errors += passwordErrors(password, field: "password")
    let first = check(firstName, field: "first_name", isRequired: true, &errors)
    let last = check(lastName, field: "last_name", isRequired: false, &errors)
    guard errors.isEmpty, let checkedEmail else { throw .invalid(errors) }
    return Checked(email: checkedEmail, password: password, firstName: first, lastName: last)
  }

  /// Names in canonical form. Throws `.invalid` with every field that is wrong.
  public static func checkNames(
    first: String, last: String
  ) throws(ChatError) -> (first: String, last: String) {
    var errors: [FieldError] = []
    let first = check(first, field: "first_name", isRequired: true, &errors)
    let last = check(last, field: "last_name", isRequired: false, &errors)
    guard errors.isEmpty else { throw .invalid(errors) }
    return (first, last)
  }

  /// The address trimmed and in lower case, or nil where it cannot be one: exactly one `@` with something on either
  /// side, no white space or controls, at most 64 bytes before and 254 in all (RFC 5321 section 4.5.3.1).
  public static func canonicalEmail(_ email: String) -> String? {
    let address = Text.trimmed(email).lowercased()
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty, address.utf8.count <= 254,
      address.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && !Text.isUnfitForNames($0) }),
      parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { return nil }
    return address
  }

  static func passwordErrors(_ password: String, field: String) -> [FieldError] {
    let length = password.unicodeScalars.count
    if length == 0 {
      return [FieldError(field: field, code: "required", detail: "Choose a password.")]
    } else if length < 8 {
      return [FieldError(field: field, code: "too_short", detail: "Use at least 8 characters.")]
    } else if length > longestPassword {
      return [FieldError(field: field, code: "too_long", detail: "Use at most 256 characters.")]
    } else if CommonPasswords.contains(password) {
      return [FieldError(field: field, code: "too_common", detail: "This is one of the most common passwords.")]
    }
    return []
  }

  private static func check(
    _ name: String, field: String, isRequired: Bool, _ errors: inout [FieldError]
  ) -> String {
    let name = Text.trimmed(name)
    if name.isEmpty, isRequired {
      errors.append(FieldError(field: field, code: "required", detail: "Enter a name."))
    } else if name.unicodeScalars.count > 50 {
      errors.append(FieldError(field: field, code: "too_long", detail: "Use at most 50 characters."))
    } else if name.unicodeScalars.contains(where: Text.isUnfitForNames) {
      errors.append(FieldError(field: field, code: "invalid", detail: "A name cannot hold control characters."))
    }
    return name
  }
}

/// The passwords that guessers try first, as far as they are 8 characters or longer (SECURITY 5).
enum CommonPasswords {
  static func contains(_ password: String) -> Bool {
    let folded = password.lowercased()
    return list.contains(folded) || isOneCharacter(folded) || isRun(folded)
  }

  /// `aaaaaaaa`.
  private static func isOneCharacter(_ text: String) -> Bool { Set(text.unicodeScalars).count == 1 }

  /// `12345678`, `abcdefgh`, `87654321`.
  private static func isRun(_ text: String) -> Bool {
    let values = text.unicodeScalars.map { Int($0.value) }
    let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
    return steps == [1] || steps == [-1]
  }

  private static let list: Set<String> = [
    "password", "password1", "password12", "password123", "password1234", "passw0rd", "p@ssword", "p@ssw0rd",
    "1234567890", "0123456789", "0987654321", "123123123", "12341234", "11223344", "112233445566", "1q2w3e4r",
    "1q2w3e4r5t", "1qaz2wsx", "1qazxsw2", "zaq12wsx", "qwertyui", "qwertyuiop", "qwerty12", "qwerty123", "qwerty1234",
    "qwer1234", "asdfghjk", "asdfghjkl", "asdf1234", "zxcvbnm1", "q1w2e3r4", "abcd1234", "abc12345", "a1b2c3d4",
    "aa123456", "123456789a", "a123456789", "iloveyou", "iloveyou1", "sunshine", "sunshine1", "princess", "princess1",
    "football", "football1", "baseball", "baseball1", "basketball", "superman", "batman123", "spiderman", "pokemon123",
    "trustno1", "letmein1", "letmein123", "welcome1", "welcome123", "whatever", "starwars", "dragon123", "monkey123",
    "shadow123", "master123", "michael1", "jennifer", "michelle", "jordan23", "computer", "internet", "samsung1",
    "liverpool", "chocolate", "butterfly", "changeme", "changeme1", "administrator", "admin123", "admin1234",
    "adminadmin", "root1234", "rootroot", "testtest", "test1234", "testing123", "default1", "guest123", "secret123",
    "mypassword", "passpass", "pass1234", "q1w2e3r4t5", "1111aaaa", "87654321a", "10101010", "12121212", "147258369",
    "159357456", "789456123", "741852963", "963852741", "correcthorsebatterystaple",
  ]
}
