import FoundationEssentials
import HTTP

extension Simulation {
  /// `GET /repos/OWNER/NAME/issues/N/comments`, oldest first.
  func comments(on work: Work, _ query: Query) -> Finding {
    let kind = work.isPull ? "pull" : "issues"
    let page = "https://github.com/\(work.repository.fullName)/\(kind)/\(work.number)#issuecomment-"
    return list(
      (0..<work.comments).map { comment($0, seed: work.authorSeed, madeAt: work.madeAt, page: page) },
      "/repositories/\(work.repository.id)/issues/\(work.number)/comments", query)
  }

  /// `GET /repos/OWNER/NAME/commits/SHA/comments`, oldest first.
  func comments(on commit: CommitName, in repository: Repository, _ query: Query) -> Finding {
    let page = "https://github.com/\(repository.fullName)/commit/\(commit.text)#commitcomment-"
    let seed = SeededHash.mix(UInt64(bitPattern: commit.number))
    return list(
      (0..<commit.comments).map { comment($0, seed: seed, madeAt: 1_735_689_600 + commit.number, page: page) },
      "/repositories/\(repository.id)/commits/\(commit.text)/comments", query)
  }

  private func list(_ comments: [JSONValue], _ path: String, _ query: Query) -> Finding {
    let (size, number) = (Self.pageSize(query), Self.pageNumber(query))
    let start = (number - 1).multipliedReportingOverflow(by: size).partialValue
    return .value(
      .array(Array(comments.dropFirst(max(0, start)).prefix(size))),
      link: link(path, query: query, page: number, size: size, total: comments.count))
  }

  private func comment(_ index: Int64, seed: UInt64, madeAt: Int64, page: String) -> JSONValue {
    let hash = SeededHash.mix(seed &+ UInt64(index))
    let id = Int64(hash % 1_000_000_000)
    let time = JSONValue.string(Self.isoTime(madeAt + (index + 1) * 3600))
    return .object([
      "id": .integer(id), "html_url": .string(page + String(id)), "user": somebody(hash).map(record) ?? .null,
      "body": .string(Self.commentTexts[Int(hash % UInt64(Self.commentTexts.count))]), "created_at": time,
      "updated_at": time, "author_association": .string("NONE"),
    ])
  }

  private static let commentTexts = [
    "Seen here too, with **two** machines.", "Does `--verbose` say more?",
    "- [x] tried a clean build\r\n- [ ] tried without the cache",
    "> Seen with the newest version.\r\n\r\nWhich one is that?", "Thanks! :tada:",
    "```swift\r\nlet first = list.first ?? 0\r\n```\r\nThis is enough.", "See #2, which looks alike.",
  ]

  /// `GET /repos/OWNER/NAME/contents/PATH?ref=COMMIT`: every path whose ending is one of those below is a file; nil for
  /// others.
  func file(_ path: String, in repository: Repository, _ query: Query) -> Finding? {
    let reference = query["ref"] ?? repository.branch
    guard reference == repository.branch || CommitName(in: repository, named: reference) != nil,
      let name = path.split(separator: "/").last,
      let pattern = Self.files[name.split(separator: ".").last.map(String.init) ?? ""]
    else { return nil }
    let text = (1...30).map { pattern.replacing("$", with: String($0)) }.joined()
    return .value(
      .object([
        "type": .string("file"), "encoding": .string("base64"), "size": .integer(Int64(text.utf8.count)),
        "name": .string(String(name)), "path": .string(path), "content": .string(Self.base64(text)),
        "sha": .string(SeededHash.hexadecimal(Array(text.utf8))),
        "html_url": .string("https://github.com/\(repository.fullName)/blob/\(reference)/\(path)"),
      ]))
  }

  /// What a file repeats, by its name's ending; `$` is a number that grows.
  private static let files = [
    "md": "## Part $\n\nWhat part $ is *for*, and how it is used.\n\n",
    "swift": "/// Adds $ to a value.\nfunc add$(_ value: Int) -> Int {\n  value + $\n}\n\n",
    "js": "// Adds $ to a value.\nexport function add$(value) {\n  return value + $;\n}\n\n",
    "py": "def add$(value):\n    \"\"\"Adds $ to a value.\"\"\"\n    return value + $\n\n",
    "go": "// Add$ adds $ to a value.\nfunc Add$(value int) int {\n\treturn value + $\n}\n\n",
    "rs": "/// Adds $ to a value.\nfn add$(value: i64) -> i64 {\n    value + $\n}\n\n",
    "c": "/* Adds $ to a value. */\nint add$(int value) {\n  return value + $;\n}\n\n",
    "java": "/** Adds $ to a value. */\nstatic int add$(int value) {\n  return value + $;\n}\n\n",
    "json": "{\"part\": $, \"of\": \"a list\"}\n", "yml": "part$:\n  - number: $\n",
  ]

  /// With a line break after 60 characters, as GitHub sends it.
  private static func base64(_ text: String) -> String {
    let whole = Array(Data(text.utf8).base64EncodedString())
    return stride(from: 0, to: whole.count, by: 60).map { start in
      String(whole[start..<min(start + 60, whole.count)]) + "\n"
    }.joined()
  }
}
