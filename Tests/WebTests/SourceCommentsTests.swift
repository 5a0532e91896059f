import Testing

@testable import Web

@Suite("Comments of scripts and style sheets")
struct SourceCommentsTests {
  private func blanked(_ path: String, _ text: String) -> String {
    String(decoding: SourceComments.blanked(path, Array(text.utf8)), as: UTF8.self)
  }

  @Test("comments that begin a line become blanks; code keeps its line and column")
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

  @Test("the lines of a template literal are no comments")
  func templates() {
    let source = "const a = `\n// text\n/* text */\n`;\n// goes\nconst b = '\\`' + `x`;\n// goes"
    let expected = "const a = `\n// text\n/* text */\n`;\n       \nconst b = '\\`' + `x`;\n       "
    #expect(blanked("js/x.js", source) == expected)
  }

  @Test("in style sheets only /* begins a comment, and other files are left alone")
  func others() {
    #expect(
      blanked("css/x.css", "/* goes */\n// `stays\n  /* goes\n*/ a {}") == "          \n// `stays\n         \n   a {}")
    for path in ["icons/mark.svg", "manifest.webmanifest", "xjs"] {
      #expect(blanked(path, "// stays\n/* stays */") == "// stays\n/* stays */")
    }
  }
}
