import HTTP

extension Simulation {
  /// `/orgs/NAME/…` and `/organizations/ID/…`.
  func organizations(_ segments: [String], query: Query) -> Finding {
    let missing = Finding.failure(404, "Not Found")
    guard segments.count > 1, let organization = owner(segments), organization.type == "Organization" else {
      return missing
    }
    let target = "/organizations/\(organization.id)/"
    let rest = Array(segments.dropFirst(2))
    switch rest.first {
    case nil: return .value(organizationRecord(organization))
    case "events" where rest.count == 1:
      return news(timeline.events(of: organization, now: time), target: target + "events", query)
    case "members", "public_members":
      let members = population.members(of: organization)
      if rest.count == 1 { return page(of: members, target: target + rest[0], query: query) }
      guard rest.count == 2 else { return missing }
      // No client is a member, so all are redirected to the public list.
      if rest[0] == "members" {
        let location = base + target + "public_members/" + Person.path(rest[1])
        return .answer(Answer(status: 302, fields: ["location": location, "content-type": "text/html;charset=utf-8"]))
      }
      if members.contains(where: { $0.login.lowercased() == rest[1].lowercased() }) {
        return .answer(Answer(status: 204))
      }
      return .failure(404, "User does not exist or is not a public member of the organization")
    default: return missing
    }
  }

  /// An organisation's full record: as recorded, or modelled on another's.
  private func organizationRecord(_ organization: Person) -> JSONValue {
    let recorded = ["org-github-2019", "org-jenkinsci-2019", "org-hub4j-test-org-2022"].first {
      Self.template($0)["id"]?.integer == organization.id
    }
    let texts =
      recorded == nil
      ? [("orgs/github", "orgs/" + organization.login), ("com/github", "com/" + organization.login)] : []
    let text = rebased(Self.template(recorded ?? "org-github-2019"), texts: texts, isAccount: true)
    if recorded != nil { return text }
    let members: [String: JSONValue] = [
      "login": .string(organization.login), "id": .integer(organization.id),
      "avatar_url": .string(origin + "/u/\(organization.avatar)?v=4"), "name": JSONValue(organization.name),
      "description": .null, "location": .null, "email": .null, "blog": .string(""), "company": .null,
      "public_repos": .integer(Int64(population.repositories(of: organization).count)),
    ]
    return text.setting(members.filter { text[$0.key] != nil })
  }

  /// The organisations of which a person is a public member, in short form.
  func memberships(of person: Person, query: Query) -> Finding {
    let records = population.organizations(of: person).map { organization in
      let own = base + "/orgs/" + organization.login
      var record: [String: JSONValue] = [
        "login": .string(organization.login), "id": .integer(organization.id), "url": .string(own),
        "node_id": .string(organization.nodeID), "avatar_url": .string(origin + "/u/\(organization.avatar)?v=4"),
        "members_url": .string(own + "/members{/member}"),
        "public_members_url": .string(own + "/public_members{/member}"), "description": .null,
      ]
      for name in ["repos", "events", "hooks", "issues"] { record[name + "_url"] = .string(own + "/" + name) }
      return JSONValue.object(record)
    }
    let size = Self.pageSize(query)
    let number = Self.pageNumber(query)
    let page = records.dropFirst((number - 1).multipliedReportingOverflow(by: size).partialValue).prefix(size)
    let link = link("/user/\(person.id)/orgs", query: query, page: number, size: size, total: records.count)
    return .value(.array(Array(page)), link: link)
  }
}
