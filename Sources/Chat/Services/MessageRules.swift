/// What a message may say (S3).
public struct MessageRules {
  /// The longest text, in Unicode scalars.
  public static let longestText = 10_000

  /// The text as it is stored: line ends are LF. Throws `.invalid` at `text` where it is blank, longer than 10,000
  /// Unicode scalars, or holds a control character other than tab and line feed.
  public static func check(text: String) throws(ChatError) -> String {
    var scalars = String.UnicodeScalarView()
    var followsReturn = false
    var count = 0
    for scalar in text.unicodeScalars {
      let isReturn = scalar == "\r"
      defer { followsReturn = isReturn }
      if followsReturn && scalar == "\n" { continue }
      guard isReturn || isAllowed(scalar) else {
        throw refusal("invalid", "The text holds a control character.")
      }
      count += 1
      guard count <= longestText else { throw refusal("too_long", "Use at most 10,000 characters.") }
      scalars.append(isReturn ? "\n" : scalar)
    }
    let checked = String(scalars)
    guard !Text.isBlank(checked) else { throw refusal("required", "Write something.") }
    return checked
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0x00...0x1F, 0x7F: false
    default: true
    }
  }

  private static func refusal(_ code: String, _ detail: String) -> ChatError {
    .invalid([FieldError(field: "text", code: code, detail: detail)])
  }
}
