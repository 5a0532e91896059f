import Testing

/// Names what a test shows: cases of docs/spec.md ("S6") and controls of docs/security.md ("control 13").
/// `Tests/tools/cases.py` reads the tag from the source; it changes nothing about the run.
package struct Shows: TestTrait, SuiteTrait {
  package let cases: [String]
}

extension Trait where Self == Shows {
  package static func shows(_ cases: String...) -> Self { Shows(cases: cases) }
}
