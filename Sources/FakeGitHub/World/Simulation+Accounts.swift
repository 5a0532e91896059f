extension Simulation {
  /// Renames an account; its id stays. Returns false if the account is unknown or the login is taken.
  @discardableResult
  package func rename(_ login: String, to new: String) -> Bool {
    changePopulation { $0.rename(login, to: new) }
  }

  /// Adds a person's account. It may reuse a login that its owner gave up. Returns false if the login or id is taken.
  @discardableResult
  package func register(_ login: String, id: Int64) -> Bool {
    changePopulation { $0.register(Person(id: id, login: login)) }
  }

  /// Deletes an account. Returns false if it is unknown.
  @discardableResult
  package func remove(_ login: String) -> Bool {
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
