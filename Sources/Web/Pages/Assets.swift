import Base
import EventLoop
import HTTP
import HTTPServer

/// The browser's files: serves `Public/` through `StaticFiles`, bundles the style sheets, and lists the modules that
/// each page needs.
///
/// Pages use addresses with a hash of all files: such an address is immutable. Relative imports stay below it.
struct Assets: Sendable {
  /// The bundle of style sheets, in the order of `css/order.txt`: one request instead of twenty.
  static let styleSheet = "app.css"
  private static let order = "css/order.txt"
  /// The bundle of additional style sheets for an open chat, which other pages do not need.
  static let chatStyleSheet = "css/later/chat.css"
  /// The style sheet of the pages before signing in.
  static let signInStyleSheet = "css/later/signIn.css"
  private static let chatOrder = "css/chat/order.txt"

  private struct Question: Hashable {
    /// A hash that changes with any file.
    let version: String
    let entries: [String]
  }

  private let files: StaticFiles
  /// Cached per version, since every page needs it.
  private let found = Lock<[Question: [String]]>([:])

  /// Reads all files below `folder` except hidden ones. Throws `WebSetupError`.
  init(folder: String) throws {
    do {
      files = try StaticFiles(
        root: folder, bundles: [Assets.styleSheet: Assets.order, Assets.chatStyleSheet: Assets.chatOrder],
        rendering: SourceComments.blanked)
    } catch StaticFiles.Failure.missingPart(let part, let bundle) {
      let order = bundle == Assets.styleSheet ? Assets.order : Assets.chatOrder
      throw WebSetupError(description: "The file \(folder)/\(part) is missing; \(order) names the style sheets.")
    } catch {
      throw WebSetupError(description: "The browser's files cannot be read from \(folder): \(error)")
    }
  }

  /// The paths of all modules that a page with these entries needs (`ModuleGraph`), without duplicates.
  func modules(from entries: [String]) -> [String] {
    let question = Question(version: address(of: Assets.styleSheet), entries: entries)
    if let known = found.withLock({ $0[question] }) { return known }
    var modules: [String] = []
    for entry in entries {
      let reached = ModuleGraph.modules(from: entry) { files.content(of: $0) }
      modules += reached.filter { !modules.contains($0) }
    }
    let answer = modules
    found.withLock { found in
      // Results of older versions are no longer needed.
      found = found.filter { $0.key.version == question.version }
      found[question] = answer
    }
    return answer
  }

  /// The prefix of the current version's addresses: `/assets/<hash>/`.
  var base: String { String(address(of: Assets.styleSheet).dropLast(Assets.styleSheet.count)) }

  /// The paths of all files, sorted.
  var paths: [String] { files.paths }

  /// The modules that replace the English texts in a language: from the path of each text module to that of its
  /// translation. Both folders have the same structure: `js/languages/de/texts/news.js` replaces
  /// `js/models/texts/news.js`.
  func translations(into tag: String) -> [String: String] {
    let folder = "js/languages/\(tag)/"
    let paths = files.paths.filter { path in
      path.hasPrefix(folder) && path.hasSuffix(".js")
        && path.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x2D && $0 <= 0x39 }
    }
    return Dictionary(uniqueKeysWithValues: paths.map { ("js/models/" + $0.dropFirst(folder.count), $0) })
  }

  /// The immutable address of a file.
  func address(of path: String) -> String { files.address(of: path) }

  /// The response for the path after `/assets/`. Under another version's address the current file is served, but not as
  /// immutable: a page from before an update is better off with it than with nothing.
  func response(to request: Request, path: String) throws(Problem) -> Response {
    guard let response = files.response(to: request, path: path) else { throw .notFound }
    return response
  }
}
