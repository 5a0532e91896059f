import HTTP

extension Simulation {
  /// A route's result, before header fields, rate limits and validators are applied.
  enum Finding {
    case value(JSONValue, link: String? = nil, fields: [String: String] = [:])
    case failure(Int, String)
    /// A response without JSON of its own: 204, 301, 302.
    case answer(Answer)
  }

  /// A response of the API.
  func api(_ path: String, query: Query, request: Request, faults: Faults) -> Answer {
    guard request.fields["user-agent"]?.isEmpty == false else {
      let words = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n"
      return Answer(status: 403, fields: ["content-type": "text/plain"], body: Array(words.utf8))
    }
    let resource = path.hasPrefix(options.basePath + "/search/") ? "search" : "core"
    var request = request
    // These faults need a body to act on.
    if [.malformed, .truncated, .oversized, .slowBody].contains(faults.mode) { request.fields["if-none-match"] = nil }
    let asker = asker(of: request)
    if let answer = fault(faults, path: path, query: query, asker: asker, resource: resource) { return answer }
    var finding = finding(path, query: query, request: request, asker: asker)
    if faults.mode == .emptyPage, case .value(.array, let link?, let fields) = finding, !link.contains("rel=\"prev\""),
      query["since"] == nil
    {
      finding = .value(.array([]), link: link, fields: fields)
    }
    var answer = plain(finding, request: request, asker: asker, resource: resource)
    let isFree =
      answer.status == 304 && (asker.isKnown || !options.chargesAnonymousNotModified)
      || path == options.basePath + "/rate_limit"
    let reading = count(asker, resource: resource, cost: isFree ? 0 : 1)
    if reading.isExceeded { answer = limited(asker) }
    answer.put(reading)
    if case .person(let grant) = asker {
      answer.fields["x-oauth-scopes"] = grant.scope.replacing(",", with: ", ")
      answer.fields["x-accepted-oauth-scopes"] = ""
    }
    return answer
  }

  /// Adds the validator; returns 304 if the client already has this version, by weak comparison.
  private func plain(_ finding: Finding, request: Request, asker: Asker, resource: String) -> Answer {
    switch finding {
    case .failure(let status, let message):
      return Self.failure(status, message)
    case .answer(let answer):
      return answer
    case .value(let value, let link, let fields):
      var answer = Answer(status: 200, fields: ["content-type": "application/json; charset=utf-8"], body: value.bytes)
      answer.fields.merge(fields) { _, new in new }
      answer.fields["link"] = link
      answer.fields["vary"] = "Accept, Authorization, Cookie, X-GitHub-OTP"
      answer.fields["cache-control"] = "no-cache"
      if resource == "search" { return answer }
      answer.fields["cache-control"] =
        (asker.isKnown ? "private" : "public") + ", max-age=60, s-maxage=60"
      // An ETag is valid only for the credential that received it.
      let tag = "\"" + SeededHash.hexadecimal(answer.body + ((link ?? "") + asker.account).utf8) + "\""
      answer.fields["etag"] = "W/" + tag
      if let known = request.fields["if-none-match"], known == tag || known == "W/" + tag {
        // As recorded: the 304's ETag is strong even if the 200's was weak.
        answer.fields["etag"] = tag
        answer.fields["link"] = nil
        answer.status = 304
        answer.body = []
      }
      return answer
    }
  }
}
