import Testing

@testable import Web

@Suite("Comments in scripts and style sheets")
struct SourceCommentsTests {
  private func blanked(_ path: String, _ text: String) -> String {
    String(decoding: SourceComments.blanked(path, Array(text.utf8)), as: UTF8.self)
  }

  @Test("comments at the start of a line become spaces; code keeps its line and column")
  func scripts() {
    let source = """
      /** What — it is 🎉. */
      import { a } from './a.js'; // stays
        // goes: `
      /*
       * goes
       */ const b = '/*'; /* stays */
      const c = a /* stays */ + b;
      """
    let expected = """
      \(String(repeating: " ", count: 23))
      import { a } from './a.js'; // stays
      \(String(repeating: " ", count: 12))
      \("  ")
      \(String(repeating: " ", count: 7))
      \("   ") const b = '/*'; /* stays */
      const c = a /* stays */ + b;
      """
    #expect(blanked("js/x.js", source) == expected)
    #expect(blanked("js/x.js", source + "\n") == expected + "\n")
    #expect(blanked("js/x.js", "") == "")
    #expect(blanked("js/x.js", "/* never ends\nx") == "             \n ")
  }

  @Test("lines of a template literal are not comments")
  func templates() {
    let source = "const a = `\n// text\n/* text */\n`;\n// goes\nconst b = '\\`' + `x`;\n// goes"
    let expected = "const a = `\n// text\n/* text */\n`;\n       \nconst b = '\\`' + `x`;\n       "
    #expect(blanked("js/x.js", source) == expected)
  }

  @Test("in style sheets only /* starts a comment, and other files are unchanged")
  func others() {
    #expect(
      blanked("css/x.css", "/* goes */\n// `stays\n  /* goes\n*/ a {}") == "          \n// `stays\n         \n   a {}")
    for path in ["icons/mark.svg", "manifest.webmanifest", "xjs"] {
      #expect(blanked(path, "// stays\n/* stays */") == "// stays\n/* stays */")
    }
  }
}
