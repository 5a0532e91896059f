import TestSupport
import Testing

@testable import Chat

@Suite("Input rules", .shows("A2", "S3"))
struct RulesTests {
  private func codes(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch ChatError.invalid(let errors) {
      return errors.map { $0.field + ":" + $0.code }
    } catch {
      return ["\(error)"]
    }
  }

  private func accountCodes(
    email: String = "ada@example.org", password: String = "analytical", first: String = "Ada", last: String = ""
  ) -> [String] {
    codes { _ = try AccountRules.check(email: email, password: password, firstName: first, lastName: last) }
  }

  @Test("an account's values are returned in canonical form")
  func canonical() throws {
    let checked = try AccountRules.check(
      email: "  Ada.L@Example.ORG\n", password: " eight ch ", firstName: " Ada ", lastName: "\u{3000}King\t")
    #expect(checked.email == "ada.l@example.org")
    #expect(checked.password == " eight ch ")
    #expect(checked.firstName == "Ada" && checked.lastName == "King")
  }

  @Test("every wrong field is reported at once", .shows("A2"))
  func allAtOnce() {
    #expect(
      accountCodes(email: "nobody", password: "short", first: " ", last: String(repeating: "x", count: 51))
        == ["email:invalid", "password:too_short", "first_name:required", "last_name:too_long"])
    #expect(accountCodes(email: " ", password: "") == ["email:required", "password:required"])
  }

  @Test(
    "invalid addresses are refused",
    arguments: [
      "a", "@b.c", "a@", "a@b@c", "a b@c.d", "a@b..c", "a@.b", "a@b.", "a\u{0}@b.c", "a@b\u{202E}.c", "a@b\r\nc",
    ])
  func emails(email: String) {
    #expect(accountCodes(email: email) == ["email:invalid"])
  }

  @Test("addresses have at most 64 bytes before the @, and 254 in total")
  func emailLengths() {
    let local = String(repeating: "l", count: 64)
    let domain = String(repeating: "d", count: 254 - 65)
    #expect(accountCodes(email: local + "@" + domain) == [])
    #expect(accountCodes(email: local + "@" + domain + "d") == ["email:invalid"])
    #expect(accountCodes(email: "l" + local + "@d") == ["email:invalid"])
    #expect(accountCodes(email: "root@localhost") == [])
  }

  @Test("passwords have 8 to 256 characters of any kind", .shows("control 5"))
  func passwordLengths() {
    #expect(accountCodes(password: "1234x67") == ["password:too_short"])
    #expect(accountCodes(password: "👍🏽 ok ok") == [])
    #expect(accountCodes(password: String(repeating: "ab", count: 128)) == [])
    #expect(accountCodes(password: String(repeating: "ab", count: 128) + "c") == ["password:too_long"])
  }

  @Test(
    "the most common passwords are refused, in any case", .shows("control 5"),
    arguments: [
      "password", "PassWord1", "12345678", "87654321", "abcdefgh", "aaaaaaaaaa", "qwertyuiop", "iloveyou",
      "Summer2025!", "dragon1234", "hallo123456",
    ])
  func commonPasswords(password: String) {
    #expect(accountCodes(password: password) == ["password:too_common"])
  }

  @Test("the list of common passwords has thousands of entries", .shows("control 5"))
  func commonPasswordCount() { #expect(CommonPasswords.count >= 3000) }

  @Test(
    "a password that is only one's name or address, with or without digits, is refused", .shows("control 5"),
    arguments: [
      "ada.lovelace@example.org", "AdaLovelace", "lovelace1815", "Ada Lovelace!", "1-lovelace-1", "ada.lovelace99",
    ])
  func ownPasswords(password: String) {
    func codes(_ first: String, _ last: String, _ email: String) -> [String] {
      accountCodes(email: email, password: password, first: first, last: last)
    }
    #expect(codes("Ada", "Lovelace", "ada.lovelace@example.org") == ["password:too_common"])
    #expect(codes("Grace", "Hopper", "grace@example.org") == [])
  }

  @Test(
    "an invisible name is refused",
    arguments: [
      "\u{200B}", "\u{3164}", "\u{2800}\u{2800}", "\u{2060}\u{FE0F}", "\u{301}", "\u{E0041}", "\u{115F} \u{1160}",
    ])
  func invisibleNames(name: String) {
    #expect(accountCodes(first: name) == ["first_name:required"])
    #expect(accountCodes(last: name) == ["last_name:required"])
    #expect(codes { _ = try GroupRules.check(name: name, topic: nil) } == ["name:required"])
    for visible in ["é", "名", "👩🏽‍💻", "م"] { #expect(accountCodes(first: visible + name) == []) }
  }

  @Test("names have 1 to 50 characters and no control characters")
  func names() {
    #expect(accountCodes(first: String(repeating: "é", count: 50)) == [])
    #expect(accountCodes(first: String(repeating: "é", count: 51)) == ["first_name:too_long"])
    for scalar in ["\u{0}", "\n", "\u{7F}", "\u{85}", "\u{202E}", "\u{2066}", "\u{2028}"] {
      #expect(accountCodes(first: "a\(scalar)b", last: "a\(scalar)b") == ["first_name:invalid", "last_name:invalid"])
    }
    #expect(
      codes { _ = try AccountRules.check(ProfileChange(firstName: "", lastName: "\u{1}x")) } == [
        "first_name:required", "last_name:invalid",
      ])
  }

  @Test("a message has 1 to 10,000 Unicode scalars", .shows("S3"))
  func messageLengths() throws {
    let longest = String(repeating: "👍", count: 10_000)
    #expect(try MessageRules.check(text: longest) == longest)
    #expect(codes { _ = try MessageRules.check(text: longest + "x") } == ["text:too_long"])
    #expect(try MessageRules.check(text: String(repeating: "\r\n", count: 9999) + "x").unicodeScalars.count == 10_000)
  }

  @Test("a message with only white space is refused", arguments: ["", " ", "\n\t\r\n", "\u{3000}\u{A0}"])
  func blank(text: String) {
    #expect(codes { _ = try MessageRules.check(text: text) } == ["text:required"])
  }

  @Test("line ends become LF, everything else stays as typed")
  func lineEnds() throws {
    #expect(try MessageRules.check(text: " a\r\nb\rc\n\r\n\td ") == " a\nb\nc\n\n\td ")
    #expect(try MessageRules.check(text: "\r\r\nx") == "\n\nx")
  }

  @Test("control characters are refused", arguments: [0x00, 0x01, 0x08, 0x0B, 0x0C, 0x1B, 0x1F, 0x7F] as [UInt8])
  func controls(value: UInt8) {
    #expect(codes { _ = try MessageRules.check(text: "a\(Unicode.Scalar(value))b") } == ["text:invalid"])
  }
}
