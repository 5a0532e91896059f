import FoundationEssentials

/// Any JSON value, for records that are kept as recorded.
enum JSONValue: Codable, Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // Most frequent kinds first: each wrong guess costs a thrown error.
    if value.decodeNil() {
      self = .null
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let object = try? value.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }

  /// Parses `bytes`; nil if they are not JSON.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return nil }
    self = value
  }

  /// The value as JSON text with sorted keys, so that equal values have equal bytes.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  /// A member of an object.
  subscript(_ key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
}
