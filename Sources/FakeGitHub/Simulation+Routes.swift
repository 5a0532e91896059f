import Foundation
import HTTP

extension Simulation {
  /// Routes the path. `Link` always uses numeric ids, so those are routes too.
  func finding(_ path: String, query: Query, request: Request, asker: Asker) -> Finding {
    if asker == .unknown { return .failure(401, "Bad credentials") }
    let missing = Finding.failure(404, "Not Found")
    if let version = request.fields["x-github-api-version"], !["2022-11-28", "2026-03-10"].contains(version) {
      return .failure(400, "\"\(version)\" is not a supported version: 2022-11-28, 2026-03-10")
    }
    guard request.method == "GET" || request.method == "HEAD", path.hasPrefix(options.basePath + "/"),
      let segments = Self.segments(path.dropFirst(options.basePath.count))
    else { return missing }
    switch segments.first {
    case "users" where segments.count == 1: return users(query)
    case "search" where segments == ["search", "users"]: return search(query)
    case "rate_limit" where segments.count == 1: return limits(asker, version: request.fields["x-github-api-version"])
    case "events" where segments.count == 1:
      return news(timeline.events(now: time), target: "/events", query, hasLast: false)
    case "user" where segments.count == 1 || segments == ["user", "emails"]:
      return me(segments.dropFirst(), asker: asker)
    case "users", "user":
      guard segments.count > 1, let person = owner(segments) else { return missing }
      return about(person, Array(segments.dropFirst(2)), query)
    case "orgs", "organizations": return organizations(segments, query: query)
    case "repos", "repositories": return repositories(segments, query: query)
    default: return missing
    }
  }

  private func about(_ person: Person, _ rest: [String], _ query: Query) -> Finding {
    let target = "/user/\(person.id)/" + rest.joined(separator: "/")
    switch rest {
    case []: return .value(.object(fullRecord(person)))
    case ["followers"] where Crowd.isCentre(person), ["following"] where Crowd.isCentre(person):
      return page(of: population.crowd.members, target: target, query: query)
    case ["followers"]: return page(of: population.followers(of: person), target: target, query: query)
    case ["following"]: return page(of: population.following(of: person), target: target, query: query)
    case ["orgs"]: return memberships(of: person, query: query)
    case ["received_events"], ["received_events", "public"]:
      let followed = population.following(of: person)
      return news(timeline.events(by: followed, now: time), target: target, query, hasLast: false)
    case ["events"], ["events", "public"]:
      return news(timeline.events(by: [person], now: time), target: target, query)
    default:
      guard rest.count == 2, rest[0] == "following" else { return .failure(404, "Not Found") }
      // 204 for a follower, 404 otherwise.
      if Crowd.isCentre(person), let other = population.person(login: rest[1]), population.crowd.isMember(other) {
        return .answer(Answer(status: 204))
      }
      let isFollowed = population.following(of: person).contains { $0.login.lowercased() == rest[1].lowercased() }
      return isFollowed ? .answer(Answer(status: 204)) : .failure(404, "Not Found")
    }
  }

  /// `GET /rate_limit`. The newer API version no longer has `rate`.
  private func limits(_ asker: Asker, version: String?) -> Finding {
    func bucket(_ resource: String) -> JSONValue {
      let reading = reading(asker, resource: resource)
      return .object([
        "limit": .integer(reading.limit), "remaining": .integer(reading.remaining), "used": .integer(reading.used),
        "reset": .integer(reading.reset),
      ])
    }
    var members: [String: JSONValue] = [
      "resources": .object(["core": bucket("core"), "search": bucket("search")])
    ]
    if version != "2026-03-10" { members["rate"] = bucket("core") }
    return .value(.object(members))
  }

  /// The account's full record.
  func fullRecord(_ person: Person) -> [String: JSONValue] {
    let population = population
    let isCentre = Crowd.isCentre(person)
    return person.fullRecord(
      base: base, origin: origin,
      followers: isCentre ? population.crowd.size : population.followers(of: person).count,
      following: isCentre ? population.crowd.size : population.following(of: person).count)
  }

