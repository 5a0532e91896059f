/// The rules for groups. Lengths are counted in Unicode scalars.
package enum GroupRules {
  package static let longestName = 80
  package static let longestTopic = 400
  /// The maximum number of members.
  package static let mostMembers = 5000
  /// The maximum number of people named when creating a group.
  package static let mostNamedMembers = 500
  /// The maximum number of lines in a group's log that are not messages; the oldest are deleted.
  package static let mostChanges = 1000
  /// In larger rooms receipts go only to the reader's own devices; otherwise each read would notify all members.
  package static let mostToldOfReceipts = 100

  /// Name and topic in canonical form; nil stays nil. Throws `.invalid` with every wrong field.
  package static func check(
    name: String?, topic: String?
  ) throws(ChatError) -> (name: String?, topic: String?) {
    var errors: [FieldError] = []
    let name = name.map(Text.trimmed)
    if let name, Text.isInvisible(name) {
      errors.append(FieldError(field: "name", code: "required", detail: "Give the group a name."))
    }
    refuse(name, field: "name", longest: longestName, &errors)
    let topic = topic.map(Text.trimmed)
    refuse(topic, field: "topic", longest: longestTopic, &errors)
    guard errors.isEmpty else { throw .invalid(errors) }
    return (name, topic)
  }

  private static func refuse(_ text: String?, field: String, longest: Int, _ errors: inout [FieldError]) {
    guard let text else { return }
    if text.unicodeScalars.count > longest {
      errors.append(FieldError(field: field, code: "too_long", detail: "Use at most \(longest) characters."))
    } else if text.unicodeScalars.contains(where: Text.isUnfitForNames) {
      errors.append(
        FieldError(field: field, code: "invalid", detail: "This cannot contain line breaks or control characters."))
    }
  }
}

extension Room.Role {
  /// The order in which members are listed: owner, admins, members.
  package var rank: Int {
    switch self {
    case .owner: 0
    case .admin: 1
    case .member: 2
    }
  }

  /// Whether the role manages the room: name, topic, picture, members, bans and invitations.
  package var isModerator: Bool { self != .member }

  /// Whether the role may remove and ban a member with the other role.
  package func outranks(_ other: Room.Role) -> Bool { isModerator && rank < other.rank }
}
