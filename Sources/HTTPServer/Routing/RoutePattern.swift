/// A route's pattern, such as `/rooms/:room/messages/:seq` or `/assets/*path`.
struct RoutePattern {
  /// One segment of a pattern.
  enum Segment: Hashable {
    /// Matches itself.
    case literal([UInt8])
    /// `:name` matches one non-empty segment.
    case parameter
    /// `*name`, at the end, matches one or more segments.
    case rest
  }

  let segments: [Segment]
  /// The parameters' names in order.
  let names: [String]

  /// Traps on a malformed pattern.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "a route begins with a slash: \(pattern)")
    var segments: [Segment] = []
    var names: [String] = []
    for segment in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      precondition(segments.last != .rest, "nothing can follow the rest: \(pattern)")
      switch segment.first {
      case ":":
        segments.append(.parameter)
        names.append(String(segment.dropFirst()))
      case "*":
        segments.append(.rest)
        names.append(String(segment.dropFirst()))
      default:
        segments.append(.literal(Array(segment.utf8)))
      }
    }
    precondition(!names.contains(""), "a parameter needs a name: \(pattern)")
    precondition(Set(names).count == names.count, "two parameters of one name: \(pattern)")
    self.segments = segments
    self.names = names
  }
}
