import HTTP
import TestSupport
import Testing

@Suite("Fields")
struct FieldsTests {
  @Test("a value can never end its line", .shows("control 13"))
  func singleLine() {
    var fields: Fields = ["x-a": "one\r\nx-evil: two\u{0}"]
    #expect(fields["x-a"] == "one  x-evil: two ")
    fields["x-b"] = "a\nb\u{7F}"
    #expect(fields["X-B"] == "a b ")
  }

  @Test("set keeps the first position and drops the others; add repeats; remove removes all")
  func order() {
    var fields: Fields = ["a": "1", "b": "2", "a": "3", "a": "4"]
    fields.set("a", "5")
    #expect(fields.map { "\($0.name)=\($0.value)" } == ["a=5", "b=2"])
    fields.add("a", "6")
    #expect(fields.all("a") == ["5", "6"])
    #expect(fields.contains("b") && fields.count == 3)
    fields["a"] = nil
    #expect(fields["a"] == nil)
    fields.remove("b")
    #expect(fields.isEmpty)
    fields["c"] = "7"
    #expect(fields["c"] == "7")
  }

  @Test("names are tokens, compared without case")
  func names() {
    // Taken from a list, because literals use the literal initializer, which cannot fail.
    for (text, name) in [("Content-Type", .contentType), ("", nil), ("a b", nil), ("a:", nil), ("é", nil)]
      as [(String, FieldName?)]
    {
      #expect(FieldName(text) == name)
    }
    #expect(FieldName.etag.description == "etag")
  }
}
