import HTTP

extension Simulation {
  /// `GET /repos/OWNER/NAME/issues`: issues and pull requests, open ones unless `state` says otherwise, newest first.
  func issueList(_ repository: Repository, _ query: Query) -> Finding {
    let state = query["state"] ?? "open"
    guard ["open", "closed", "all"].contains(state) else { return .failure(422, "Validation Failed") }
    let sort = ["updated": "updated_at", "comments": "comments"][query["sort"] ?? ""] ?? "created_at"
    let isAscending = query["direction"] == "asc"
    let since = query["since"]
    let records = issueRecords(in: repository).filter { record in
      (state == "all" || record["state"]?.string == state)
        && since.map { $0 <= record["updated_at"]?.string ?? "" } != false
    }
    let sorted = records.sorted { one, other in
      let (first, second) = isAscending ? (one, other) : (other, one)
      return Self.rank(first, by: sort) < Self.rank(second, by: sort)
    }
    let (size, number) = (Self.pageSize(query), Self.pageNumber(query))
    let start = (number - 1).multipliedReportingOverflow(by: size).partialValue
    return .value(
      .array(Array(sorted.dropFirst(max(0, start)).prefix(size))),
      link: link(
        "/repositories/\(repository.id)/issues", query: query, page: number, size: size, total: sorted.count))
  }

  /// Times in GitHub's format compare as text; the number decides between equal ones.
  private static func rank(_ record: JSONValue, by member: String) -> (String, Int64, Int64) {
    (record[member]?.string ?? "", record[member]?.integer ?? 0, record["number"]?.integer ?? 0)
  }

  /// All issues and pull requests of a repository: the recorded ones, and those made up.
  private func issueRecords(in repository: Repository) -> [JSONValue] {
    let path = "\(repository.fullName)/issues/".lowercased()
    let recorded = Self.recordedPaths.keys.filter { $0.hasPrefix(path) }
      .compactMap { Int64($0.dropFirst(path.utf8.count)) }
    return Set(recorded).union(1...Work.count).sorted().compactMap { number in
      if let known = Self.recorded([repository.owner.login, repository.name, "issues", String(number)]) {
        return rebased(known)
      }
      return Work(in: repository, number: number).map { issueRecord($0) }
    }
  }
}
