/// A moment of civil time in milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// For people and for records only: order is by sequence numbers, time limits by a monotonic clock.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since the epoch.
  public let milliseconds: Int64

  /// The moment that lies so many milliseconds after the epoch.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Earlier before later.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// The moment that lies `seconds` later.
  public func adding(seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1000) }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-20T18:03:07.412Z`.
  public var description: String {
    let date = CivilDate(daysSinceEpoch: Int(milliseconds.flooredDivision(by: 86_400_000).quotient))
    var rest = Int(milliseconds.flooredDivision(by: 86_400_000).remainder)
    var text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
    text += padded(rest / 3_600_000, 2) + ":"
    rest %= 3_600_000
    text += padded(rest / 60_000, 2) + ":" + padded(rest % 60_000 / 1000, 2) + "." + padded(rest % 1000, 3) + "Z"
    return text
  }

  /// The moment that `text` writes in RFC 3339 with `Z` or an offset and any number of fractional digits, or nil.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74, bytes[13] == 0x3A,
      bytes[16] == 0x3A, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), (1...12).contains(month),
      let day = number(bytes[8..<10]), (1...CivilDate.days(inMonth: month, of: year)).contains(day),
      let hour = number(bytes[11..<13]), hour < 24, let minute = number(bytes[14..<16]), minute < 60,
      let second = number(bytes[17..<19]), second <= 60
    else { return nil }
    var index = 19
    var fraction = 0
    if bytes[index] == UInt8(ascii: ".") {
      let start = index + 1
      index = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
      guard index > start else { return nil }
      for place in 0..<3 { fraction = fraction * 10 + (start + place < index ? Int(bytes[start + place] - 0x30) : 0) }
    }
    guard let offset = Timestamp.offsetMinutes(bytes[index...]) else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    let seconds = days * 86_400 + hour * 3600 + (minute - offset) * 60 + second
    self.init(milliseconds: Int64(seconds) * 1000 + Int64(fraction))
  }

  private static func offsetMinutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.count == 1, let first = bytes.first { return first | 0x20 == UInt8(ascii: "z") ? 0 : nil }
    let bytes = Array(bytes)
    guard bytes.count == 6, bytes[3] == 0x3A, let hours = number(bytes[1..<3]), hours < 24,
      let minutes = number(bytes[4..<6]), minutes < 60
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "+"): return hours * 60 + minutes
    case UInt8(ascii: "-"): return -(hours * 60 + minutes)
    default: return nil
    }
  }
}

/// A date of the proleptic Gregorian calendar; days counted in eras of 400 years that begin in March.
private struct CivilDate {
  let year: Int
  let month: Int
  let day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  init(daysSinceEpoch: Int) {
    let shifted = Int64(daysSinceEpoch + 719_468).flooredDivision(by: 146_097)
    let dayOfEra = Int(shifted.remainder)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = Int(shifted.quotient) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  var daysSinceEpoch: Int {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let yearOfEra = Int(shiftedYear.remainder)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return Int(shiftedYear.quotient) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

private func number(_ bytes: ArraySlice<UInt8>) -> Int? {
  var value = 0
  for byte in bytes {
    guard (0x30...0x39).contains(byte) else { return nil }
    value = value * 10 + Int(byte - 0x30)
  }
  return value
}
