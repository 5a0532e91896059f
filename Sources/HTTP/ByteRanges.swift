/// Byte ranges of a representation (RFC 9110 section 14).
public enum ByteRanges {
  /// What a request's Range means for a representation.
  public enum Selection: Hashable, Sendable {
    /// As if there were no Range: answer 200 with everything.
    case whole
    /// Answer 206 with these parts, at least one, none of them empty, none overlapping another.
    case parts([Range<Int>])
    /// Answer 416: no part of the representation was asked for.
    case unsatisfiable
  }

  /// Members of a Range beyond which the field is ignored: nobody needs many, and many small ones cost more than they
  /// carry (section 17.15).
  public static let mostMembers = 16

  /// What is selected of a representation of `count` bytes, whose tag and date these are. To be asked when the request
  /// would be answered 200 otherwise, its other conditions evaluated (section 13.2.2, step 5).
  ///
  /// - Parameter now: the time of the answer; without it a date in If-Range never matches, for it may be weak.
  public static func select(
    _ head: RequestHead, count: Int, etag: ETag? = nil, lastModified: HTTPDate? = nil, now: HTTPDate? = nil
  ) -> Selection {
    // Section 14.2: ignored for other methods than GET, and where the condition does not hold.
    guard head.method == .get, let value = head[.range], head.all(.range).count == 1 else { return .whole }
    if let condition = head[.ifRange] {
      guard holds(condition, etag: etag, lastModified: lastModified, now: now) else { return .whole }
    }
    guard let members = parse(value) else { return .whole }
    let parts = members.compactMap { $0.resolved(count: count) }
    if parts.isEmpty {
      // The last bytes of nothing are nothing, which no Content-Range can say.
      return count == 0 && members.contains { $0.isSatisfiableSuffix } ? .whole : .unsatisfiable
    }
    return .parts(coalesced(parts))
  }

  /// The value of Content-Range for a part (section 14.4).
  public static func contentRange(_ part: Range<Int>, of count: Int) -> String {
    "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
  }

  /// The value of Content-Range in a 416.
  public static func unsatisfiedRange(of count: Int) -> String { "bytes */\(count)" }

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

  /// The members of a Range in bytes; nil when the unit is another, or the list is malformed or too long. All of these
  /// may, the first must be ignored.
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

  /// A decimal number; one beyond all files counts as the largest there is.
  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy(Characters.isDigit) else { return nil }
    return Int(Substring(digits)) ?? .max
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text.drop(while: Characters.isWhitespace)
    while text.last.map(Characters.isWhitespace) == true { text.removeLast() }
    return text
  }

  /// If-Range (section 13.1.5): a strong tag that is equal, or the very date, if that is strong by section 8.8.2.2.
  private static func holds(_ value: String, etag: ETag?, lastModified: HTTPDate?, now: HTTPDate?) -> Bool {
    if value.hasPrefix("\"") || value.hasPrefix("W/") {
      guard let etag, let given = ETag(parsing: value) else { return false }
      return given.matchesStrongly(etag)
    }
    guard let lastModified, let now, lastModified.seconds < now.seconds else { return false }
    return HTTPDate(value, now: now) == lastModified
  }

  /// Parts that overlap or touch, made one (section 15.3.7.2); where there are none, the order that was asked for.
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
public struct MultipartByteRanges: Sendable {
  private let boundary: String
  private let contentType: String?
  private let count: Int

  /// - Parameters:
  ///   - boundary: characters that do not occur in the parts behind a line end and two hyphens: random ones.
  ///   - contentType: the type of the whole, which each part repeats.
  ///   - count: the length of the whole in bytes.
  public init(boundary: String, contentType: String?, count: Int) {
    self.boundary = boundary
    self.contentType = contentType
    self.count = count
  }

  /// The type of the answer.
  public var mediaType: String { "multipart/byteranges; boundary=\(boundary)" }

  /// What stands before a part's bytes.
  public func head(of part: Range<Int>, isFirst: Bool) -> [UInt8] {
    var text = isFirst ? "--\(boundary)\r\n" : "\r\n--\(boundary)\r\n"
    if let contentType { text += "content-type: \(contentType)\r\n" }
    text += "content-range: \(ByteRanges.contentRange(part, of: count))\r\n\r\n"
    return Array(text.utf8)
  }

  /// What stands behind the last part.
  public var end: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }
}
