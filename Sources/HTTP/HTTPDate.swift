import Base

/// A time with a resolution of one second, in HTTP's formats (RFC 9110 section 5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let seconds: Int

  package init(seconds: Int) {
    self.seconds = seconds
  }

  package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
    left.seconds < right.seconds
  }

  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The IMF-fixdate form, the only one that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var description: String {
    let (days, time) = seconds.flooredDivision(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    let weekday = HTTPDate.weekdays[days.flooredDivision(by: 7).remainder]
    let month = HTTPDate.months[date.month - 1]
    let clock = [time / 3600, time / 60 % 60, time % 60].map { HTTPDate.padded($0, 2) }.joined(separator: ":")
    return "\(weekday), \(HTTPDate.padded(date.day, 2)) \(month) \(HTTPDate.padded(date.year, 4)) \(clock) GMT"
  }

  /// The whole Date line, for every response of that second.
  package var fieldLine: [UInt8] { Array("date: \(description)\r\n".utf8) }

  /// Parses the three forms a recipient must accept: IMF-fixdate and the obsolete forms of RFC 850 and asctime. Nil for
  /// another form or a day that does not exist. The weekday is not compared with the date.
  ///
  /// - Parameter now: the current time: a two-digit year is at most 50 years ahead of it, else in the past; without it
  ///   the year is from 1970 to 2069.
  package init?(_ text: String, now: HTTPDate? = nil) {
    let parts = text.split(omittingEmptySubsequences: true) { $0 == " " || $0 == "," }
    let day: Substring, month: Substring, year: Substring, clock: Substring
    switch parts.count {
    case 6 where parts[5] == "GMT":
      (day, month, year, clock) = (parts[1], parts[2], parts[3], parts[4])
    case 4 where parts[3] == "GMT":
      let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, date[2].utf8.count == 2 else { return nil }
      (day, month, year, clock) = (date[0], date[1], date[2], parts[2])
    case 5:
      (day, month, year, clock) = (parts[2], parts[1], parts[4], parts[3])
    default:
      return nil
    }
    guard let days = HTTPDate.days(day: day, month: month, year: year, now: now),
      let time = HTTPDate.time(clock)
    else { return nil }
    seconds = days * 86_400 + time
  }

  private static func days(day: Substring, month: Substring, year: Substring, now: HTTPDate?) -> Int? {
    guard let day = number(day, digits: 1...2), let month = months.firstIndex(of: String(month)),
      var year = number(year, digits: 2...4)
    else { return nil }
    if year < 100 { year = fullYear(year, month: month + 1, day: day, now: now) }
    return CivilDate(year: year, month: month + 1, day: day)?.daysSince1970
  }

  /// A two-digit year. "More than 50 years in the future" is counted in whole days.
  private static func fullYear(_ year: Int, month: Int, day: Int, now: HTTPDate?) -> Int {
    guard let now else { return year < 70 ? year + 2000 : year + 1900 }
    let today = CivilDate(daysSince1970: now.seconds.flooredDivision(by: 86_400).quotient)
    let full = today.year / 100 * 100 + year
    return (full, month, day) > (today.year + 50, today.month, today.day) ? full - 100 : full
  }

  private static func time(_ clock: Substring) -> Int? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], digits: 2...2), let minute = number(parts[1], digits: 2...2),
      let second = number(parts[2], digits: 2...2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy(Characters.isDigit) else { return nil }
    return Int(text)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
