/// An account with tens of thousands of followers, whom it follows all: made when asked for, one page at a time. They
/// are found by login and number only, not among the users or by search.
struct Crowd: Sendable {
  /// The login of the account in the middle.
  static let login = "many"
  /// Its number; the others' follow.
  static let firstID: Int64 = 4_000_000_000

  /// How many there are; none: there is no such account either.
  var size: Int

  /// The followers in order, each made when looked at.
  var members: some RandomAccessCollection<Person> { (1...max(1, size)).lazy.map(Self.member) }

  /// The account of that login, in any case.
  func person(login: String) -> Person? {
    let login = login.lowercased()
    if login == Self.login { return person(id: Self.firstID) }
    guard login.hasPrefix("crowd-"), let number = Int64(login.dropFirst("crowd-".count)) else { return nil }
    return person(id: Self.firstID + number).flatMap { $0.login == login ? $0 : nil }
  }

  /// The account with that number.
  func person(id: Int64) -> Person? {
    guard size > 0, (0...Int64(size)).contains(id - Self.firstID) else { return nil }
    return Self.member(Int(id - Self.firstID))
  }

  /// Whether that is the one in the middle.
  static func isCentre(_ person: Person) -> Bool { person.id == firstID }

  /// Whether that is one of the others.
  func isMember(_ person: Person) -> Bool { person.id > Self.firstID && person.id <= Self.firstID + Int64(size) }

  private static func member(_ number: Int) -> Person {
    Person(id: firstID + Int64(number), login: number == 0 ? login : "crowd-\(number)")
  }
}
