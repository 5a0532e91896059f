/// An account that has tens of thousands of followers and follows them all; they are generated on demand, one page at a
/// time. They can be looked up only by login and id, not by listing users or by search.
struct Crowd: Sendable {
  /// The login of the account at the centre.
  static let login = "many"
  /// Its id; the ids of the others follow.
  static let firstID: Int64 = 4_000_000_000

  /// The number of followers; with 0 the account at the centre does not exist either.
  var size: Int

  /// The followers in order, generated lazily.
  var members: some RandomAccessCollection<Person> { (1...max(1, size)).lazy.map(Self.member) }

  /// The account with this login, ignoring case.
  func person(login: String) -> Person? {
    let login = login.lowercased()
    if login == Self.login { return person(id: Self.firstID) }
    guard login.hasPrefix("crowd-"), let number = Int64(login.dropFirst("crowd-".count)) else { return nil }
    return person(id: Self.firstID + number).flatMap { $0.login == login ? $0 : nil }
  }

  /// The account with this id.
  func person(id: Int64) -> Person? {
    guard size > 0, (0...Int64(size)).contains(id - Self.firstID) else { return nil }
    return Self.member(Int(id - Self.firstID))
  }

  /// Whether this is the account at the centre.
  static func isCentre(_ person: Person) -> Bool { person.id == firstID }

  /// Whether this is one of the followers.
  func isMember(_ person: Person) -> Bool { person.id > Self.firstID && person.id <= Self.firstID + Int64(size) }

  private static func member(_ number: Int) -> Person {
    Person(id: firstID + Int64(number), login: number == 0 ? login : "crowd-\(number)")
  }
}