  /// The account named by login, or by id in the aliases.
  func owner(_ segments: [String]) -> Person? {
    switch segments[0] {
    case "user", "organizations": Int64(segments[1]).flatMap(population.person(id:))
    default: population.person(login: segments[1])
    }
  }

  /// `GET /users`: by id after `since`. `next` contains the last id; `first` is a URI template; there is no `last`.
  private func users(_ query: Query) -> Finding {
    let since = query["since"].flatMap { Int64($0) } ?? 0
    let size = Self.pageSize(query)
    let rest = population.people.filter { $0.id > since }
    let page = rest.prefix(size)
    var links: [String] = []
    if rest.count > size, let last = page.last {
      let sizeItem = query["per_page"].map { "per_page=\($0)&" } ?? ""
      links.append("<\(base)/users?\(sizeItem)since=\(last.id)>; rel=\"next\"")
    }
    links.append("<\(base)/users{?since}>; rel=\"first\"")
    return .value(.array(page.map(record)), link: links.joined(separator: ", "))
  }

  private func search(_ query: Query) -> Finding {
    guard let text = query["q"], !text.isEmpty else { return .failure(422, "Validation Failed") }
    let size = Self.pageSize(query)
    let number = Self.pageNumber(query)
    if (number - 1) * size >= 1000 { return .failure(422, "Only the first 1000 search results are available") }
    let found = population.search(text)
    let items = found.dropFirst((number - 1) * size).prefix(size).map { person in
      var record = person.simpleRecord(base: base, origin: origin)
      record["score"] = .number(1)
      return JSONValue.object(record)
    }
    let result: JSONValue = .object([
      "total_count": .integer(Int64(found.count)), "incomplete_results": .bool(false), "items": .array(items),
    ])
    return .value(result, link: link("/search/users", query: query, page: number, size: size, total: found.count))
  }

  /// A page of accounts.
  func page(of people: some RandomAccessCollection<Person>, target: String, query: Query) -> Finding {
    let size = Self.pageSize(query)
    let number = Self.pageNumber(query)
    let page = people.dropFirst((number - 1).multipliedReportingOverflow(by: size).partialValue).prefix(size)
    let link = link(target, query: query, page: number, size: size, total: people.count)
    return .value(.array(page.map(record)), link: link)
  }

  /// `prev` and `first` from the second page on; `next` and `last` before the last page; none if everything fits on one
  /// page.
  func link(
    _ target: String, query: Query, page: Int, size: Int, total: Int, hasLast: Bool = true
  ) -> String? {
    let last = max(1, (total + size - 1) / size)
    func entry(_ number: Int, _ relation: String) -> String {
      let kept = query.raw.split(separator: "&").filter { !$0.hasPrefix("page=") }.map(String.init)
      let items = (kept + ["page=\(number)"]).joined(separator: "&")
      return "<\(base)\(target)?\(items)>; rel=\"\(relation)\""
    }
    var links: [String] = []
    if page > 1 { links.append(entry(page - 1, "prev")) }
    if page < last { links.append(entry(page + 1, "next")) }
    if page < last, hasLast { links.append(entry(last, "last")) }
    if page > 1 { links.append(entry(1, "first")) }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }

  /// The requested page, starting at 1.
  static func pageNumber(_ query: Query) -> Int { max(1, query["page"].flatMap { Int($0) } ?? 1) }

  /// The requested page size: 30 by default, at most 100.
  static func pageSize(_ query: Query) -> Int {
    let asked = query["per_page"].flatMap { Int($0) } ?? 30
    return asked < 1 ? 30 : min(asked, 100)
  }

  /// The path's decoded segments; nil for a trailing slash or an empty segment, for which GitHub returns 404.
  private static func segments(_ path: some StringProtocol) -> [String]? {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains("") else { return nil }
    let decoded = parts.compactMap { String($0).removingPercentEncoding }
    return decoded.count == parts.count ? decoded : nil
  }
}
