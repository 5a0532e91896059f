/// Which JavaScript modules a page needs: what its script imports, and what that imports, and so on. Without this
/// list, browsers would find them level by level, one round trip each.
enum ModuleGraph {
  /// The paths of the modules that `entry` leads to by static imports, itself included, in the order of their discovery.
  /// `source` gives a module's text by its path, nil where there is none.
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

  /// What a module imports or re-exports statically: `import … from '…'`, `import '…'`, `export … from '…'`. Each such
  /// statement begins a line, as everywhere in this project; it may go over several lines.
  static func imports(in source: [UInt8]) -> [String] {
    var specifiers: [String] = []
    var isInStatement = false
    var rest = source[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      // Of most lines the first byte says that they are none.
      if !isInStatement, line.first == UInt8(ascii: "i") || line.first == UInt8(ascii: "e") {
        isInStatement = beginnings.contains { line.starts(with: $0) }
      }
      guard isInStatement else { continue }
      let specifier = quoted(in: line)
      if let specifier { specifiers.append(specifier) }
      // A list of exports without `from` ends like this, too.
      if specifier != nil || line.contains(UInt8(ascii: ";")) { isInStatement = false }
    }
    return specifiers
  }

  /// The first quoted part of a line.
  private static func quoted(in line: ArraySlice<UInt8>) -> String? {
    guard let start = line.firstIndex(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }) else {
      return nil
    }
    let rest = line[(start + 1)...]
    guard let end = rest.firstIndex(of: line[start]) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// The path that a relative specifier means; nil for others.
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
