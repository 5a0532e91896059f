import FoundationEssentials

extension Simulation {
  /// The client's identity.
  enum Asker: Equatable {
    case anonymous
    case person(SignIns.Grant)
    case application
    /// An invalid token or secret.
    case unknown

    /// The key of its rate limits. All tokens of an account share one; invalid ones count as anonymous.
    var account: String {
      switch self {
      case .anonymous, .unknown: ""
      case .person(let grant): "user \(grant.person)"
      case .application: "application"
      }
    }

    var isKnown: Bool { self != .anonymous && self != .unknown }
  }

  /// The client identified by the request's `Authorization`.
  func asker(of request: Request) -> Asker {
    guard let field = request.fields["authorization"] else { return .anonymous }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return .unknown }
    switch parts[0].lowercased() {
    case "bearer", "token":
      let token = String(parts[1])
      let preset = options.tokens[token].flatMap(population.person(login:)).map {
        SignIns.Grant(person: $0.id, scope: "")
      }
      return (preset ?? withSignIns { signIns, _ in signIns.grant(of: token) }).map(Asker.person) ?? .unknown
    case "basic":
      let known = Data("\(options.application.id):\(options.application.secret)".utf8).base64EncodedString()
      return parts[1] == known ? .application : .unknown
    default: return .unknown
    }
  }

  /// `GET /user`, `/user/emails`: the authenticated account.
  func me(_ rest: ArraySlice<String>, asker: Asker) -> Finding {
    guard case .person(let grant) = asker, let person = population.person(id: grant.person) else {
      return .failure(401, "Requires authentication")
    }
    let scopes = grant.scope.split(separator: ",")
    switch Array(rest) {
    case []:
      var record = fullRecord(person)
      record["user_view_type"] = .string("public")
      if scopes.contains(where: { $0 == "user" || $0 == "read:user" }) {
        record["two_factor_authentication"] = .bool(true)
        record["plan"] = .object(["name": .string("free")])
      } else {
        record["notification_email"] = .null
      }
      return .value(.object(record))
    case ["emails"] where scopes.contains { $0 == "user" || $0 == "user:email" }:
      return .value(
        .array([
          .object([
            "email": .string(person.login.lowercased() + "@example.com"), "primary": .bool(true),
            "verified": .bool(!options.unverifiedLogins.contains(person.login.lowercased())), "visibility": .null,
          ])
        ]))
    default: return .failure(404, "Not Found")
    }
  }
}
