extension Simulation {
  /// The switches for browser tests, which share no memory with the stand-in: `GET` tells, `POST` sets. A wrong switch
  /// is a 422 and changes nothing.
  func flip(_ path: String, _ request: Request) -> Answer {
    let isSet = request.method == "POST"
    switch path {
    case "/_faults":
      if isSet {
        guard let faults = Faults(json: request.body) else { return Answer(status: 422) }
        self.faults = faults
      }
      return Self.told(faults.json)
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
