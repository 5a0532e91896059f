import EventLoop
import HTTP
import HTTPServer

/// The browser's files: what `StaticFiles` serves of `Public/`, with all style sheets as one, and which modules a page
/// needs.
///
/// Pages use addresses that hold a hash of everything: under such an address a file never changes and is never asked for
/// again. Relative imports stay within it.
struct Assets: Sendable {
  /// What the style sheets are put together as, in the order that `css/order.txt` names: one request instead of twenty.
  static let styleSheet = "app.css"
  private static let order = "css/order.txt"
  /// What an open chat adds to it, put together in the same way: other pages do without.
  static let chatStyleSheet = "css/later/chat.css"
  private static let chatOrder = "css/chat/order.txt"

  private struct Question: Hashable {
    /// Changes with any file.
    let version: String
    let entries: [String]
  }

  private let files: StaticFiles
  /// Found once for each version, since every page asks.
  private let found = Lock<[Question: [String]]>([:])

  /// Reads all files below `folder`, but hidden ones. Throws `WebSetupError`.
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

  /// The paths of all modules that a page with these entries needs (`ModuleGraph`), each once.
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
      // What an older version needed is of no use any more.
      found = found.filter { $0.key.version == question.version }
      found[question] = answer
    }
    return answer
  }

  /// What the addresses of the present version begin with: `/assets/<hash>/`.
  var base: String { String(address(of: Assets.styleSheet).dropLast(Assets.styleSheet.count)) }

  /// The paths of all files, in order.
  var paths: [String] { files.paths }

  /// The address of a file that may be kept for good.
  func address(of path: String) -> String { files.address(of: path) }

  /// The answer for what follows `/assets/`. Under another version's address the present file is served, but not for
  /// good: a page from before an update that still asks is better off with it than with nothing.
  func response(to request: Request, path: String) throws(Problem) -> Response {
    guard let response = files.response(to: request, path: path) else { throw .notFound }
    return response
  }
}
