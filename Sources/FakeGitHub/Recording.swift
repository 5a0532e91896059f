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
  /// The answer's body as it was sent.
  public let body: [UInt8]

  /// All recordings that this package carries, in the index's order.
  public static let all: [Recording] = load()

  /// The recording of that name, or nil.
  public static func named(_ name: String) -> Recording? { all.first { $0.name == name } }

  private static func load() -> [Recording] {
    let folder = Bundle.module.bundleURL.appending(path: "Recordings")
    let index = read("index.json", in: folder).flatMap { JSONValue($0) }
    return (index?["exchanges"]?.array ?? []).compactMap { entry in
      guard let name = entry["name"]?.string, let method = entry["method"]?.string, let path = entry["path"]?.string,
        let status = entry["status"]?.integer
      else { return nil }
      var fields: [String: String] = [:]
      if case .object(let object)? = entry["headers"] { fields = object.compactMapValues(\.string) }
      var body = entry["file"]?.string.flatMap { read($0, in: folder) } ?? []
      // A body that is not JSON is kept as one JSON string.
      if entry["bodyEncoding"]?.string == "json-string" { body = Array((JSONValue(body)?.string ?? "").utf8) }
      return Recording(name: name, method: method, path: path, status: Int(status), fields: fields, body: body)
    }
  }

  private static func read(_ name: String, in folder: URL) -> [UInt8]? {
    (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) }
  }
}
