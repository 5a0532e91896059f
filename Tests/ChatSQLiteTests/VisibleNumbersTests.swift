import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("The numbers that a member can see")
struct VisibleNumbersTests {
  @Test(
    "Positions and pages equal those of the plain list, whatever is cleared or hidden", .shows("C7"),
    arguments: 1...20 as ClosedRange<UInt64>)
  func sameAsList(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let low = Int.random(in: 1...5, using: &random)
      let high = Int.random(in: low - 1...low + 14, using: &random)
      let all = low <= high ? Array(low...high) : []
      let hidden = all.filter { _ in random.chance(30) }
      let list = all.filter { !hidden.contains($0) }
      let visible = VisibleNumbers(low: low, high: high, hidden: hidden)
      #expect(visible.count == list.count)
      for (place, number) in list.enumerated() { #expect(visible.number(at: place) == number) }
      for seq in -1...high + 3 { #expect(visible.place(of: seq) == list.filter { $0 < seq }.count) }
      let (seq, limit) = (Int.random(in: -1...high + 3, using: &random), Int.random(in: 1...6, using: &random))
      func page(_ range: MessageRange) -> [Int] { visible.places(of: range, start: seq).map(visible.number(at:)) }
      #expect(page(.newest(limit: limit)) == list.suffix(limit))
      #expect(page(.before(seq: seq, limit: limit)) == list.filter { $0 < seq }.suffix(limit))
      #expect(page(.after(seq: seq, limit: limit)) == Array(list.filter { $0 > seq }.prefix(limit)))
      let around = page(.around(seq: seq, limit: limit))
      #expect(around.count == min(limit, list.count))
      #expect(around == Array(list.drop { $0 < around.first ?? 0 }.prefix(around.count)))
      if list.contains(seq) { #expect(around.contains(seq)) }
      #expect(page(.on(date: Timestamp(milliseconds: 0), limit: limit)) == around)
    }
    let all = VisibleNumbers(low: 1, high: 3, hidden: [])
    #expect(all.places(of: .after(seq: .max, limit: 2), start: 0).isEmpty && all.place(of: .max) == 3)
  }
}
