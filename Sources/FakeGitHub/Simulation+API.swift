import HTTP

extension Simulation {
  /// What a route gives before headers, limits and validators are put on it.
  enum Finding {
    case value(JSONValue, link: String? = nil)
    case failure(Int, String)
  }

  /// An answer of the API.
  func api(_ path: String, query: Query, request: Request, faults: Faults) -> Answer {
    guard request.fields["user-agent"]?.isEmpty == false else {
      let words = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n"
      return Answer(status: 403, fields: ["content-type": "text/plain"], body: Array(words.utf8))
    }
    let resource = path.hasPrefix(options.basePath + "/search/") ? "search" : "core"
    var request = request
    // What breaks off must have been there.
    if faults.mode == .malformed { request.fields["if-none-match"] = nil }
    let asker = asker(of: request)
    if let answer = fault(faults, asker: asker, resource: resource) { return answer }
    var answer = plain(
      finding(path, query: query, request: request, asker: asker), request: request, asker: asker, resource: resource)
    let isFree = answer.status == 304 && (asker.isKnown || !options.chargesAnonymousNotModified)
    let reading = count(asker, resource: resource, cost: isFree ? 0 : 1)
    if reading.isExceeded { answer = limited() }
    answer.put(reading)
    if case .person(let grant) = asker {
      answer.fields["x-oauth-scopes"] = grant.scope.replacing(",", with: ", ")
      answer.fields["x-accepted-oauth-scopes"] = ""
    }
    if faults.mode == .malformed, answer.status == 200 {
      answer.body = Array(answer.body.prefix(answer.body.count / 2))
    }
    return answer
  }

  /// The answer with its validator; 304 where the asker has it already, compared weakly.
  private func plain(_ finding: Finding, request: Request, asker: Asker, resource: String) -> Answer {
    switch finding {
    case .failure(let status, let message):
      return Self.failure(status, message)
    case .value(let value, let link):
      var answer = Answer(status: 200, fields: ["content-type": "application/json; charset=utf-8"], body: value.bytes)
      answer.fields["link"] = link
      answer.fields["vary"] = "Accept, Authorization, Cookie, X-GitHub-OTP"
      answer.fields["cache-control"] = "no-cache"
      if resource == "search" { return answer }
      answer.fields["cache-control"] =
        (asker.isKnown ? "private" : "public") + ", max-age=60, s-maxage=60"
      // A tag proves something for its own asker only.
      let tag = "\"" + StableHash.hexadecimal(answer.body + ((link ?? "") + asker.account).utf8) + "\""
      answer.fields["etag"] = "W/" + tag
      if let known = request.fields["if-none-match"], known == tag || known == "W/" + tag {
        // The 304's tag is strong where the 200's was weak, as recorded.
        answer.fields["etag"] = tag
        answer.fields["link"] = nil
        answer.status = 304
        answer.body = []
      }
      return answer
    }
  }

  /// The answer that a fault makes of any request, nil where it changes none or only some of it.
  private func fault(_ faults: Faults, asker: Asker, resource: String) -> Answer? {
    switch faults.mode {
    case .none, .slow, .malformed, .outage: return nil
    case .notFound: return Self.failure(404, "Not Found")
    case .serverError: return Self.unicorn
    case .secondary:
      var answer = Self.recorded("limit-secondary-403-body-only", status: 403)
      answer.fields["retry-after"] = faults.resetInSeconds.map(String.init)
      return answer
    case .rateLimit:
      var answer = limited()
      var reading = count(asker, resource: resource, cost: 0)
      reading.remaining = 0
      reading.used = reading.limit
      reading.reset = options.now() + (faults.resetInSeconds ?? 3600)
      answer.put(reading)
      return answer
    }
  }

  private func limited() -> Answer {
    let hint = "(But here's the good news: Authenticated requests get a higher rate limit.)"
    return Self.failure(403, "API rate limit exceeded for 127.0.0.1. " + hint)
  }

  static var unicorn: Answer {
    var answer = recorded("error-503-unicorn-html", status: 503)
    answer.fields["content-type"] = "text/html; charset=utf-8"
    return answer
  }

  static func failure(_ status: Int, _ message: String) -> Answer {
    let body = JSONValue.object([
      "message": .string(message), "documentation_url": .string("https://docs.github.com/rest"),
      "status": .string(String(status)),
    ])
    return Answer(status: status, fields: ["content-type": "application/json; charset=utf-8"], body: body.bytes)
  }

  private static func recorded(_ name: String, status: Int) -> Answer {
    Answer(
      status: status, fields: ["content-type": "application/json; charset=utf-8"],
      body: Recording.named(name)?.body ?? [])
  }
}

extension Simulation.Answer {
  fileprivate mutating func put(_ reading: Quota.Reading) {
    fields["x-ratelimit-limit"] = String(reading.limit)
    fields["x-ratelimit-remaining"] = String(reading.remaining)
    fields["x-ratelimit-used"] = String(reading.used)
    fields["x-ratelimit-reset"] = String(reading.reset)
    fields["x-ratelimit-resource"] = reading.resource
  }
}
