/// The JavaScript modules that a page needs: its script's imports, their imports, and so on. Without this list,
/// browsers would discover them level by level, one round trip each.
enum ModuleGraph {
  /// The paths of the modules reachable from `entry` by static imports, including itself, in the order of discovery.
  /// `source` returns a module's text by its path, nil if there is none.
  static func modules(from entry: String, source: (String) -> [UInt8]?) -> [String] {
    var found = [entry]
    var next = 0
    while next < found.count {
      let path = found[next]
      next += 1
      guard let text = source(path) else { continue }
      for specifier in imports(in: text) {
        guard let target = resolve(specifier, from: path), !found.contains(target), source(target) != nil else {
          continue
        }
        found.append(target)
      }
    }
    return found
  }

  private static let beginnings = ["import ", "import{", "import'", "import\"", "export {", "export{", "export *"]
    .map { Array($0.utf8) }

  /// The specifiers that a module imports or re-exports statically: `import … from '…'`, `import '…'`, `export … from
  /// '…'`. As everywhere in this project, such a statement starts a line; it may span several.
  static func imports(in source: [UInt8]) -> [String] {
    var specifiers: [String] = []
    var isInStatement = false
    var rest = source[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      // For most lines the first byte rules out a statement.
      if !isInStatement, line.first == UInt8(ascii: "i") || line.first == UInt8(ascii: "e") {
        isInStatement = beginnings.contains { line.starts(with: $0) }
      }
      guard isInStatement else { continue }
      let specifier = quoted(in: line)
      if let specifier { specifiers.append(specifier) }
      // An export list without `from` ends like this too.
      if specifier != nil || line.contains(UInt8(ascii: ";")) { isInStatement = false }
    }
    return specifiers
  }

  /// The first quoted string in a line.
  private static func quoted(in line: ArraySlice<UInt8>) -> String? {
    guard let start = line.firstIndex(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }) else {
      return nil
    }
    let rest = line[(start + 1)...]
    guard let end = rest.firstIndex(of: line[start]) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// The path that a relative specifier refers to; nil for others.
  static func resolve(_ specifier: String, from path: String) -> String? {
    guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else { return nil }
    var segments = path.split(separator: "/").dropLast()
    for segment in specifier.split(separator: "/") {
      switch segment {
      case ".": continue
      case "..":
        if segments.popLast() == nil { return nil }
      default: segments.append(segment)
      }
    }
    return segments.joined(separator: "/")
  }
}
