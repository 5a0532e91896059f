import Foundation

/// A recorded exchange with GitHub; `Recordings/README.md` lists the sources.
package struct Recording: Sendable {
  /// The name: its file's name without the extension.
  package let name: String
  /// The request's method.
  package let method: String
  /// The request's path and query, relative to the API's base URL.
  package let path: String
  /// The response's status.
  package let status: Int
  /// The response's header fields by lower-case names. Values with `{{` are templates in the source, not real values.
  package let fields: [String: String]
  /// Its file; nil if there was no body.
  private let file: String?
  /// Whether the file contains one JSON string that holds a body other than JSON.
  private let isQuoted: Bool

  /// The response's body as sent. Read from disk on each call, so that start-up does not wait for all of them.
  package var body: [UInt8] {
    let bytes = file.flatMap(Self.read) ?? []
    return isQuoted ? Array((JSONValue(bytes)?.string ?? "").utf8) : bytes
  }

  /// All recordings that are part of this module, in the index's order.
  package static let all: [Recording] = load()

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The recording with this name, or nil.
  package static func named(_ name: String) -> Recording? { byName[name] }

  /// Recorded JSON that is not a complete response: single events. Empty if there is none with this name.
  package static func object(named name: String) -> [UInt8] {
    read(name + ".json") ?? []
  }

  /// The members of the index that are used here. A type of its own decodes ten times as fast as `JSONValue`.
  private struct Index: Decodable {
    struct Entry: Decodable {
      let name: String
      let method: String
      let path: String
      let status: Int
      let headers: [String: String]?
      let file: String?
      let bodyEncoding: String?
    }

    let exchanges: [Entry]
  }

  private static func load() -> [Recording] {
    let index = read("index.json").flatMap { try? JSONDecoder().decode(Index.self, from: Data($0)) }
    return (index?.exchanges ?? []).map { entry in
      Recording(
        name: entry.name, method: entry.method, path: entry.path, status: entry.status, fields: entry.headers ?? [:],
        file: entry.file, isQuoted: entry.bodyEncoding == "json-string")
    }
  }

  private static func read(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: Bundle.module.bundleURL.appending(path: "Recordings/" + name))).map { Array($0) }
  }
}
