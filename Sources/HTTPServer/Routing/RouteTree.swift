import HTTP

/// Matches a path against the patterns, preferring literals over parameters over rests, with backtracking.
struct RouteTree: Sendable {
  struct Literal: Sendable {
    let segment: [UInt8]
    let child: Int
  }

  struct Node: Sendable {
    var literals: [Literal] = []
    var parameter: Int?
    var rest: Int?
  }

  /// Node 0 is the root: the path before its first segment.
  private(set) var nodes = [Node()]

  /// The node where `pattern` ends, inserted if missing.
  mutating func insert(_ pattern: RoutePattern) -> Int {
    pattern.segments.reduce(0) { node, segment in
      switch segment {
      case .literal(let bytes):
        if let known = nodes[node].literals.first(where: { $0.segment == bytes }) { return known.child }
        nodes[node].literals.append(Literal(segment: bytes, child: nodes.count))
      case .parameter:
        if let known = nodes[node].parameter { return known }
        nodes[node].parameter = nodes.count
      case .rest:
        if let known = nodes[node].rest { return known }
        nodes[node].rest = nodes.count
      }
      nodes.append(Node())
      return nodes.count - 1
    }
  }

  /// The path's node among those that `isEnd` accepts, and the values of its parameters.
  func find(_ head: RequestHead, isEnd: (Int) -> Bool) -> (node: Int, values: [String])? {
    var search = Search(tree: self, separator: UInt8(ascii: "/"))
    let encoded = head.encodedPath
    if !encoded.contains(UInt8(ascii: "%")) {
      let node = encoded.dropFirst().withUnsafeBufferPointer { search.walk($0, from: 0, node: 0, isEnd: isEnd) }
      return node.map { ($0, search.values) }
    }
    // Decode each segment separately and join them by NUL, which paths cannot contain, since "/" may be inside.
    search.separator = 0
    let path = Array(head.pathSegments.joined(separator: "\0").utf8)
    let node = path.withUnsafeBufferPointer { search.walk($0, from: 0, node: 0, isEnd: isEnd) }
    return node.map { ($0, search.values) }
  }

  private struct Search {
    let tree: RouteTree
    var separator: UInt8
    var values: [String] = []

    /// Matches from `start`, the beginning of a segment; on nil, `values` are unchanged.
    mutating func walk(
      _ path: UnsafeBufferPointer<UInt8>, from start: Int, node index: Int, isEnd: (Int) -> Bool
    ) -> Int? {
      let end = path[start...].firstIndex(of: separator) ?? path.count
      let segment = path[start..<end]
      let node = tree.nodes[index]
      for literal in node.literals where segment.elementsEqual(literal.segment) {
        if let found = step(path, end, literal.child, isEnd) { return found }
      }
      if let child = node.parameter, !segment.isEmpty {
        values.append(String(decoding: segment, as: UTF8.self))
        if let found = step(path, end, child, isEnd) { return found }
        values.removeLast()
      }
      if let child = node.rest, start < path.count, isEnd(child) {
        let rest = path[start...].map { $0 == separator ? UInt8(ascii: "/") : $0 }
        values.append(String(decoding: rest, as: UTF8.self))
        return child
      }
      return nil
    }

    private mutating func step(
      _ path: UnsafeBufferPointer<UInt8>, _ end: Int, _ child: Int, _ isEnd: (Int) -> Bool
    ) -> Int? {
      if end == path.count { return isEnd(child) ? child : nil }
      return walk(path, from: end + 1, node: child, isEnd: isEnd)
    }
  }
}
