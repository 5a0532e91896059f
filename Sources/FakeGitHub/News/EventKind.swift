/// The kinds of events: those that were recorded, `PublicEvent`, and a made-up one.
enum EventKind: Hashable, CaseIterable {
  case commitComment, createBranch, createRepository, createTag, deleteBranch, deleteTag, fork, page, issueComment
  case issueClosed, issueOpened, issueReopened, member, pullClosed, pullOpened, pullReopened, reviewComment, review
  case push, oldRelease, star, newPage, release
  case open, unknown

  /// The kind of the event with this number. Every hundred events include all kinds, in proportions that make the news
  /// worth reading.
  init(of number: Int64) {
    let position = (number % 100 * 37 + number / 100 * 11) % 100
    self = Self.deck[Int(position)]
  }

  /// The index of this kind's recording in `events-by-type`; nil if it is elsewhere or missing.
  var position: Int? {
    switch self {
    case .newPage, .release, .open, .unknown: nil
    default: Self.allCases.firstIndex(of: self)
    }
  }

  private static let deck: [EventKind] = {
    let times: [(EventKind, Int)] = [
      (.push, 22), (.pullOpened, 9), (.pullClosed, 8), (.pullReopened, 1), (.review, 6), (.reviewComment, 4),
      (.issueOpened, 8), (.issueClosed, 5), (.issueReopened, 1), (.issueComment, 12), (.star, 8), (.fork, 2),
      (.createBranch, 2), (.createRepository, 1), (.createTag, 1), (.deleteBranch, 1), (.deleteTag, 1),
      (.release, 1), (.oldRelease, 1), (.page, 1), (.newPage, 1), (.member, 1), (.commitComment, 1), (.open, 1),
      (.unknown, 1),
    ]
    return times.flatMap { Array(repeating: $0.0, count: $0.1) }
  }()
}
