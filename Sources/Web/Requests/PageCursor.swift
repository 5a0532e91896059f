import Chat

/// The text forms of cursors in queries; opaque to clients.
enum PageCursor {
  /// `<id>.<name>`
  static func text(_ cursor: UserCursor) -> String { "\(cursor.id).\(cursor.name)" }

  /// `<id>.<name>`
  static func text(_ cursor: PublicRoomCursor) -> String { "\(cursor.id).\(cursor.name)" }

  /// `<role>.<id>.<name>`
  static func text(_ cursor: MemberCursor) -> String { "\(cursor.role).\(cursor.id).\(cursor.name)" }

  /// `<1 if pinned>.<position>`
  static func text(_ cursor: RoomCursor) -> String { "\(cursor.isPinned ? 1 : 0).\(cursor.position)" }

  /// Parses a cursor; nil for nil.
  static func user(_ text: String?) throws(ChatError) -> UserCursor? {
    guard let text else { return nil }
    let (id, name): (UserID, String) = try parts(text)
    return UserCursor(name: name, id: id)
  }

  /// Parses a cursor; nil for nil.
  static func room(_ text: String?) throws(ChatError) -> RoomCursor? {
    guard let text else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "0" || parts[0] == "1", let position = EventID(parts[1]) else { throw refused }
    return RoomCursor(isPinned: parts[0] == "1", position: position)
  }

  /// Parses a cursor; nil for nil.
  static func publicRoom(_ text: String?) throws(ChatError) -> PublicRoomCursor? {
    guard let text else { return nil }
    let (id, name): (RoomID, String) = try parts(text)
    return PublicRoomCursor(name: name, id: id)
  }

  /// Parses a cursor; nil for nil.
  static func member(_ text: String?) throws(ChatError) -> MemberCursor? {
    guard let text else { return nil }
    guard let dot = text.firstIndex(of: "."), let role = Room.Role(rawValue: String(text[..<dot])) else {
      throw refused
    }
    let (id, name): (UserID, String) = try parts(String(text[text.index(after: dot)...]))
    return MemberCursor(role: role, name: name, id: id)
  }

  private static func parts<Subject>(_ text: String) throws(ChatError) -> (ID<Subject>, String) {
    guard let dot = text.firstIndex(of: "."), let id = ID<Subject>(text[..<dot]) else { throw refused }
    return (id, String(text[text.index(after: dot)...]))
  }

  static var refused: ChatError {
    .invalid([FieldError(field: "cursor", code: "invalid", detail: "Use a cursor from the Link of an earlier page.")])
  }
}
