import HTTP

extension Simulation {
  /// The response that a fault sends instead of any other; nil if the fault only alters responses, or does not apply.
  func fault(_ faults: Faults, path: String, query: Query, asker: Asker, resource: String) -> Answer? {
    switch faults.mode {
    case .outage: return Answer(status: 0, isDropped: true)
    case .notFound: return Self.failure(404, "Not Found")
    case .unauthorized: return Self.recorded("error-401-bad-credentials", status: 401)
    case .forbidden: return Self.recorded("error-403-not-accessible-by-integration", status: 403)
    case .blocked: return Self.blocked
    case .serverError: return Self.unicorn
    case .badGateway:
      let page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>502 Bad Gateway</body>\r\n</html>\r\n"
      return Answer(status: 502, fields: ["content-type": "text/html"], body: Array(page.utf8))
    case .secondary:
      var answer = Self.recorded("limit-secondary-403-body-only", status: 403)
      answer.fields["retry-after"] = faults.resetInSeconds.map(String.init)
      return answer
    case .tooMany:
      var answer = Self.recorded("limit-secondary-429-no-retry-after", status: 429)
      answer.fields["retry-after"] = faults.resetInSeconds.map(String.init)
      return answer
    case .rateLimit:
      var answer = limited(asker)
      var reading = count(asker, resource: resource, cost: 0)
      reading.remaining = 0
      reading.used = reading.limit
      reading.reset = options.now() + (faults.resetInSeconds ?? 3600)
      answer.put(reading)
      return answer
    case .notModified: return Answer(status: 304, fields: ["etag": "\"" + SeededHash.hexadecimal([]) + "\""])
    case .foreignRedirect:
      return Answer(status: 301, fields: ["location": faults.foreignOrigin + path])
    case .redirects: return hop(faults, path, query)
    case .none, .slow, .slowBody, .timeout, .truncated, .oversized, .malformed, .gzip, .foreignLink, .emptyPage,
      .overlap:
      return nil
    }
  }

  /// Applies a fault to a correct response.
  func spoil(_ answer: inout Answer, _ faults: Faults) {
    answer.delayMilliseconds = faults.mode == .timeout ? 600_000 : faults.delayMilliseconds
    guard answer.status == 200 else { return }
    switch faults.mode {
    case .truncated: answer.delivery = .cut
    case .slowBody:
      answer.delayMilliseconds = 0
      answer.delivery = .halting(milliseconds: faults.delayMilliseconds)
    case .oversized:
      answer.body += Array(repeating: UInt8(ascii: " "), count: max(0, faults.bytes - answer.body.count))
    case .malformed:
      let isPicture = answer.fields["content-type"]?.hasPrefix("image/") == true
      answer.body = isPicture ? Array("<html>".utf8) : Array(answer.body.prefix(answer.body.count / 2))
    case .gzip:
      if let body = Gzip.encode(answer.body, effort: .quick) {
        answer.body = body
        answer.fields["content-encoding"] = "gzip"
      }
    case .foreignLink: answer.fields["link"] = answer.fields["link"]?.replacing(base, with: faults.foreignOrigin)
    default: break
    }
  }

  /// A 301 to the same path with a counter, until the requested number of hops is reached.
  private func hop(_ faults: Faults, _ path: String, _ query: Query) -> Answer? {
    let number = query["hop"].flatMap { Int($0) } ?? 0
    if let times = faults.times, number >= times { return nil }
    let items = query.raw.split(separator: "&").filter { !$0.hasPrefix("hop=") } + ["hop=\(number + 1)"]
    return Answer(status: 301, fields: ["location": origin + path + "?" + items.joined(separator: "&")])
  }

  /// The primary rate limit with GitHub's message.
  func limited(_ asker: Asker) -> Answer {
    if case .person(let grant) = asker {
      return Self.failure(403, "API rate limit exceeded for user ID \(grant.person).")
    }
    let hint = "(But here's the good news: Authenticated requests get a higher rate limit.)"
    return Self.failure(403, "API rate limit exceeded for 127.0.0.1. " + hint)
  }

  static var unicorn: Answer {
    var answer = recorded("error-503-unicorn-html", status: 503)
    answer.fields["content-type"] = "text/html; charset=utf-8"
    return answer
  }

  private static var blocked: Answer {
    let body = JSONValue.object([
      "message": .string("Repository access blocked"),
      "block": .object([
        "reason": .string("dmca"), "created_at": .string("2025-01-01T00:00:00Z"),
        "html_url": .string("https://github.com/github/dmca"),
      ]),
    ])
    return Answer(status: 451, fields: ["content-type": "application/json; charset=utf-8"], body: body.bytes)
  }

  /// A failure in GitHub's format.
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
  /// Sets the rate-limit header fields.
  mutating func put(_ reading: Quota.Reading) {
    fields["x-ratelimit-limit"] = String(reading.limit)
    fields["x-ratelimit-remaining"] = String(reading.remaining)
    fields["x-ratelimit-used"] = String(reading.used)
    fields["x-ratelimit-reset"] = String(reading.reset)
    fields["x-ratelimit-resource"] = reading.resource
  }
}
