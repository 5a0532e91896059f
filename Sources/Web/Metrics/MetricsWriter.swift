/// Writes metrics in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats).
package struct MetricsWriter {
  package enum Kind: String, Sendable {
    /// Only increases while the program runs.
    case counter
    /// Goes up and down.
    case gauge
    /// Counts of observations up to each bound, with their sum.
    case histogram
  }

  /// The media type of the format.
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Starts a family; its samples follow. `name` is in base units, `hubbub_…_seconds`, `…_total`.
  package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// A value of a family, identified by its labels.
  package mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " " + Self.number(value) + "\n"
  }

  /// An integer value.
  package mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Int) {
    sample(name, labels, Double(value))
  }

  /// A family with one value.
  package mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help)
    sample(name, [], value)
  }

  /// A family with one integer value.
  package mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    single(name, kind, help, Double(value))
  }

  /// A histogram's samples. `counts` has one element more than `bounds`, for larger values.
  package mutating func histogram(
    _ name: String, _ labels: [(String, String)] = [], bounds: [Double], counts: [Int], sum: Double
  ) {
    var total = 0
    for (bound, count) in zip(bounds.map(Self.number) + ["+Inf"], counts) {
      total += count
      sample(name + "_bucket", labels + [("le", bound)], total)
    }
    sample(name + "_sum", labels, sum)
    sample(name + "_count", labels, total)
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
