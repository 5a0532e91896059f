import FoundationEssentials
import HTTP

/// All available languages: one per file in `Templates/languages`, `de.json` for German.
struct Languages: Sendable {
  /// The source language, which needs no translation and is the fallback.
  static let first = "en"
  /// The setting that leaves the choice to the browser.
  static let system = "system"

  /// English first, then the others sorted by tag.
  let all: [Language]

  /// Reads `Templates/languages`. Throws `WebSetupError`.
  init(folder: String) throws {
    let folder = folder + "/languages"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    let tags = names.map { String($0.dropLast(5)) }.sorted {
      ($1 == Languages.first ? 1 : 0, $0) < ($0 == Languages.first ? 1 : 0, $1)
    }
    all = try tags.map { tag in
      let path = "\(folder)/\(tag).json"
      guard let data = FileManager.default.contents(atPath: path), let json = try? JSONValue(Array(data)),
        let language = Language(tag: tag, json: json)
      else { throw WebSetupError(description: "The language \(path) cannot be read, or lacks a text.") }
      return language
    }
    guard all.first?.tag == Languages.first else {
      throw WebSetupError(description: "The file \(folder)/\(Languages.first).json is missing.")
    }
  }

  /// The language with this tag.
  subscript(tag: String) -> Language? { all.first { $0.tag == tag } }

  /// The language to show: the person's choice, otherwise the best match for the browser's preferences, otherwise
  /// English.
  func language(chosen: String? = nil, for head: RequestHead) -> Language {
    if let chosen = chosen.flatMap({ self[$0] }) { return chosen }
    guard head[.acceptLanguage] != nil else { return all[0] }
    return AcceptLanguage(head).best(of: all.map(\.tag)).flatMap { self[$0] } ?? all[0]
  }
}
