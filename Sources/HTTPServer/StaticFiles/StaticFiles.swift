import Base
import EventLoop
import HTTP

/// The files below a directory, served with strong entity tags and addresses that change with their content.
///
/// Each file has two addresses: `/assets/js/app.js`, which is revalidated each time, and `address(of:)`, `/assets/<hash
/// of the whole tree>/js/app.js`, which is immutable. Relative addresses in a file (a module's imports, a style sheet's
/// fonts) inherit the prefix with the hash.
///
/// Texts are also cached in gzip, compressed on first use, once per content (RFC 9110 section 12.5.3). The two
/// representations have strong tags of their own.
///
/// Requests check the tree again at most once a second: a changed file is read again, and the addresses change. Only
/// files of the tree are served, so no spelling of a path leads out of it.
package final class StaticFiles: Sendable {
  /// The reason the files cannot be served.
  package enum Failure: Error, Hashable, Sendable {
    /// A bundle's list or one of its parts is missing or too large for memory.
    case missingPart(String, of: String)
  }

  private struct State {
    var tree: FileTree
    var nextLook: ContinuousClock.Instant
  }

  /// Renders a small file from its path below the root and its content.
  package typealias Rendering = @Sendable (_ path: String, _ content: [UInt8]) -> [UInt8]

  /// The prefix of all addresses, without a trailing slash.
  package let prefix: String
  private let root: String
  private let bundles: [String: String]
  private let rendering: Rendering?
  private let budget: FileTree.Budget
  private let interval: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Lock<State>

  /// Reads all files below `root`. Blocks on the disk; throws if a file cannot be read or a list is invalid.
  ///
  /// - Parameters:
  ///   - bundles: virtual files: for each path (`css/app.css`) the path of a list (`css/order.txt`) that names the
  ///     parts, one per line, relative to itself. Lines beginning with `#` are comments.
  ///   - rendering: transforms each file in memory before it is hashed; nil leaves files unchanged.
  ///   - keptFileBytes: larger files are sent from the disk.
  ///   - keptBytes: the limit of memory for all files; texts count twice, for their gzip form.
  ///   - interval: the minimum time between checks of the tree.
  ///   - now: the clock of these checks.
  package init(
    root: String, prefix: String = "/assets", bundles: [String: String] = [:], rendering: Rendering? = nil,
    keptFileBytes: Int = 1024 * 1024, keptBytes: Int = 64 * 1024 * 1024, interval: Duration = .seconds(1),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws {
    self.root = root
    self.prefix = prefix
    self.bundles = bundles
    self.rendering = rendering
    self.interval = interval
    self.now = now
    budget = FileTree.Budget(fileBytes: keptFileBytes, totalBytes: keptBytes)
    let tree = try FileTree.read(root: root, bundles: bundles, rendering: rendering, budget: budget, previous: nil)
    state = Lock(State(tree: tree, nextLook: now() + interval))
  }

  /// The file's immutable address, `/assets/<tree hash>/js/app.js` for `js/app.js`. An unknown file gets its plain
  /// address, which is 404.
  package func address(of path: String) -> String {
    let tree = current()
    return tree.files[path] == nil ? "\(prefix)/\(path)" : "\(prefix)/\(tree.hash)/\(path)"
  }

  /// The hash of a file's content for `?v=`; nil for an unknown file.
  package func version(of path: String) -> String? {
    current().files[path]?.hash
  }

  /// The content of a file in memory; nil for others.
  package func content(of path: String) -> [UInt8]? {
    current().files[path]?.content
  }

  /// All paths in order, including bundles.
  package var paths: [String] { current().files.keys.sorted() }

  /// Serves the file whose path is the route's parameter, as in `"\(prefix)/*path"`.
  ///
  /// - Parameter missing: responds if there is no such file; by default 404.
  package func responder(
    parameter: String = "path",
    missing: @escaping @Sendable (Request) throws -> Response = {
      Response(problem: ProtocolError(.notFound, "no such file"), requestID: $0.id)
    }
  ) -> Responder {
    .immediate { request in
      try self.response(to: request, path: request.parameters[parameter] ?? "") ?? missing(request)
    }
  }

  /// The response for the file at `path`, which may begin with a tree's hash; nil if there is none. Immutable if the
  /// address names the current tree or, by `?v=`, the current content.
  package func response(to request: Request, path: String) -> Response? {
    let tree = current()
    let (hash, path) = StaticFiles.split(path)
    guard let file = tree.files[path] else { return nil }
    // A page of an older tree uses the older hash: it gets the current file, to be revalidated.
    let isImmutable = hash == tree.hash || (hash == nil && request.head.query["v"] == file.hash)
    let representations = file.representations(for: request.head)
    let now = HTTPDate.now()
    let outcomes = representations.map {
      Conditions.evaluate(request.head, etag: $0.etag, lastModified: file.lastModified, now: now)
    }
    // A client with any acceptable representation is up to date. The 304 names the one it has, since a cache must not
    // refresh one representation by another's tag (RFC 9111 section 4.3.4).
    if let index = outcomes.firstIndex(of: .notModified) {
      // RFC 9110 section 15.4.5: only the metadata a cache needs.
      var fields = isImmutable ? representations[index].immutable : representations[index].revalidated
      for name: FieldName in [.contentType, .contentEncoding, .lastModified] { fields.remove(name) }
      return Response(status: .notModified, fields: fields)
    }
    guard outcomes.contains(.proceed) else {
      return Response(problem: ProtocolError(.preconditionFailed, "the file is another"), requestID: request.id)
    }
    // A resumed transfer continues with the same representation.
    let condition = request.head[.ifRange].flatMap { ETag(parsing: $0) }
    let best = representations.first { $0.etag == condition } ?? representations[0]
    let fields = isImmutable ? best.immutable : best.revalidated
    return body(of: file, best).map { body in
      var response = Response(fields: fields, body: body)
      response.isSameForAll = true
      return response.selectingRanges(for: request)
    }
  }

  private func body(of file: StaticFile, _ representation: StaticFile.Representation) -> Response.Body? {
    if let content = representation.content { return .bytes(content) }
    guard let path = file.path, let source = file.sources.first, let open = try? OpenFile(path: path),
      // Changed since the last check, so the tag would be wrong: 404 until the next check.
      open.size == source.size, open.modificationTime == source.modificationTime
    else { return nil }
    return .file(FileBody(open))
  }

  /// Removes a tree's hash from the front of a path.
  private static func split(_ path: String) -> (hash: String?, path: String) {
    let bytes = path.utf8.prefix(StableHash.digits + 1)
    guard bytes.count == StableHash.digits + 1, bytes.last == UInt8(ascii: "/"),
      bytes.dropLast().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return (nil, path) }
    return (String(path.prefix(StableHash.digits)), String(path.dropFirst(StableHash.digits + 1)))
  }

  /// The tree, checked again if due. One caller checks, outside the lock; the others use the current tree.
  private func current() -> FileTree {
    let time = now()
    let (tree, isDue) = state.withLock { state in
      let isDue = time >= state.nextLook
      if isDue { state.nextLook = time + interval }
      return (state.tree, isDue)
    }
    guard isDue else { return tree }
    // If the tree cannot be read, perhaps during an update, keep the old one.
    let read = try? FileTree.read(
      root: root, bundles: bundles, rendering: rendering, budget: budget, previous: tree)
    guard let read else { return tree }
    state.withLock { $0.tree = read }
    return read
  }
}
