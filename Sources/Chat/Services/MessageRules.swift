/// The rules for messages, drafts, reactions and pins.
package enum MessageRules {
  /// The longest text of a message or a draft, in Unicode scalars.
  package static let longestText = 10_000
  /// The maximum number of people mentioned in a message; further handles are plain text.
  package static let mostMentions = 50
  /// The maximum number of different emoji on a message.
  package static let mostEmoji = 20
  /// The maximum number of pinned messages per room.
  package static let mostPins = 50
  /// The maximum number of individually hidden messages per member and room; clearing the room resets it.
  package static let mostHiddenMessages = 1000

  /// The text to store, with LF line ends. Throws `.invalid` at `text` if it is blank, longer than 10,000 Unicode
  /// scalars, or contains control characters other than tab and line feed.
  package static func check(text: String) throws(ChatError) -> String {
    var scalars = String.UnicodeScalarView()
    var followsReturn = false
    var count = 0
    for scalar in text.unicodeScalars {
      let isReturn = scalar == "\r"
      defer { followsReturn = isReturn }
      if followsReturn && scalar == "\n" { continue }
      guard isReturn || isAllowed(scalar) else {
        throw refusal("invalid", "The text contains a control character.")
      }
      count += 1
      guard count <= longestText else { throw refusal("too_long", "Use at most 10,000 characters.") }
      scalars.append(isReturn ? "\n" : scalar)
    }
    let checked = String(scalars)
    guard !Text.isBlank(checked) else { throw refusal("required", "Write something.") }
    return checked
  }

  /// Throws `.invalid` at `draft` if it is longer than a message may be.
  static func check(draft: String) throws(ChatError) {
    guard draft.unicodeScalars.count <= longestText else {
      throw refusal("too_long", "A draft has at most 10,000 characters.", field: "draft")
    }
  }

  /// The emoji to store for a reaction. Throws `.invalid` at `emoji` unless it is a single emoji.
  package static func check(emoji: String) throws(ChatError) -> String {
    guard emoji.count == 1, emoji.utf8.count <= 32, let first = emoji.unicodeScalars.first,
      first.properties.isEmojiPresentation || first.properties.isEmoji && emoji.unicodeScalars.count > 1
    else { throw refusal("invalid", "A reaction is one emoji.", field: "emoji") }
    return emoji
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0x00...0x1F, 0x7F: false
    default: true
    }
  }

  private static func refusal(_ code: String, _ detail: String, field: String = "text") -> ChatError {
    .invalid([FieldError(field: field, code: code, detail: detail)])
  }
}
