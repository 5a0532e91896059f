extension Simulation {
  /// Gives an account another login; its id stays. False where there is no such account or the login is taken.
  @discardableResult
  public func rename(_ login: String, to new: String) -> Bool {
    changePopulation { $0.rename(login, to: new) }
  }

  /// Adds an account of a person: a new one may have a login that somebody else has given up. False where login or id
  /// are taken.
  @discardableResult
  public func register(_ login: String, id: Int64) -> Bool {
    changePopulation { $0.register(Person(id: id, login: login)) }
  }

  /// Deletes an account. False where there is none.
  @discardableResult
  public func remove(_ login: String) -> Bool {
    changePopulation { population in
      guard let person = population.person(login: login) else { return false }
      population.remove(person)
      return true
    }
  }

  /// `POST /_accounts`: `{"rename": "a", "to": "b"}`, `{"add": "a", "id": 7}` or `{"remove": "a"}`.
  func changeAccounts(_ value: JSONValue) -> Bool {
    if let old = value["rename"]?.string, let new = value["to"]?.string { return rename(old, to: new) }
    if let login = value["add"]?.string, let id = value["id"]?.integer, id > 0, !login.isEmpty {
      return register(login, id: id)
    }
    return value["remove"]?.string.map(remove) ?? false
  }
}
