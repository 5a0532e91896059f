/// All accounts on the stand-in's GitHub and who follows whom. The recorded lists start as recorded; the rest is drawn
/// from the recorded accounts, the same in every run.
struct Population: Sendable {
  /// All accounts by id.
  private(set) var people: [Person] = []
  private var byLogin: [String: Person] = [:]
  private var byID: [Int64: Person] = [:]
  private var recordedFollowers: [Int64: [Int64]] = [:]
  private var recordedFollowing: [Int64: [Int64]] = [:]
  private var recordedMembers: [Int64: [Int64]] = [:]
  private var recordedHits: [String: [Int64]] = [:]
  /// The repositories that have a recorded record.
  private(set) var recordedRepositories: [Repository] = []
  /// The people by id, without organisations and bots.
  private(set) var users: [Person] = []
  /// The followers of the account with a very long list.
  var crowd = Crowd(size: 0)

  /// The population of the recordings that are part of this module.
  static let recorded = Population(Recording.all)

  init(_ recordings: [Recording]) {
    let named = Dictionary(recordings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    func records(_ name: String) -> [Person] {
      guard let value = named[name].flatMap({ JSONValue($0.body) }) else { return [] }
      // Stargazers were recorded with the time of the star; the account is nested inside.
      return (value.array ?? value["items"]?.array ?? [value]).compactMap { Person($0["user"] ?? $0) }
    }
    // Full records first, because the first record with an id or login wins; then lists from the newest to the oldest.
    let full = recordings.filter { $0.name.hasPrefix("user-") && $0.status == 200 && !$0.name.contains("-page-") }
      .map(\.name).flatMap(records)
    let lists = [
      "users-page-1", "user-rtyler-followers-page-1", "user-rtyler-following-page-1", "org-members-filter-all",
      "org-members-hub4j-test-org", "search-users-tom", "stargazers-page-1-of-5",
      "org-public-members-codeforamerica-2014", "me-followers-page-100", "users-per-page-25-anonymous-2013",
    ]
    let organizations = ["org-github-2019", "org-jenkinsci-2019", "org-hub4j-test-org-2022"].flatMap(records)
    let repositories = recordings.filter { $0.status == 200 && $0.method == "GET" }.map(\.name)
      .filter { $0.hasPrefix("repo-") || $0 == "redirect-301-target-betamax" || $0 == "conditional-1-200" }
    recordedRepositories = repositories.compactMap { name in
      named[name].flatMap { JSONValue($0.body) }.flatMap(Repository.init)
    }
    for person in full + organizations + recordedRepositories.map(\.owner) + lists.flatMap(records)
      + [Self.codeForAmerica].compactMap({ $0 })
    {
      add(person)
    }
    people.sort { $0.id < $1.id }
    users = people.filter { $0.type == "User" }
    note(records("user-rtyler-followers-page-1"), of: "rtyler", in: \.recordedFollowers)
    note(records("user-rtyler-following-page-1"), of: "rtyler", in: \.recordedFollowing)
    note(records("org-members-filter-all"), of: "hub4j-test-org", in: \.recordedMembers)
    note(records("org-public-members-codeforamerica-2014"), of: "codeforamerica", in: \.recordedMembers)
    recordedHits["tom"] = records("search-users-tom").map(\.id)
  }

  /// Known only from the recording of its members and the id in their `Link`.
  private static let codeForAmerica = Person(
    .object(["id": .integer(337_792), "login": .string("codeforamerica"), "type": .string("Organization")]))

  private mutating func add(_ person: Person) {
    guard byID[person.id] == nil, byLogin[person.login.lowercased()] == nil else { return }
    byID[person.id] = person
    byLogin[person.login.lowercased()] = person
    people.append(person)
  }

  /// Renames an account; returns false if the new login is taken.
  mutating func rename(_ login: String, to new: String) -> Bool {
    guard let old = person(login: login), person(login: new) == nil, !new.isEmpty else { return false }
    remove(old)
    insert(Person(old, login: new))
    return true
  }

  /// Removes an account.
  mutating func remove(_ person: Person) {
    byLogin[person.login.lowercased()] = nil
    byID[person.id] = nil
    people.removeAll { $0.id == person.id }
    users.removeAll { $0.id == person.id }
  }

  /// Adds an account; returns false if its id or login is taken.
  mutating func register(_ person: Person) -> Bool {
    guard byID[person.id] == nil, byLogin[person.login.lowercased()] == nil else { return false }
    insert(person)
    return true
  }

  private mutating func insert(_ person: Person) {
    add(person)
    people.sort { $0.id < $1.id }
    users = people.filter { $0.type == "User" }
  }

  private mutating func note(
    _ list: [Person], of login: String, in field: WritableKeyPath<Population, [Int64: [Int64]]>
  ) {
    if let owner = byLogin[login] { self[keyPath: field][owner.id] = list.map(\.id) }
  }

  /// The account with this login, ignoring case.
  func person(login: String) -> Person? { byLogin[login.lowercased()] ?? crowd.person(login: login) }

  /// The account with this id.
  func person(id: Int64) -> Person? { byID[id] ?? crowd.person(id: id) }

  /// The followers of `person`, except the account at the centre of the crowd.
  func followers(of person: Person) -> [Person] {
    crowd.isMember(person)
      ? [] : drawn(after: recordedFollowers[person.id]) { $0.type == "User" && follows($0, person) }
  }

  /// The accounts that `person` follows, except the account at the centre of the crowd.
  func following(of person: Person) -> [Person] {
    if crowd.isMember(person) { return [crowd.person(id: Crowd.firstID)].compactMap { $0 } }
    return drawn(after: recordedFollowing[person.id]) { follows(person, $0) }
  }

  /// The public members of an organisation.
  func members(of organization: Person) -> [Person] {
    drawn(after: recordedMembers[organization.id]) { person in
      person.type == "User" && chance(person.id, organization.id, salt: 2) < 30
    }
  }

  /// The results of a search: accounts whose login or name contains every plain word. Qualifiers other than `user:` are
  /// ignored.
  func search(_ query: String) -> [Person] {
    let words = query.lowercased().split(separator: " ").map(String.init)
    let logins = words.filter { $0.hasPrefix("user:") }.map { String($0.dropFirst(5)) }
    if !logins.isEmpty { return logins.compactMap { byLogin[$0] } }
    let plain = words.filter { !$0.contains(":") }
    guard !plain.isEmpty else { return [] }
    let recorded = recordedHits[plain.joined(separator: " ")] ?? []
    return drawn(after: recorded) { person in
      let text = person.login.lowercased() + " " + (person.name?.lowercased() ?? "")
      return plain.allSatisfy(text.contains)
    }
  }

  /// The recorded accounts in their order, then all others that match, by id.
  private func drawn(after recorded: [Int64]?, where fits: (Person) -> Bool) -> [Person] {
    let first = (recorded ?? []).compactMap { byID[$0] }
    let known = Set(first.map(\.id))
    return first + people.filter { !known.contains($0.id) && fits($0) }
  }

  private func follows(_ person: Person, _ other: Person) -> Bool {
    if person.type != "User" || other.type == "Bot" || person.id == other.id { return false }
    if recordedFollowing[person.id]?.contains(other.id) == true { return true }
    if recordedFollowers[other.id]?.contains(person.id) == true { return true }
    return chance(person.id, other.id, salt: 1) < 30
  }

  /// A number below 100 that is constant for the pair.
  private func chance(_ first: Int64, _ second: Int64, salt: UInt64) -> UInt64 {
    SeededHash.mix(SeededHash.mix(UInt64(first)) ^ UInt64(second) &+ salt << 60) % 100
  }
}
