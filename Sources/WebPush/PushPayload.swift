import Chat

/// The payload of a push for the service worker. Only the browser can decrypt it.
enum PushPayload {
  /// The longest excerpt of a message, in characters.
  static let excerptLength = 160

  /// A message to show. `closed` are the chats whose notifications should be closed.
  static func message(_ message: Message, in room: Room, closing closed: [RoomID]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "message")
      json.member("room_id", message.roomID.description)
      json.member("seq", message.seq)
      json.member("sender", message.sender.name)
      json.member("room", room.kind == .group ? room.name : nil)
      json.member("text", excerpt(of: PlainLine.of(message.text)))
      json.member("icon", icon(of: room))
      json.member("created_at", message.createdAt.description)
      json.name("closed")
      json.array { json in
        for room in closed { json.value(room.description) }
      }
    }
    return json.bytes
  }

  /// The picture of a chat, if it has one: notifications cannot show rendered initials.
  private static func icon(of room: Room) -> String? {
    if case .initials = room.avatarKey { return nil }
    return room.avatarKey.path
  }

  /// A test that a person sends to their own browser.
  static func test(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "test")
      json.member("text", excerpt(of: text))
    }
    return json.bytes
  }

  /// The start of a text on one line, without control characters; at most 640 bytes, since a character can have many
  /// bytes.
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
