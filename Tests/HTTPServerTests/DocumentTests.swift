import EventLoop
import HTTP
import HTTPServer
import Testing

/// docs/http.md lists the limits, and the test for each rule: it must stay correct.
@Suite("docs/http.md")
struct DocumentTests {
  let document: String
  /// The sources of the tests of the three modules.
  let tests: String

  init() throws {
    // From this file up to the folder that contains the document, whatever the path.
    var folder = #filePath[...]
    while (try? SystemCall.status(of: "\(folder)/docs/http.md")) == nil {
      folder = folder[..<(try #require(folder.lastIndex(of: "/")))]
    }
    document = try Self.text("\(folder)/docs/http.md")
    var all = ""
    for room in ["EventLoopTests", "HTTPTests", "HTTPServerTests"] {
      for name in try SystemCall.names(in: "\(folder)/Tests/\(room)/") where name.hasSuffix(".swift") {
        if name != "DocumentTests.swift" { all += try Self.text("\(folder)/Tests/\(room)/\(name)") }
      }
    }
    tests = all
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try FileBody(OpenFile(path: path)).bytes(), as: UTF8.self)
  }

  @Test("each line of the conformance table names a section and a test that exists")
  func conformance() throws {
    let rows = document.split(separator: "\n").filter { $0.hasPrefix("| 9") || $0.hasPrefix("| HTML") }
    #expect(rows.count > 60)
    for row in rows {
      let name = try #require(row.split(separator: "`").dropFirst().first, "\(row)")
      #expect(tests.contains("\"\(name)\""), "\(row)")
    }
  }

  @Test("the table of limits has each limit with its default, and nothing else")
  func limits() throws {
    for name in Limits.names {
      let value = try #require(Limits().value(of: name))
      #expect(document.contains("| `\(name)` | \(value) |"), "\(name)")
    }
    let chapter = try #require(document.firstRange(of: "## Limits"))
    let rows = document[chapter.upperBound...].split(separator: "\n").drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }.dropFirst(2)
    #expect(rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) } == Limits.names)
  }

  @Test("each limit can be set by its name")
  func named() {
    let fields = Mirror(reflecting: Limits()).children.compactMap(\.label)
    // `bodyBytesInAll` is `body_bytes_in_all`.
    let names = fields.map { $0.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined() }
    #expect(names == Limits.names)
  }
}
