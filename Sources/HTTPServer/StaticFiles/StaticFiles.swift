import EventLoop
import HTTP

/// The files below a directory, served with strong entity tags and addresses that change with their content.
///
/// Each file has two addresses: `/assets/js/app.js`, to be revalidated each time, and `address(of:)`,
/// `/assets/<hash of the whole tree>/js/app.js`, which browsers may keep for ever. What a file of the second kind
/// refers to by a relative address (a module's imports, a style sheet's fonts) inherits the hash with the prefix.
///
/// Texts are kept in gzip too, made when first asked for, once per content, and sent so to who takes it (RFC 9110
/// section 12.5.3): each of the two representations has its own strong tag.
///
/// The tree is looked at again once a second at most, when somebody asks: a changed file is read anew, and then the
/// addresses differ. Only what was found in the tree is ever served, so no way of writing a path leads out of it.
public final class StaticFiles: Sendable {
  /// Why the files cannot be served as they are.
  public enum Failure: Error, Hashable, Sendable {
    /// A virtual file's list, or a part that it names, is not in the tree or too large to be kept.
    case missingPart(String, of: String)
  }

  private struct State {
    var tree: FileTree
    var nextLook: ContinuousClock.Instant
  }

  /// Makes what is sent of a small file out of its path below the root and its content.
  public typealias Rendering = @Sendable (_ path: String, _ content: [UInt8]) -> [UInt8]

  /// Where the addresses begin, without a slash at the end.
  public let prefix: String
  private let root: String
  private let bundles: [String: String]
  private let rendering: Rendering?
  private let budget: FileTree.Budget
  private let interval: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Lock<State>

  /// Reads all files below `root`. Blocks on the disk; throws when a file cannot be read or a list is wrong.
  ///
  /// - Parameters:
  ///   - bundles: virtual files made of several: for each path (`css/app.css`) the path of a list (`css/order.txt`)
  ///     that names the parts, one a line, relative to itself. Lines that begin with `#` are comments.
  ///   - rendering: what becomes of each kept file before it is hashed; nil leaves all as they are.
  ///   - keptFileBytes: a larger file is not kept in memory but sent from the disk.
  ///   - keptBytes: how much is kept in memory in all; a text counts twice, since it may be kept in gzip too.
  ///   - interval: how often the tree is looked at again at most.
  ///   - now: the clock for that.
  public init(
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

  /// The address under which browsers may keep the file for ever, `/assets/<tree hash>/js/app.js` for `js/app.js`. An
  /// unknown file gets its plain address, where it will be missed.
  public func address(of path: String) -> String {
    let tree = current()
    return tree.files[path] == nil ? "\(prefix)/\(path)" : "\(prefix)/\(tree.hash)/\(path)"
  }

  /// The hash of a file's content, for `?v=`; nil for an unknown file.
  public func version(of path: String) -> String? {
    current().files[path]?.hash
  }

  /// The content of a file that is small enough to be kept; nil for others.
  public func content(of path: String) -> [UInt8]? {
    current().files[path]?.content
  }

  /// All paths in order, virtual files among them.
  public var paths: [String] { current().files.keys.sorted() }

  /// Answers for the file whose path is in the route's parameter, as in `"\(prefix)/*path"`.
  ///
  /// - Parameter missing: answers where there is no such file; by default a 404.
  public func responder(
    parameter: String = "path",
    missing: @escaping @Sendable (Request) throws -> Response = {
      Response(problem: ProtocolError(.notFound, "no such file"), requestID: $0.id)
    }
  ) -> Responder {
    .immediate { request in
      try self.response(to: request, path: request.parameters[parameter] ?? "") ?? missing(request)
    }
  }

  /// The answer for the file at `path`, which may begin with a tree's hash; nil when there is none. Immutable where the
  /// address names the present tree, or the present content by `?v=`.
  public func response(to request: Request, path: String) -> Response? {
    let tree = current()
    let (hash, path) = StaticFiles.split(path)
    guard let file = tree.files[path] else { return nil }
    // A page of an older tree may ask by the older hash: it gets the file as it is now, but not to keep.
    let isImmutable = hash == tree.hash || (hash == nil && request.head.query["v"] == file.hash)
    let representations = file.representations(for: request.head)
    let now = HTTPDate.now()
    let outcomes = representations.map {
      Conditions.evaluate(request.head, etag: $0.etag, lastModified: file.lastModified, now: now)
    }
    // Who has any that it takes is up to date, and hears of the one it has: a cache must not refresh one representation
    // by another's tag (RFC 9111 section 4.3.4).
    if let index = outcomes.firstIndex(of: .notModified) {
      // RFC 9110 section 15.4.5: what a cache needs, no other metadata.
      var fields = isImmutable ? representations[index].immutable : representations[index].revalidated
      for name: FieldName in [.contentType, .contentEncoding, .lastModified] { fields.remove(name) }
      return Response(status: .notModified, fields: fields)
    }
    guard outcomes.contains(.proceed) else {
      return Response(problem: ProtocolError(.preconditionFailed, "the file is another"), requestID: request.id)
    }
    // Who resumes a transfer gets on with the representation that it began.
    let condition = request.head[.ifRange].flatMap { ETag(parsing: $0) }
    let best = representations.first { $0.etag == condition } ?? representations[0]
    let fields = isImmutable ? best.immutable : best.revalidated
    return body(of: file, best).map { Response(fields: fields, body: $0).selectingRanges(for: request) }
  }

  private func body(of file: StaticFile, _ representation: StaticFile.Representation) -> Response.Body? {
    if let content = representation.content { return .bytes(content) }
    guard let path = file.path, let source = file.sources.first, let open = try? OpenFile(path: path),
      // Changed since the tree was looked at: the tag would lie. It is gone for the moment until the next look.
      open.size == source.size, open.modificationTime == source.modificationTime
    else { return nil }
    return .file(FileBody(open))
  }

  /// Splits a tree's hash off the front of a path.
  private static func split(_ path: String) -> (hash: String?, path: String) {
    let bytes = path.utf8.prefix(ContentHash.digits + 1)
    guard bytes.count == ContentHash.digits + 1, bytes.last == UInt8(ascii: "/"),
      bytes.dropLast().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return (nil, path) }
    return (String(path.prefix(ContentHash.digits)), String(path.dropFirst(ContentHash.digits + 1)))
  }

  /// The tree, looked at again if it is time to. One caller looks, outside of the lock; the others go on with what
  /// there is.
  private func current() -> FileTree {
    let time = now()
    let (tree, isDue) = state.withLock { state in
      let isDue = time >= state.nextLook
      if isDue { state.nextLook = time + interval }
      return (state.tree, isDue)
    }
    guard isDue else { return tree }
    // A tree that cannot be read just now, in the middle of an update perhaps, is served as it was.
    let read = try? FileTree.read(
      root: root, bundles: bundles, rendering: rendering, budget: budget, previous: tree)
    guard let read else { return tree }
    state.withLock { $0.tree = read }
    return read
  }
}
