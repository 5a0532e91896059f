/// Byte ranges of a representation (RFC 9110 section 14).
package enum ByteRanges {
  /// The ranges of a representation that a request selects.
  package enum Selection: Hashable, Sendable {
    /// No usable Range: respond with 200 and the whole representation.
    case whole
    /// Respond with 206 and these parts: at least one, none empty, none overlapping.
    case parts([Range<Int>])
    /// Respond with 416: the ranges select nothing.
    case unsatisfiable
  }

  /// A Range with more members is ignored: many small ranges cost more than they save (section 17.15).
  package static let mostMembers = 16

  /// Selects from a representation of `count` bytes with this tag and date. Call it when the response would otherwise
  /// be 200, after the other conditions (section 13.2.2, step 5).
  ///
  /// - Parameter now: the time of the response; without it, a date in If-Range never matches, because it may be weak.
  package static func select(
    _ head: RequestHead, count: Int, etag: ETag? = nil, lastModified: HTTPDate? = nil, now: HTTPDate? = nil
  ) -> Selection {
    // Section 14.2: Range is ignored for methods other than GET, and if the condition does not hold.
    guard head.method == .get, let value = head[.range], head.all(.range).count == 1 else { return .whole }
    if let condition = head[.ifRange] {
      guard holds(condition, etag: etag, lastModified: lastModified, now: now) else { return .whole }
    }
    guard let members = parse(value) else { return .whole }
    let parts = members.compactMap { $0.resolved(count: count) }
    if parts.isEmpty {
      // The last bytes of an empty representation select nothing, which Content-Range cannot express.
      return count == 0 && members.contains { $0.isSatisfiableSuffix } ? .whole : .unsatisfiable
    }
    return .parts(coalesced(parts))
  }

  /// The value of Content-Range for a part (section 14.4).
  package static func contentRange(_ part: Range<Int>, of count: Int) -> String {
    "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
  }

  /// The value of Content-Range in a 416.
  package static func unsatisfiedRange(of count: Int) -> String { "bytes */\(count)" }

  /// One member of the list, `first-last`, `first-` or `-length`.
  private enum Member {
    case from(Int, through: Int?)
    case last(Int)

    var isSatisfiableSuffix: Bool {
      if case .last(let length) = self { return length > 0 }
      return false
    }

    func resolved(count: Int) -> Range<Int>? {
      switch self {
      case .from(let first, _) where first >= count: nil
      case .from(let first, let last): first..<min(count, last.map { $0 == .max ? .max : $0 + 1 } ?? count)
      case .last(let length): length == 0 || count == 0 ? nil : max(0, count - length)..<count
      }
    }
  }

  /// The members of a Range in bytes; nil for another unit, or for a malformed or overlong list. An unknown unit must
  /// be ignored; the others may be.
  private static func parse(_ value: String) -> [Member]? {
    let unit = value.utf8.prefix { $0 != UInt8(ascii: "=") }
    guard unit.count < value.utf8.count, Substring(unit).lowercased() == "bytes" else { return nil }
    var members: [Member] = []
    for element in value.utf8.dropFirst(unit.count + 1).split(separator: UInt8(ascii: ",")) {
      let text = trimmed(element)
      if text.isEmpty { continue }
      guard members.count < mostMembers, let member = member(text) else { return nil }
      members.append(member)
    }
    return members.isEmpty ? nil : members
  }

  private static func member(_ text: Substring.UTF8View) -> Member? {
    let first = text.prefix { $0 != UInt8(ascii: "-") }
    guard first.count < text.count else { return nil }
    let last = text.dropFirst(first.count + 1)
    if first.isEmpty { return number(last).map { .last($0) } }
    guard let start = number(first) else { return nil }
    if last.isEmpty { return .from(start, through: nil) }
    // Section 14.1.1: invalid if the last is before the first.
    guard let end = number(last), end >= start else { return nil }
    return .from(start, through: end)
  }

  /// A decimal number, clamped to the largest integer.
  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy(Characters.isDigit) else { return nil }
    return Int(Substring(digits)) ?? .max
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text.drop(while: Characters.isWhitespace)
    while text.last.map(Characters.isWhitespace) == true { text.removeLast() }
    return text
  }

  /// If-Range (section 13.1.5): an equal strong tag, or the same date if it is strong by section 8.8.2.2.
  private static func holds(_ value: String, etag: ETag?, lastModified: HTTPDate?, now: HTTPDate?) -> Bool {
    if value.hasPrefix("\"") || value.hasPrefix("W/") {
      guard let etag, let given = ETag(parsing: value) else { return false }
      return given.matchesStrongly(etag)
    }
    guard let lastModified, let now, lastModified.seconds < now.seconds else { return false }
    return HTTPDate(value, now: now) == lastModified
  }

  /// Merges overlapping and adjacent parts (section 15.3.7.2); keeps the requested order if there are none.
  private static func coalesced(_ parts: [Range<Int>]) -> [Range<Int>] {
    let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for part in sorted {
      if let last = joined.last, part.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        joined.append(part)
      }
    }
    return joined.count == parts.count ? parts : joined
  }
}

/// The body of a 206 with several parts (RFC 9110 section 14.6).
package struct MultipartByteRanges: Sendable {
  private let boundary: String
  private let contentType: String?
  private let count: Int

  /// - Parameters:
  /// - boundary: characters that do not occur in the parts after a line end and two hyphens, such as random ones.
  /// - contentType: the type of the whole representation, repeated in each part.
  /// - count: the length of the whole representation in bytes.
  package init(boundary: String, contentType: String?, count: Int) {
    self.boundary = boundary
    self.contentType = contentType
    self.count = count
  }

  /// The type of the response.
  package var mediaType: String { "multipart/byteranges; boundary=\(boundary)" }

  /// The bytes before a part.
  package func head(of part: Range<Int>, isFirst: Bool) -> [UInt8] {
    var text = isFirst ? "--\(boundary)\r\n" : "\r\n--\(boundary)\r\n"
    if let contentType { text += "content-type: \(contentType)\r\n" }
    text += "content-range: \(ByteRanges.contentRange(part, of: count))\r\n\r\n"
    return Array(text.utf8)
  }

  /// The bytes after the last part.
  package var end: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }
}
