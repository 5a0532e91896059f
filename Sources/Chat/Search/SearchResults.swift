/// The position where a page of results ended; opaque to everyone but the store that created it.
package struct SearchCursor: Hashable, Sendable {
  /// How the words are matched.
  package enum Mode: String, Hashable, Sendable {
    /// As whole words, with no results so far.
    case words = "w"
    /// As whole words, with results.
    case foundWords = "f"
    /// As parts of words, since no message contains them as whole words.
    case parts = "p"
  }

  /// The next page starts below this message number.
  package var number: Int64
  /// The mode of the previous pages.
  package var mode: Mode

  package init(number: Int64, mode: Mode) {
    self.number = number
    self.mode = mode
  }
}

/// A message that was found, with what is needed to show its context.
package struct FoundMessage: Hashable, Sendable {
  package var message: Message
  /// An excerpt of the text around the first hit.
  package var snippet: [SnippetPiece]
  /// Its room's name; for a direct room the peer's.
  package var roomName: String
  /// Its room's kind.
  package var roomKind: Room.Kind

  package init(message: Message, snippet: [SnippetPiece], roomName: String, roomKind: Room.Kind) {
    self.message = message
    self.snippet = snippet
    self.roomName = roomName
    self.roomKind = roomKind
  }
}

/// A page of found messages, newest first.
package struct FoundMessages: Hashable, Sendable {
  /// The messages. There may be fewer than requested, even none, if the search stopped before the end.
  package var hits: [FoundMessage]
  /// The cursor of the next page; nil at the end.
  package var next: SearchCursor?
  /// Whether the words were matched as parts of words.
  package var isByParts: Bool
  package init(hits: [FoundMessage] = [], next: SearchCursor? = nil, isByParts: Bool = false) {
    self.hits = hits
    self.next = next
    self.isByParts = isByParts
  }
}
