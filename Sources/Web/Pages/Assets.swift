import FoundationEssentials
import HTTP
import HTTPServer

/// The browser's files, read once at the start: what is served belongs together, whatever happens to the folder later,
/// and no request ever names a file of the system.
///
/// All are at `/assets/<path>`, and at `/assets/<version>/<path>`, where the version is a hash of everything: under such
/// an address, which pages use, a file never changes and is never asked for again. Relative imports stay within the version.
struct Assets: Sendable {
  /// One file.
  struct File: Sendable {
    let bytes: [UInt8]
    let mediaType: String
    let etag: ETag
  }

  /// What the folder's style sheets are put together as.
  static let styleSheet = "app.css"

  private let files: [String: File]
  private let version: String

  /// Reads all files below `folder`, but hidden ones. Throws `WebSetupError`.
  init(folder: String) throws {
    var contents = try Assets.read(folder)
    contents[Assets.styleSheet] = try Assets.joinStyleSheets(contents, folder: folder)
    var listing: [UInt8] = []
    var files: [String: File] = [:]
    for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      let hash = Answer.hash(bytes)
      listing += Array("\(path) \(hash)\n".utf8)
      files[path] = File(bytes: bytes, mediaType: Assets.mediaType(of: path), etag: ETag(hash))
    }
    self.files = files
    version = String(Answer.hash(listing).prefix(12))
  }

  /// The paths of all modules that a page with these entries needs (`ModuleGraph`), each once.
  func modules(from entries: [String]) -> [String] {
    var found: [String] = []
    for entry in entries {
      let reached = ModuleGraph.modules(from: entry) { path in
        files[path].map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      found += reached.filter { !found.contains($0) }
    }
    return found
  }

  /// The address of a file that may be kept for good.
  func address(of path: String) -> String { "/assets/\(version)/\(path)" }

  /// The answer for what follows `/assets/`. Under another version's address the present file is served, but not for
  /// good: a page from before an update that still asks is better off with it than with nothing.
  func response(to request: Request, path: String) throws(Problem) -> Response {
    if let file = files[path] { return response(to: request, file, "public, no-cache") }
    let parts = path.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, Assets.isVersion(parts[0]), let file = files[String(parts[1])] else { throw .notFound }
    let isPresent = parts[0] == version
    return response(to: request, file, isPresent ? "public, max-age=31536000, immutable" : "public, no-cache")
  }

  private func response(to request: Request, _ file: File, _ caching: String) -> Response {
    Answer.conditional(
      request, bytes: file.bytes, etag: file.etag, fields: [.contentType: file.mediaType, .cacheControl: caching])
  }

  private static func isVersion(_ text: Substring) -> Bool {
    text.utf8.count == 12 && Hexadecimal.bytes(text) != nil
  }

  private static func read(_ folder: String) throws -> [String: [UInt8]] {
    let paths: [String]
    do {
      paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    } catch {
      throw WebSetupError(description: "The browser's files cannot be read from \(folder): \(error)")
    }
    var contents: [String: [UInt8]] = [:]
    for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      let file = folder + "/" + path
      var isFolder = false
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder else { continue }
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw WebSetupError(description: "The file \(file) cannot be read.")
      }
      contents[path] = Array(bytes)
    }
    return contents
  }

  /// All style sheets in the order that `css/order.txt` names: one request instead of twenty.
  private static func joinStyleSheets(_ contents: [String: [UInt8]], folder: String) throws -> [UInt8] {
    guard let order = contents["css/order.txt"] else {
      throw WebSetupError(description: "The file \(folder)/css/order.txt is missing.")
    }
    var joined: [UInt8] = []
    for line in String(decoding: order, as: UTF8.self).split(separator: "\n") {
      let name = String(line).trimmed(to: 200)
      if name.isEmpty { continue }
      guard let sheet = contents["css/" + name] else {
        throw WebSetupError(description: "The file \(folder)/css/\(name) is missing; order.txt names it.")
      }
      joined += sheet
      if joined.last != UInt8(ascii: "\n") { joined.append(UInt8(ascii: "\n")) }
    }
    return joined
  }

  private static func mediaType(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    switch name.split(separator: ".").last {
    case "js": return "text/javascript; charset=utf-8"
    case "css": return "text/css; charset=utf-8"
    case "svg": return "image/svg+xml"
    case "png": return "image/png"
    case "ico": return "image/x-icon"
    case "webp": return "image/webp"
    case "woff2": return "font/woff2"
    case "webmanifest": return "application/manifest+json"
    case "json": return "application/json"
    case "txt": return "text/plain; charset=utf-8"
    default: return "application/octet-stream"
    }
  }
}
