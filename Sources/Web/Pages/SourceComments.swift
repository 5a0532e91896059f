/// Takes comments out of scripts and style sheets before they are sent: they are written for whoever reads the sources,
/// and would be a quarter of what a first visit fetches.
enum SourceComments {
  /// The content of a `.js` or `.css` file with a blank in the place of each character of its comments, so that every
  /// position (of an error, of a measured line) stays what it is in the source; blanks in a row cost next to nothing in
  /// gzip. Other files are returned as they are.
  ///
  /// Only comments that begin a line are taken: there nothing but a template literal of several lines could be mistaken
  /// for one, and lines inside of those are left alone.
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
    // One line break fewer than lines.
    result.removeLast()
    return result
  }

  /// Behind the first `*/` of a line.
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

  /// As many blanks as the text has UTF-16 code units, in which browsers count.
  private static func blank(_ text: ArraySlice<UInt8>, into result: inout [UInt8]) {
    for byte in text where byte & 0xC0 != 0x80 {
      result.append(UInt8(ascii: " "))
      if byte >= 0xF0 { result.append(UInt8(ascii: " ")) }
    }
  }
}
