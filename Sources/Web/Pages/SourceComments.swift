/// Removes comments from scripts and style sheets before they are served: they are for readers of the source, and would
/// be a quarter of a first visit's transfer.
enum SourceComments {
  /// The content of a `.js` or `.css` file with each character of its comments replaced by a space, so that all
  /// positions (of errors, of measured lines) stay the same as in the source; runs of spaces cost next to nothing in
  /// gzip. Other files are returned unchanged.
  ///
  /// Only comments at the start of a line are removed. There, only a multi-line template literal could be mistaken for
  /// one, and lines inside those are left alone.
  @Sendable static func blanked(_ path: String, _ content: [UInt8]) -> [UInt8] {
    let isScript = path.hasSuffix(".js")
    guard isScript || path.hasSuffix(".css") else { return content }
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var isInComment = false
    var isInTemplate = false
    for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      var code = line
      if !isInComment && !isInTemplate {
        let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        isInComment = text.starts(with: "/*".utf8)
        if isScript && text.starts(with: "//".utf8) {
          blank(line, into: &result)
          code = line.suffix(0)
        }
      }
      if isInComment {
        let end = endOfComment(in: line)
        blank(line[..<(end ?? line.endIndex)], into: &result)
        code = line[(end ?? line.endIndex)...]
        isInComment = end == nil
      }
      if isScript && hasOddBackticks(code) { isInTemplate.toggle() }
      result += code
      result.append(UInt8(ascii: "\n"))
    }
    // There is one line break fewer than lines.
    result.removeLast()
    return result
  }

  /// The index after the first `*/` in a line.
  private static func endOfComment(in line: ArraySlice<UInt8>) -> Int? {
    let mark = zip(line.indices, line.indices.dropFirst()).first {
      line[$0] == UInt8(ascii: "*") && line[$1] == UInt8(ascii: "/")
    }
    return mark.map { $1 + 1 }
  }

  private static func hasOddBackticks(_ code: ArraySlice<UInt8>) -> Bool {
    var count = 0
    var isEscaped = false
    for byte in code {
      if byte == UInt8(ascii: "`") && !isEscaped { count += 1 }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return count % 2 == 1
  }

  /// As many spaces as the text has UTF-16 code units, in which browsers count columns.
  private static func blank(_ text: ArraySlice<UInt8>, into result: inout [UInt8]) {
    for byte in text where byte & 0xC0 != 0x80 {
      result.append(UInt8(ascii: " "))
      if byte >= 0xF0 { result.append(UInt8(ascii: " ")) }
    }
  }
}
