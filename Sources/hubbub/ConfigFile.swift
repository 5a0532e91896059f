import FoundationEssentials

/// The optional config file: a JSON object that maps setting names to strings, integers, or booleans (on and off).
enum ConfigFile {
  /// Reads the file. Throws `Settings.Problem`.
  static func read(_ path: String) throws(Settings.Problem) -> [String: String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw Settings.Problem(description: "The config file \(path) cannot be read. Check the path and its permissions.")
    }
    let values = try parse(data, name: path)
    let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    if let secret = Settings.secrets.first(where: { values[$0]?.isEmpty == false }), (mode ?? 0) & 0o077 != 0 {
      throw Settings.Problem(
        description: "The config file \(path) holds \"\(secret)\", and others can read it. Run chmod 600 \(path).")
    }
    return values
  }

  /// Parses the file's content; messages mention `name`.
  static func parse(_ data: Data, name: String) throws(Settings.Problem) -> [String: String] {
    guard let values = try? JSONDecoder().decode([String: Value].self, from: data) else {
      throw Settings.Problem(
        description: "The config file \(name) is not a JSON object of strings and numbers, such as {\"port\": 8080}.")
    }
    return values.mapValues(\.text)
  }

  private struct Value: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        text = flag ? "on" : "off"
      } else if let number = try? container.decode(Int.self) {
        text = String(number)
      } else {
        text = try container.decode(String.self)
      }
    }
  }
}

extension Settings {
  /// The settings that only the operator may read.
  static let secrets = ["github_token", "github_client_secret", "metrics_token"]

  /// Settings from options, the environment, and the config file that `config` or the environment names.
  init(options: [String: String], environment: [String: String], config: String?) throws(Problem) {
    var file: [String: String] = [:]
    if let path = config ?? environment["HUBBUB_CONFIG"] { file = try ConfigFile.read(path) }
    try self.init(options: options, environment: environment, file: file)
  }
}
