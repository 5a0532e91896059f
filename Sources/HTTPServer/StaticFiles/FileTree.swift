import Base
import EventLoop

/// A snapshot of all files below a root. Immutable: a change creates a new tree that reuses unchanged files.
struct FileTree: Sendable {
  /// The limits of memory use.
  struct Budget: Sendable {
    let fileBytes: Int
    let totalBytes: Int
  }

  /// The files by their path below the root, without a leading slash.
  let files: [String: StaticFile]
  /// A hash over all paths and contents.
  let hash: String

  /// Reads the tree, without dot files and symbolic links. Only keys of `files` can be served, so no spelling of a path
  /// leads out of the tree.
  ///
  /// - Parameter bundles: for the path of each virtual file, the path of the list of its parts.
  static func read(
    root: String, bundles: [String: String], rendering: StaticFiles.Rendering? = nil, budget: Budget,
    previous: FileTree?
  ) throws -> FileTree {
    var statuses: [String: FileStatus] = [:]
    try FileTree.list(root, below: "", into: &statuses)
    var files: [String: StaticFile] = [:]
    var kept = 0
    for (name, status) in statuses.sorted(by: { $0.key < $1.key }) {
      let path = "\(root)/\(name)"
      let weight = StaticFile.isCompressed(name, size: status.size) ? 2 * status.size : status.size
      let keeps = status.size <= budget.fileBytes && kept + weight <= budget.totalBytes
      if keeps { kept += weight }
      if let known = previous?.files[name], known.sources == [status], (known.content != nil) == keeps {
        files[name] = known
      } else {
        files[name] = try FileTree.file(name, path, status, keeps: keeps, rendering)
      }
    }
    for (name, list) in bundles.sorted(by: { $0.key < $1.key }) {
      files[name] = try FileTree.bundle(name, list: list, files, previous?.files[name])
    }
    if let previous, previous.files.count == files.count, files.allSatisfy({ previous.files[$0] === $1 }) {
      return previous
    }
    return FileTree(files: files)
  }

  private init(files: [String: StaticFile]) {
    self.files = files
    var hash = StableHash()
    for (name, file) in files.sorted(by: { $0.key < $1.key }) { hash.add("\(name)\0\(file.hash)\0".utf8) }
    self.hash = hash.hexadecimal
  }

  private static func list(
    _ directory: String, below prefix: String, into statuses: inout [String: FileStatus]
  ) throws(SystemError) {
    for name in try SystemCall.names(in: directory) where !name.hasPrefix(".") {
      let status = try SystemCall.status(of: "\(directory)/\(name)")
      switch status.kind {
      case .file: statuses[prefix + name] = status
      case .directory: try list("\(directory)/\(name)", below: "\(prefix)\(name)/", into: &statuses)
      case .other: break
      }
    }
  }

  private static func file(
    _ name: String, _ path: String, _ status: FileStatus, keeps: Bool, _ rendering: StaticFiles.Rendering?
  ) throws(SystemError) -> StaticFile {
    let file = try OpenFile(path: path)
    if keeps {
      let read = try file.read(offset: 0, count: file.size)
      let content = rendering?(name, read) ?? read
      return StaticFile(
        name: name, sources: [status], hash: StableHash(of: content).hexadecimal, content: content, path: path)
    }
    var hash = StableHash()
    var offset = 0
    while offset < file.size {
      let part = try file.read(offset: offset, count: min(256 * 1024, file.size - offset))
      part.withUnsafeBufferPointer { hash.add($0) }
      offset += part.count
    }
    return StaticFile(name: name, sources: [status], hash: hash.hexadecimal, content: nil, path: path)
  }

  /// Concatenates the parts named by the list, one per line, relative to the list.
  private static func bundle(
    _ name: String, list: String, _ files: [String: StaticFile], _ known: StaticFile?
  ) throws -> StaticFile {
    func part(_ path: String) throws(StaticFiles.Failure) -> (file: StaticFile, content: [UInt8]) {
      guard let file = files[path], let content = file.content else {
        throw StaticFiles.Failure.missingPart(path, of: name)
      }
      return (file, content)
    }
    let order = try part(list)
    let directory = list.lastIndex(of: "/").map { list[...$0] } ?? ""
    let names = String(decoding: order.content, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    let parts = try names.map { try part(directory + $0) }
    let sources = ([order] + parts).flatMap(\.file.sources)
    if let known, known.sources == sources { return known }
    var content: [UInt8] = []
    for part in parts {
      content += part.content
      if content.last != UInt8(ascii: "\n") { content.append(UInt8(ascii: "\n")) }
    }
    return StaticFile(
      name: name, sources: sources, hash: StableHash(of: content).hexadecimal, content: content, path: nil)
  }
}
