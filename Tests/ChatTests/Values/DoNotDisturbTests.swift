import Chat
import TestSupport
import Testing

@Suite("Do not disturb")
struct DoNotDisturbTests {
  private func holds(_ hours: DoNotDisturb, at time: String) -> Bool? { Timestamp(time).map(hours.holds) }

  @Test(
    "The hours apply from their first minute to their end, across midnight, in the person's local time",
    .shows("T2"),
    arguments: [
      (1320, 420, 0, "22:00", true), (1320, 420, 0, "21:59", false), (1320, 420, 0, "00:00", true),
      (1320, 420, 0, "06:59", true), (1320, 420, 0, "07:00", false), (540, 1020, 0, "12:00", true),
      (540, 1020, 0, "17:00", false), (540, 1020, 0, "08:59", false), (600, 600, 0, "03:00", true),
      (1320, 420, 60, "21:00", true), (1320, 420, 60, "06:00", false), (1320, 420, -600, "08:00", true),
      (1320, 420, -600, "07:59", false), (1320, 420, 840, "08:00", true), (1320, 420, 840, "17:00", false),
    ])
  func hours(from: Int, to: Int, offset: Int, time: String, expected: Bool) {
    let hours = DoNotDisturb(isOn: true, from: from, to: to, utcOffset: offset)
    #expect(holds(hours, at: "2026-11-21T\(time):00.000Z") == expected)
    #expect(holds(hours, at: "1969-11-21T\(time):00.000Z") == expected)
    #expect(
      holds(DoNotDisturb(isOn: false, from: from, to: to, utcOffset: offset), at: "2026-11-21T\(time):00Z") == false)
  }

  @Test("A minute of the day is written and parsed in clock format", .shows("T2"))
  func times() {
    #expect(DoNotDisturb.text(0) == "00:00" && DoNotDisturb.text(1439) == "23:59" && DoNotDisturb.text(605) == "10:05")
    for minute in DoNotDisturb.minutes { #expect(DoNotDisturb.minute(DoNotDisturb.text(minute)) == minute) }
    for text in ["", "24:00", "12:60", "1:00", "12.00", "12:0", "ab:cd", "12:000", "-1:00", "１２:00"] {
      #expect(DoNotDisturb.minute(text) == nil, "\(text)")
    }
  }
}
