/// The hours of each day in which a person wants no notifications, in their local time.
package struct DoNotDisturb: Hashable, Sendable {
  /// Whether the hours apply; they are kept while turned off.
  package var isOn: Bool
  /// The first minute, counted from midnight.
  package var from: Int
  /// The minute at which it ends. If less than or equal to `from`, it ends on the next day; equal to it means all day.
  package var to: Int
  /// How many minutes the person's clock is ahead of UTC, as last reported by their browser. An offset rather than a
  /// time zone, since only the browser knows the zone's rules.
  package var utcOffset: Int

  /// The valid minutes of a day, and the valid UTC offsets.
  package static let minutes = 0...1439
  /// UTC-12 to UTC+14.
  package static let offsets = -720...840

  /// Hours; by default off, and those of the night.
  package init(isOn: Bool = false, from: Int = 22 * 60, to: Int = 7 * 60, utcOffset: Int = 0) {
    self.isOn = isOn
    self.from = from
    self.to = to
    self.utcOffset = utcOffset
  }

  /// Whether notifications are off at `time`.
  package func holds(at time: Timestamp) -> Bool {
    guard isOn else { return false }
    let minute = Int((time.milliseconds / 60_000 + Int64(utcOffset)) % 1440 + 1440) % 1440
    if from < to { return (from..<to).contains(minute) }
    return minute >= from || minute < to
  }

  /// A minute of the day as text: `22:00`.
  package static func text(_ minute: Int) -> String {
    let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
    return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
  }

  /// Parses a minute of the day, `00:00` to `23:59`; nil if it is invalid.
  package static func minute(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    let digits = [0, 1, 3, 4].filter { $0 < bytes.count && (0x30...0x39).contains(bytes[$0]) }
    guard bytes.count == 5, digits.count == 4, bytes[2] == UInt8(ascii: ":") else { return nil }
    let value = { (index: Int) in Int(bytes[index] - 0x30) }
    let (hours, minutes) = (value(0) * 10 + value(1), value(3) * 10 + value(4))
    return hours < 24 && minutes < 60 ? hours * 60 + minutes : nil
  }
}
