/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nil if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date of a day, counted in eras of 400 years that begin in March, so that the leap day comes last.
  package init(daysSince1970 days: Int) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int {
  /// Division that rounds down, so that the remainder is never negative.
  package func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
