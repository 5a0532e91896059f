import Chat

/// The `seq` numbers in a room that one member can see: all of `low...high` except those they have hidden. Their
/// positions are computed, so a page costs the same wherever it lies.
struct VisibleNumbers {
  private let low: Int
  /// Ascending, within `low...high`.
  private let hidden: [Int]
  /// The number of visible messages.
  let count: Int

  init(low: Int, high: Int, hidden: [Int]) {
    self.low = low
    self.hidden = hidden
    count = max(0, high - low + 1) - hidden.count
  }

  /// How many come before `seq`, whether `seq` is visible or not.
  func place(of seq: Int) -> Int {
    guard seq > low else { return 0 }
    let end = seq - low > count + hidden.count ? low + count + hidden.count : seq
    return end - low - hidden.prefix { $0 < end }.count
  }

  /// The number at this position.
  func number(at place: Int) -> Int {
    var number = low + place
    for skipped in hidden where skipped <= number { number += 1 }
    return number
  }

  /// Whether the member has hidden `seq`.
  func hides(_ seq: Int) -> Bool { hidden.contains(seq) }

  /// The positions of a range; for `.on`, `start` is the first number at or after that time.
  func places(of range: MessageRange, start: Int) -> Range<Int> {
    switch range {
    case .newest(let limit):
      return max(0, count - checked(limit))..<count
    case .before(let seq, let limit):
      let end = place(of: seq)
      return max(0, end - checked(limit))..<end
    case .after(let seq, let limit):
      let first = seq < Int.max ? place(of: seq + 1) : count
      return first..<min(count, first + checked(limit))
    case .around(let seq, let limit):
      return window(around: place(of: seq), checked(limit))
    case .on(_, let limit):
      return window(around: place(of: start), checked(limit))
    }
  }

  private func checked(_ limit: Int) -> Int { min(max(limit, 1), 200) }

  /// `limit` positions around `place`, shifted to where there are that many.
  private func window(around place: Int, _ limit: Int) -> Range<Int> {
    let start = max(0, min(min(place, max(0, count - 1)) - limit / 2, count - limit))
    return start..<min(count, start + limit)
  }
}
