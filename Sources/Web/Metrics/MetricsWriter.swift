/// Writes measurements in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats).
public struct MetricsWriter {
  /// What a number means over time.
  public enum Kind: String, Sendable {
    /// It only grows while the program runs.
    case counter
    /// It goes up and down.
    case gauge
    /// Counts of observations up to each bound, with their sum.
    case histogram
  }

  /// The media type of what is written.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Begins a family: all its samples follow. `name` is in base units, `hubbub_…_seconds`, `…_total`.
  public mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// One value of a family, told apart by its labels.
  public mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " " + Self.number(value) + "\n"
  }

  /// One value that is a whole number.
  public mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Int) {
    sample(name, labels, Double(value))
  }

  /// A family of one value.
  public mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help)
    sample(name, [], value)
  }

  /// A family of one whole number.
  public mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    single(name, kind, help, Double(value))
  }

  /// A histogram's samples. `counts` has one more than `bounds`: what lies beyond the last.
  public mutating func histogram(
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
