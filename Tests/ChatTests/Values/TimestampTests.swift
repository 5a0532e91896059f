import Chat
import Foundation
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    "writes RFC 3339 in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_795_197_787_412, "2026-11-20T18:03:07.412Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ])
  func writes(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
    #expect(Timestamp(text)?.milliseconds == milliseconds)
  }

  @Test("round-trips, and equals Foundation's format, for random times of the years 1 to 9999")
  func roundTrip() {
    var random = SeededRandom(seed: 1)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<3000 {
      let time = Timestamp(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &random))
      #expect(Timestamp(time.description) == time)
      // Foundation's calendar is Julian before 1582.
      guard time.milliseconds > -12_000_000_000_000 else { continue }
      let seconds = (Double(time.milliseconds) / 1000).rounded(.down)
      let expected = formatter.string(from: Date(timeIntervalSince1970: seconds)).dropLast()
      #expect(time.description.hasPrefix(expected))
    }
  }

  @Test(
    "parses offsets, lower case and any number of fractional digits",
    arguments: [
      ("2026-11-20T19:03:07.412+01:00", "2026-11-20T18:03:07.412Z"),
      ("2026-11-20t18:03:07z", "2026-11-20T18:03:07.000Z"),
      ("2026-11-20T18:03:07.4Z", "2026-11-20T18:03:07.400Z"),
      ("2026-11-20T18:03:07.4129999Z", "2026-11-20T18:03:07.412Z"),
      ("2026-11-20T00:03:07-05:30", "2026-11-20T05:33:07.000Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ])
  func reads(text: String, expected: String) {
    #expect(Timestamp(text)?.description == expected)
  }

  @Test(
    "refuses invalid times",
    arguments: [
      "", "2026", "2026-11-20", "2026-11-20 18:03:07Z", "2026-11-20T18:03:07", "2026-13-20T18:03:07Z",
      "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-11-20T24:03:07Z", "2026-11-20T18:60:07Z", "2026-11-20T18:03:61Z", "2026-11-20T18:03:07.Z",
      "2026-11-20T18:03:07.4", "2026-11-20T18:03:07+0100", "2026-11-20T18:03:07+24:00", "2026-11-20T18:03:07Zjunk",
      "x026-11-20T18:03:07Z", "2026-11-20T18:03:07*01:00",
    ])
  func refuses(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("adds seconds and compares")
  func arithmetic() {
    let time = Timestamp(milliseconds: 5)
    #expect(time.adding(seconds: 2).milliseconds == 2005)
    #expect(time < time.adding(seconds: 1))
  }
}
