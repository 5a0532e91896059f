/// What a group may be called, how big it may grow (R1). Lengths are counted in Unicode scalars.
public enum GroupRules {
  /// The longest name.
  public static let longestName = 80
  /// The longest topic.
  public static let longestTopic = 400
  /// How many members a group can have.
  public static let mostMembers = 5000
  /// How many people can be named when a group is made.
  public static let mostNamedMembers = 500
  /// In a room of more members a receipt is told to one's own devices alone: else each reading would go to all.
  public static let mostToldOfReceipts = 100

  /// Name and topic in canonical form; nil stays nil. Throws `.invalid` with every field that is wrong.
  public static func check(
    name: String?, topic: String?
  ) throws(ChatError) -> (name: String?, topic: String?) {
    var errors: [FieldError] = []
    let name = name.map(Text.trimmed)
    if name?.isEmpty == true {
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
        FieldError(field: field, code: "invalid", detail: "This cannot hold line breaks and control characters."))
    }
  }
}

extension Room.Role {
  /// The order in which members are listed: owner, admins, members.
  public var rank: Int {
    switch self {
    case .owner: 0
    case .admin: 1
    case .member: 2
    }
  }

  /// Whether the role looks after the room: its name, topic and picture, its members, bans and invitations.
  public var isModerator: Bool { self != .member }

  /// Whether the role may remove and ban somebody of another role.
  public func outranks(_ other: Room.Role) -> Bool { isModerator && rank < other.rank }
}
