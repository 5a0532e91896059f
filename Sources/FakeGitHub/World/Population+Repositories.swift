extension Population {
  /// An account's repositories: the recorded ones, then generated ones.
  func repositories(of owner: Person) -> [Repository] {
    let recorded = recordedRepositories.filter { $0.owner.id == owner.id }
    let made = owner.type == "Bot" ? [] : Repository.kinds(of: owner).map { Repository(of: owner, kind: $0) }
    return recorded + made
  }

  /// The repository with this name, ignoring case. Every user also has forks of the repositories that others started.
  func repository(owner: String, name: String) -> Repository? {
    guard let owner = person(login: owner) else { return nil }
    if let known = repositories(of: owner).first(where: { $0.name.lowercased() == name.lowercased() }) { return known }
    return owner.type == "User" ? Repository.kind(named: name).map { Repository(of: owner, kind: $0) } : nil
  }

  /// The repository with this id.
  func repository(id: Int64) -> Repository? {
    if let recorded = recordedRepositories.first(where: { $0.id == id }) { return recorded }
    guard let (owner, kind) = Repository.origin(of: id), let person = person(id: owner) else { return nil }
    return repository(owner: person.login, name: Repository(of: person, kind: kind).name)
  }

  /// The organisations of which an account is a public member.
  func organizations(of member: Person) -> [Person] {
    people.filter { $0.type == "Organization" && members(of: $0).contains { $0.id == member.id } }
  }
}
