import HTTP

extension Simulation {
  /// `/u/ID?v=4&s=SIZE`, the avatar host. Not rate-limited, and the same for every client.
  func picture(_ path: String, query: Query, request: Request, faults: Faults) -> Answer {
    if faults.concernsPictures,
      let answer = fault(faults, path: path, query: query, asker: .anonymous, resource: "core")
    {
      return answer
    }
    guard let number = Int64(path.dropFirst("/u/".count)), number >= 0 else { return Self.failure(404, "Not Found") }
    let size = query["s"].flatMap { Int($0) } ?? 420
    var answer = Answer(status: 200, fields: ["content-type": "image/png", "cache-control": "max-age=300"])
    answer.body = Identicon.png(for: number, size: min(max(size, 16), 460))
    let tag = "\"" + SeededHash.hexadecimal(answer.body) + "\""
    answer.fields["etag"] = tag
    if request.fields["if-none-match"] == tag {
      answer.status = 304
      answer.body = []
    }
    return answer
  }
}
