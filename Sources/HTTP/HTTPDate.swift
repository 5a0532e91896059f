/// A point in time as HTTP writes it, to the second (RFC 9110 section 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  public let seconds: Int

  /// The time that many seconds after 1970-01-01 00:00:00 UTC.
  public init(seconds: Int) {
    self.seconds = seconds
  }

  /// Earlier is less.
  public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
    left.seconds < right.seconds
  }

  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The IMF-fixdate form, the only one that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public var description: String {
    let days = HTTPDate.floorDivide(seconds, 86_400)
    let time = seconds - days * 86_400
    let (year, month, day) = HTTPDate.civil(days)
    let weekday = HTTPDate.weekdays[(days % 7 + 7) % 7]
    let clock = [time / 3600, time / 60 % 60, time % 60].map { HTTPDate.padded($0, 2) }.joined(separator: ":")
    return
      "\(weekday), \(HTTPDate.padded(day, 2)) \(HTTPDate.months[month - 1]) \(HTTPDate.padded(year, 4)) \(clock) GMT"
  }

  /// The Date field's whole line, ready to be put into each response of that second.
  public var fieldLine: [UInt8] { Array("date: \(description)\r\n".utf8) }

  /// A date in any of the three forms that must be understood: IMF-fixdate, and the obsolete forms of RFC 850 and
  /// asctime. Nil when it is none of these or no such day exists; the name of the weekday is not checked against the
  /// date.
  ///
  /// - Parameter now: the present time, by which a year of two digits is one at most 50 years ahead, or the last one
  ///   before; without it one of 1970 to 2069.
  public init?(_ text: String, now: HTTPDate? = nil) {
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
    let days = daysSince1970(year: year, month: month + 1, day: day)
    // The way back gives the same day only for days that exist.
    return civil(days) == (year, month + 1, day) ? days : nil
  }

  /// A year of two digits. "More than 50 years in the future" is counted in whole days.
  private static func fullYear(_ year: Int, month: Int, day: Int, now: HTTPDate?) -> Int {
    guard let now else { return year < 70 ? year + 2000 : year + 1900 }
    let today = civil(floorDivide(now.seconds, 86_400))
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

  private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, counted in years that begin in March, so that
  /// the leap day is a year's last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let marchMonth = (month + 9) % 12
    let leapDays = floorDivide(marchYear, 4) - floorDivide(marchYear, 100) + floorDivide(marchYear, 400)
    return marchYear * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468
  }

  /// The date of a day. The year by the mean length of years is the right one or the
  /// one before: never a later one, for no year begins as much as a day after its mean beginning.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    var marchYear = floorDivide((days + 719_468) * 400, 146_097)
    if days >= daysSince1970(year: marchYear + 1, month: 3, day: 1) { marchYear += 1 }
    let dayOfYear = days - daysSince1970(year: marchYear, month: 3, day: 1)
    let marchMonth = (dayOfYear * 5 + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (month <= 2 ? marchYear + 1 : marchYear, month, dayOfYear - (marchMonth * 153 + 2) / 5 + 1)
  }
}
