/// The events on the stand-in's GitHub over time. Each event is determined by its number alone, so the past never
/// changes and the future arrives with the clock.
struct Timeline: Sendable {
  struct Event: Sendable {
    /// Its position in the timeline.
    let number: Int64
    /// The time in seconds since the epoch.
    let time: Int64
    /// The account that acted.
    var actor: Person
    /// The repository in which it happened.
    var repository: Repository
    /// The source of all other pseudo-random choices.
    let hash: UInt64
  }

  /// The number of events in a feed; the same as GitHub's.
  static let longest = 300
  /// The age of the oldest event in a feed in seconds; the same as GitHub's.
  static let oldest: Int64 = 30 * 86_400
  /// How many events are searched for those of a single account.
  private static let searched: Int64 = 40_000

  /// The average number of seconds between two events.
  let interval: Int64
  private let users: [Person]
  private let repositories: [Repository]
  /// The ranges of `repositories` owned by each user.
  private let own: [Range<Int>]
  /// The range of `repositories` owned by organisations.
  private let shared: Range<Int>

  /// The timeline of a population.
  init(_ population: Population, interval: Int64) {
    self.interval = max(1, interval)
    users = population.users
    var repositories: [Repository] = []
    own = users.map { user in
      let start = repositories.count
      repositories += population.repositories(of: user).filter { !$0.isPrivate }
      return start..<repositories.count
    }
    let start = repositories.count
    for person in population.people where person.type == "Organization" {
      repositories += population.repositories(of: person)
    }
    self.repositories = repositories
    shared = start..<repositories.count
  }

  /// All events, newest first.
  func events(now: Int64) -> [Event] { events(now: now) { _ in true } }

  /// The events of some accounts.
  func events(by actors: some Sequence<Person>, now: Int64) -> [Event] {
    let ids = Set(actors.map(\.id))
    let positions = Set(users.indices.filter { ids.contains(users[$0].id) })
    return positions.isEmpty ? [] : events(now: now) { positions.contains(actor($0)) }
  }

  /// The events in a repository.
  func events(in repository: Repository, now: Int64) -> [Event] {
    guard let position = repositories.firstIndex(where: { $0.id == repository.id }) else { return [] }
    return events(now: now) { place($0) == position }
  }

  /// The events in an organisation's repositories.
  func events(of organization: Person, now: Int64) -> [Event] {
    let positions = Set(repositories.indices.filter { repositories[$0].owner.id == organization.id })
    return positions.isEmpty ? [] : events(now: now) { positions.contains(place($0)) }
  }

  private func events(now: Int64, where fits: (Int64) -> Bool) -> [Event] {
    guard !users.isEmpty, !repositories.isEmpty, now > 0 else { return [] }
    var found: [Event] = []
    var number = now / interval
    if time(number) > now { number -= 1 }
    let end = max(0, number - Self.searched, (now - Self.oldest) / interval)
    while number > end, found.count < Self.longest {
      if fits(number) { found.append(event(number)) }
      number -= 1
    }
    return found
  }

  private func event(_ number: Int64) -> Event {
    Event(
      number: number, time: time(number), actor: users[actor(number)], repository: repositories[place(number)],
      hash: hash(number, 3))
  }

  /// A time within the event's interval, so that times increase with numbers.
  private func time(_ number: Int64) -> Int64 { number * interval + Int64(hash(number, 0) % UInt64(interval)) }

  private func actor(_ number: Int64) -> Int { Int(hash(number, 1) % UInt64(users.count)) }

  /// Half of the events are in the actor's own repositories, a quarter in organisations', the rest anywhere.
  private func place(_ number: Int64) -> Int {
    let hash = hash(number, 2)
    let home = own[actor(number)]
    if hash % 2 == 0, !home.isEmpty { return home.lowerBound + Int(hash >> 8 % UInt64(home.count)) }
    if hash % 4 == 1, !shared.isEmpty { return shared.lowerBound + Int(hash >> 8 % UInt64(shared.count)) }
    return Int(hash >> 8 % UInt64(repositories.count))
  }

  private func hash(_ number: Int64, _ salt: UInt64) -> UInt64 {
    SeededHash.mix(UInt64(bitPattern: number) &* 4 &+ salt)
  }
}
