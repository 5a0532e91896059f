import Chat

/// The store's limits, all in one place.
public struct StoreLimits: Sendable {
  /// How many writes may wait for the writer; one more is refused with `.unavailable`.
  public var waitingWrites = 10_000
  /// How many writes share one commit at most, so that the first of them is not kept waiting by the last.
  public var writesPerCommit = 256
  /// How many of the newest events the log keeps at least.
  public var keptEvents = 1_000_000
  /// How many events are trimmed at once, so that trimming never holds the writer up for more than a few milliseconds.
  public var trimmedAtOnce = 500
  /// How far behind the log's end a reader may be and still be answered on the caller's own thread.
  public var eventsReadAtOnce = 1000
  /// How many threads may read at the same time; one more waits.
  public var readers = 16

  /// How many of them long reads may take, so that a short one on an event loop finds one free.
  public var longReads = 4

  /// How many members a group can have.
  public var members = GroupRules.mostMembers
  /// In a room of more members a receipt is told to one's own devices alone.
  public var toldOfReceipts = GroupRules.mostToldOfReceipts

  /// How long one search may look, after which it answers with what it has and where to go on. Checked between steps
  /// that grow only while they are short, so a search ends soon after.
  public var searchTime = Duration.milliseconds(15)

  /// How many pages of GitHub's lists are kept, a hundred accounts each: some 40 MB. The one that GitHub has not answered
  /// for longest makes room for the next.
  public var directoryPages = 2000
  /// How many of them one list may have, so that nobody's million followers push out everybody else's.
  public var directoryPagesOfList = 500

  /// A database of so many bytes or fewer is looked through before it is used, in some milliseconds.
  public var checkedBeforeStart = 4 << 20
  /// One of so many bytes or fewer is looked through while it is used; a bigger one by `hubbub check` alone.
  public var checkedAfterStart = 1 << 30

  /// A statement that takes longer is told of.
  public var slowQuery = Duration.milliseconds(100)

  /// The limits as they are by default.
  public init() {}
}
