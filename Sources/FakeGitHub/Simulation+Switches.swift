extension Simulation {
  /// Controls for browser tests, which share no memory with the stand-in: `GET` reads, `POST` sets. An invalid request
  /// gets 422 and changes nothing.
  func flip(_ path: String, _ request: Request) -> Answer {
    let isSet = request.method == "POST"
    switch path {
    case "/_faults":
      if isSet {
        let value = JSONValue(request.body) ?? .null
        let rules = (value.array ?? [value]).map(Faults.init(json:))
        guard !rules.contains(nil) else { return Answer(status: 422) }
        faultRules = rules.compactMap { $0 }
      }
      let rules = faultRules.map(\.json)
      return Self.told((rules.count > 1 ? .array(rules) : rules.first ?? Faults().json).bytes)
    case "/_accounts":
      guard isSet, let value = JSONValue(request.body), changeAccounts(value) else { return Answer(status: 422) }
      return Self.told(request.body)
    case "/_sign_in":
      if isSet {
        guard let approval = Approval(json: request.body) else { return Answer(status: 422) }
        self.approval = approval
      }
      return Self.told(approval.json)
    case "/_clock":
      if isSet {
        guard let ahead = JSONValue(request.body)?["ahead_s"]?.integer, (0...1_000_000_000).contains(ahead) else {
          return Answer(status: 422)
        }
        secondsAhead = ahead
      }
      return Self.told(JSONValue.object(["ahead_s": .integer(secondsAhead)]).bytes)
    default: return Answer(status: 404)
    }
  }

  private static func told(_ json: [UInt8]) -> Answer {
    Answer(status: 200, fields: ["content-type": "application/json"], body: json)
  }
}
