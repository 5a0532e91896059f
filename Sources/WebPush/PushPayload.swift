import Chat

/// What a push says to the worker in the browser. Nobody but the browser can read it.
enum PushPayload {
  /// The longest excerpt of a message, in characters.
  static let excerptLength = 160

  /// A message that its reader is to hear of. `closed` are chats whose notifications have done their work meanwhile.
  static func message(_ message: Message, in room: Room, closing closed: [RoomID]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "message")
      json.member("room_id", message.roomID.description)
      json.member("seq", message.seq)
      json.member("sender", message.sender.name)
      json.member("room", room.kind == .group ? room.name : nil)
      json.member("text", excerpt(of: message.text))
      json.member("icon", icon(of: room))
      json.member("created_at", message.createdAt.description)
      json.name("closed")
      json.array { json in
        for room in closed { json.value(room.description) }
      }
    }
    return json.bytes
  }

  /// The picture of a chat, where it has one: initials are drawn in a way that notifications do not show.
  private static func icon(of room: Room) -> String? {
    if case .initials = room.avatarKey { return nil }
    return room.avatarKey.path
  }

  /// What somebody sends to himself, to see whether it arrives.
  static func test(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "test")
      json.member("text", excerpt(of: text))
    }
    return json.bytes
  }

  /// The beginning of a text in one line, without control characters; at most 640 bytes, for a character can be many.
  static func excerpt(of text: String) -> String {
    var line = ""
    var bytes = 0
    for (count, character) in text.enumerated() {
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      let shown: Character = character.isWhitespace || isControl ? " " : character
      if shown == " ", line.last == " " || line.isEmpty { continue }
      bytes += shown.utf8.count
      if count >= excerptLength * 2 || line.count >= excerptLength || bytes > 640 { return line + "…" }
      line.append(shown)
    }
    return line
  }
}
