/// Any JSON value. An event's payload varies by type, and lost most of its members in October 2025.
enum PayloadValue: Decodable, Hashable, Sendable {
  case null
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([PayloadValue])
  case object([String: PayloadValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // Most frequent kinds first: each wrong guess costs a thrown error.
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let object = try? value.decode([String: PayloadValue].self) {
      self = .object(object)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let list = try? value.decode([PayloadValue].self) {
      self = .list(list)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  /// A member of an object; nil if it is missing or null.
  subscript(_ name: String) -> PayloadValue? {
    guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
    return member
  }

  /// A non-empty string.
  var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }

  /// An integer, or a string that contains one.
  var integer: Int64? {
    switch self {
    case .integer(let integer): integer
    case .text(let text): Int64(text)
    default: nil
    }
  }

  /// A Boolean.
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

  /// The elements of a list; empty for anything else.
  var list: [PayloadValue] { if case .list(let list) = self { list } else { [] } }
}
