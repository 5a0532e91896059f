import Foundation

/// One recorded exchange with GitHub; `Recordings/README.md` tells where each comes from.
public struct Recording: Sendable {
  /// Its name, which is its file's without the extension.
  public let name: String
  /// The request's method.
  public let method: String
  /// The request's path and query, relative to the API's base.
  public let path: String
  /// The answer's status.
  public let status: Int
  /// The answer's header fields by lower-case names. Values with `{{` are templates of the source, not values.
  public let fields: [String: String]
  /// Its file, or nil where there was no body.
  private let file: String?
  /// Whether the file holds one JSON string with a body that is not JSON.
  private let isQuoted: Bool

  /// The answer's body as it was sent; read from the disk with each call, so that a start does not wait for all of them.
  public var body: [UInt8] {
    let bytes = file.flatMap(Self.read) ?? []
    return isQuoted ? Array((JSONValue(bytes)?.string ?? "").utf8) : bytes
  }

  /// All recorded exchanges that this package carries, in the index's order.
  public static let all: [Recording] = load()

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The recording of that name, or nil.
  public static func named(_ name: String) -> Recording? { byName[name] }

  /// Recorded JSON that is no whole answer: single events. Empty where there is none of that name.
  public static func object(named name: String) -> [UInt8] {
    read(name + ".json") ?? []
  }

  /// The index's entries, as far as they matter here. By its own type, which decodes ten times as fast as any JSON.
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
