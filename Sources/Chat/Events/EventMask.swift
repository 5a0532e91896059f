/// A logged event as its readers may see it: one text for most of them, another for those who hide from others what it
/// tells, and so do not see it of them (S6).
///
/// The log holds what was true for all when it was written. Who has hidden since is taken out here, on the way to the
/// reader, live and in a replay alike.
struct MaskedEvent: Sendable {
  /// For most.
  let data: [UInt8]
  /// For `readers`; nil where it would be the same.
  let masked: [UInt8]?
  /// Who gets `masked`.
  let readers: Readers

  /// Those who may see less.
  struct Readers: Sendable {
    /// Whose receipt it is: he sees it as it is.
    fileprivate let subject: UserID?
    /// Nil for all but the subject.
    fileprivate let hiding: Set<UserID>?

    func contains(_ reader: UserID) -> Bool { reader != subject && hiding?.contains(reader) ?? true }
  }

  init(_ event: LoggedEvent, _ hidden: Hidden) {
    if hidden.isEmpty {
      self.init(data: event.data)
    } else if event.name == "receipt.updated" {
      self.init(receipt: event.data, hidden.receipts)
    } else {
      let shown = JSONMask.withoutPresence(event.data) { hidden.lastSeen.contains($0) }
      let masked = hidden.lastSeen.isEmpty ? nil : JSONMask.withoutPresence(shown) { _ in true }
      self.init(data: shown, masked: masked == shown ? nil : masked, readers: hidden.lastSeen)
    }
  }

  private init(receipt: [UInt8], _ hidden: Set<UserID>) {
    guard !hidden.isEmpty, let subject = JSONMask.user(of: receipt) else {
      self.init(data: receipt)
      return
    }
    self.init(
      data: receipt, masked: JSONMask.withoutReading(receipt), subject: subject,
      readers: hidden.contains(subject) ? nil : hidden)
  }

  private init(data: [UInt8], masked: [UInt8]? = nil, subject: UserID? = nil, readers: Set<UserID>? = []) {
    self.data = data
    self.masked = masked
    self.readers = Readers(subject: subject, hiding: readers)
  }

  /// The text for `reader`.
  func data(for reader: UserID) -> [UInt8] {
    if let masked, readers.contains(reader) { masked } else { data }
  }
}

/// Takes members out of JSON that `JSONWriter` wrote. A quotation mark within a string is escaped, so a member's name with
/// its marks and the colon can be nothing else than that member.
enum JSONMask {
  private static let object = Array("{\"id\":\"".utf8)
  private static let online = Array("\"online\":".utf8)
  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
  private static let lastSeen = Array(",\"last_seen_at\":\"".utf8)
  private static let userID = Array("\"user_id\":\"".utf8)
  private static let readSeq = Array("\"read_seq\":".utf8)

  /// The text with every `user` whom `hides` names offline and never last seen.
  static func withoutPresence(_ json: [UInt8], hides: (UserID) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    while let place = position(of: online, in: json, from: copied) {
      let value = place + online.count
      result += json[copied..<value]
      copied = value
      guard let start = lastPosition(of: object, in: json, before: place),
        let id = id(in: json, at: start + object.count), hides(id)
      else { continue }
      if starts(with: yes, json, at: copied) {
        result += no
        copied += yes.count
      } else if starts(with: no, json, at: copied) {
        result += no
        copied += no.count
      }
      if starts(with: lastSeen, json, at: copied), let end = json[(copied + lastSeen.count)...].firstIndex(of: 0x22) {
        copied = end + 1
      }
    }
    return copied == 0 ? json : result + json[copied...]
  }

  /// A `receipt` as if nothing were read.
  static func withoutReading(_ json: [UInt8]) -> [UInt8] {
    guard let place = position(of: readSeq, in: json, from: 0) else { return json }
    let value = place + readSeq.count
    let end = json[value...].firstIndex { !(0x30...0x39).contains($0) } ?? json.count
    return json[..<value] + [0x30] + json[end...]
  }

  /// Whose `receipt` it is.
  static func user(of json: [UInt8]) -> UserID? {
    position(of: userID, in: json, from: 0).flatMap { id(in: json, at: $0 + userID.count) }
  }

  private static func id(in json: [UInt8], at start: Int) -> UserID? {
    guard start + 36 <= json.count else { return nil }
    return UserID(String(decoding: json[start..<start + 36], as: UTF8.self))
  }

  private static func starts(with pattern: [UInt8], _ json: [UInt8], at start: Int) -> Bool {
    json[start...].starts(with: pattern)
  }

  private static func position(of pattern: [UInt8], in json: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + pattern.count <= json.count {
      if json[index] == pattern[0], starts(with: pattern, json, at: index) { return index }
      index += 1
    }
    return nil
  }

  private static func lastPosition(of pattern: [UInt8], in json: [UInt8], before end: Int) -> Int? {
    var index = end - pattern.count
    while index >= 0 {
      if json[index] == pattern[0], starts(with: pattern, json, at: index) { return index }
      index -= 1
    }
    return nil
  }
}
