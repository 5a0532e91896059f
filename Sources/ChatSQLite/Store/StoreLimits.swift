import Chat

/// All limits of the store.
package struct StoreLimits: Sendable {
  /// The maximum number of queued writes; another one throws `.unavailable`.
  package var waitingWrites = 10_000
  /// The maximum number of writes per commit, so that the first does not wait long for the last.
  package var writesPerCommit = 256
  /// The maximum time for performing one commit's writes; the rest go into the next commit.
  package var commitTime = Duration.milliseconds(4)
  /// The minimum number of events kept in the log.
  package var keptEvents = 1_000_000
  /// The number of events trimmed at once, so that trimming never blocks the writer for more than a few milliseconds.
  package var trimmedAtOnce = 500
  /// How far behind the log's end a reader may be to be served on the caller's thread.
  package var eventsReadAtOnce = 1000
  /// The maximum number of concurrent reads; another one waits.
  package var readers = 16

  /// The number of them that long reads may take, so that a short read on an event loop finds one free.
  package var longReads = 4

  /// The maximum number of members of a group.
  package var members = GroupRules.mostMembers
  /// The maximum number of lines in a group's log that are not messages.
  package var roomChanges = GroupRules.mostChanges
  /// The number of members who get a room back onto their lists in one write.
  package var shownAgainAtOnce = 200
  /// In a larger room, a receipt goes only to the reader's own devices.
  package var toldOfReceipts = GroupRules.mostToldOfReceipts

  /// The time limit of one search, after which it returns what it has and where to continue. It is checked between
  /// steps that grow only while they are short, so a search ends soon after.
  package var searchTime = Duration.milliseconds(15)

  /// How long a search waits for messages sent before it to be indexed.
  package var searchWait = Duration.milliseconds(50)
  /// Up to this many marks, a search waits for all of them; beyond, only for those of its own person.
  package var marksAwaited = 200
  /// How long messages wait to be indexed while the writer is idle, and while writes are queued.
  package var indexDelay = Duration.milliseconds(50)
  package var indexDelayUnderLoad = Duration.seconds(1)
  /// How long the writer indexes at once, without the commit.
  package var indexTime = Duration.milliseconds(2)
  /// The number of index pages merged at once.
  package var pagesMerged = 16
  /// The number of indexed portions after which pages are merged although there are more. Well below the 64 segments
  /// that FTS5 merges in one go, which takes tens of milliseconds.
  package var portionsUnmerged = 2

  /// The WAL's size at which it is checkpointed, in bytes. With little free disk space it is checkpointed earlier, at a
  /// quarter of what is free.
  package var walSize = 64 << 20
  /// The minimum size for a checkpoint, whatever the disk.
  package var leastWALSize = 1 << 20
  /// The disk space, in bytes, kept free for signing in and for checkpoints: other writes are refused.
  package var reserve = 1 << 20

  /// The maximum number of stored pages of GitHub's lists, a hundred accounts each: some 40 MB. The page confirmed by
  /// GitHub longest ago is evicted.
  package var directoryPages = 2000
  /// The maximum number of pages of a single list, so that one account's million followers do not evict everyone
  /// else's.
  package var directoryPagesOfList = 500

  /// A database of up to this many bytes is checked before it is used, which takes some milliseconds.
  package var checkedBeforeStart = 4 << 20
  /// One of up to this many bytes is checked while it is used; a larger one only by `hubbub check`.
  package var checkedAfterStart = 1 << 30

  /// A statement that takes longer is reported.
  package var slowQuery = Duration.milliseconds(100)

  /// The defaults.
  package init() {}
}
