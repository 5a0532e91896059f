import Base

/// A civil time in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// For display and records only: order is defined by sequence numbers, and time limits use a monotonic clock.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since the epoch.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Orders earlier before later.
  package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// The time `seconds` later.
  package func adding(seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1000) }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-20T18:03:07.412Z`.
  package var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the description.
  func append(to bytes: inout [UInt8]) {
    let (days, time) = Int(milliseconds).flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    func append(_ number: Int, _ digits: Int, then end: Unicode.Scalar) {
      bytes.append(decimal: number, digits: digits)
      bytes.append(UInt8(ascii: end))
    }
    append(date.year, 4, then: "-")
    append(date.month, 2, then: "-")
    append(date.day, 2, then: "T")
    append(time / 3_600_000, 2, then: ":")
    append(time / 60_000 % 60, 2, then: ":")
    append(time / 1000 % 60, 2, then: ".")
    append(time % 1000, 3, then: "Z")
  }

  /// Parses RFC 3339 with `Z` or an offset and any number of fractional digits; nil if `text` is invalid.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74, bytes[13] == 0x3A,
      bytes[16] == 0x3A, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let date = CivilDate(year: year, month: month, day: day),
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
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + (minute - offset) * 60 + second
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

private func number(_ bytes: ArraySlice<UInt8>) -> Int? {
  var value = 0
  for byte in bytes {
    guard (0x30...0x39).contains(byte) else { return nil }
    value = value * 10 + Int(byte - 0x30)
  }
  return value
}
