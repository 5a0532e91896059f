/// Where a page of found messages ended; opaque to all but the store that made it.
public struct SearchCursor: Hashable, Sendable {
  /// How the words are looked for.
  public enum Mode: String, Hashable, Sendable {
    /// As words, and none has been found so far.
    case words = "w"
    /// As words, and some have been found.
    case foundWords = "f"
    /// As parts of words, since no message has them as words.
    case parts = "p"
  }

  /// Messages with a lower number come next.
  public var number: Int64
  /// How the pages before were looked for.
  public var mode: Mode

  /// A cursor from its parts.
  public init(number: Int64, mode: Mode) {
    self.number = number
    self.mode = mode
  }
}

/// A message that was found, with what is needed to show where it stands.
public struct FoundMessage: Hashable, Sendable {
  /// The message.
  public var message: Message
  /// Its room's name, for a direct room the peer's.
  public var roomName: String
  /// Its room's kind.
  public var roomKind: Room.Kind

  /// A hit from its parts.
  public init(message: Message, roomName: String, roomKind: Room.Kind) {
    self.message = message
    self.roomName = roomName
    self.roomKind = roomKind
  }
}

/// A page of found messages, newest first.
public struct FoundMessages: Hashable, Sendable {
  /// The messages; fewer than were asked for, even none, where the search has stopped before the end.
  public var hits: [FoundMessage]
  /// Where to go on; nil at the end.
  public var next: SearchCursor?
  /// Whether words were looked for as parts of words.
  public var isByParts: Bool

  /// A page from its parts.
  public init(hits: [FoundMessage] = [], next: SearchCursor? = nil, isByParts: Bool = false) {
    self.hits = hits
    self.next = next
    self.isByParts = isByParts
  }
}
