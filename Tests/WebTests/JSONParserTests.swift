import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("JSON parser")
struct JSONParserTests {
  private func value(_ text: String) throws -> JSONValue { try JSONParser.value(of: Array(text.utf8)) }

  @Test("values of every kind are parsed, with white space anywhere between them")
  func kinds() throws {
    let text = " { \"a\" : [ 1 , -2.5 , true , false , null , \"x\" , { } , [ ] ] ,\r\n\t\"b\":{\"c\":0} } "
    #expect(
      try value(text)
        == .object([
          "a": .array([
            .integer(1), .number(-2.5), .flag(true), .flag(false), .null, .text("x"), .object([:]), .array([]),
          ]),
          "b": .object(["c": .integer(0)]),
        ]))
    #expect(try value("{\"a\":1,\"a\":2}") == .object(["a": .integer(2)]))
  }

  @Test("integers stay integers if they fit, however they are written")
  func numbers() throws {
    for (text, number) in [("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("12E+1", 120), ("50e-1", 5)] {
      #expect(try value(text) == .integer(number), "\(text)")
    }
    #expect(try value("9223372036854775807") == .integer(.max))
    #expect(try value("-9223372036854775808") == .integer(.min))
    for text in ["9223372036854775808", "1e400", "0.5", String(repeating: "9", count: 400)] {
      guard case .number = try value(text) else {
        Issue.record("\(text) is a whole number")
        continue
      }
    }
  }

  @Test("escapes are decoded, surrogate pairs to one character")
  func escapes() throws {
    #expect(try value(#""\"\\\/\b\f\n\r\t\u00e9\u00E9""#) == .text("\"\\/\u{8}\u{C}\n\r\téé"))
    #expect(try value(#""a\ud83e\udd8az""#) == .text("a🦊z"))
    #expect(try value(#""\u0000\uffff""#) == .text("\u{0}\u{FFFF}"))
    #expect(try value("\"ü🦊\"") == .text("ü🦊"))
  }

  @Test(
    "anything but strict JSON is refused (RFC 8259)",
    arguments: [
      "", " ", "{", "}", "[", "[1", "[1,]", "[,1]", "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{'a':1}", "{1:1}",
      "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "-Infinity", "tru", "True", "nul", "\"",
      "\"a", "\"\\\"", "\"\\x41\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800x\"", "\"\\udc00\"",
      "\"\\ud800\\ud800\"", "\"\\ud800\\n\"", "\"a\nb\"", "\"a\u{0}\"", "1 2", "{}{}", "[] x", "\u{FEFF}{}", "/**/1",
      "\"\\u00é9\"",
    ])
  func refused(_ text: String) {
    #expect(throws: JSONValue.Failure.malformed) { try value(text) }
  }

  @Test("invalid UTF-8 is refused anywhere")
  func encoding() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] {
      #expect(throws: JSONValue.Failure.malformed) { try JSONParser.value(of: [0x22] + bytes + [0x22]) }
      #expect(throws: JSONValue.Failure.malformed) { try JSONParser.value(of: [0x22, 0x5C, 0x6E] + bytes + [0x22]) }
      #expect(throws: JSONValue.Failure.malformed) { try JSONParser.value(of: bytes) }
    }
  }

  @Test("depth and number of values are checked before parsing", .shows("control 13"))
  func bounds() throws {
    let deepest = Array((String(repeating: "[", count: 16) + String(repeating: "]", count: 16)).utf8)
    _ = try JSONValue(deepest)
    #expect(throws: JSONValue.Failure.tooLarge) { try JSONValue([0x5B] + deepest + [0x5D]) }
    let many = "[" + String(repeating: "1,", count: 2001) + "1]"
    #expect(throws: JSONValue.Failure.tooLarge) { try JSONValue(Array(many.utf8)) }
  }
}
