import FoundationEssentials
import HTTP

/// All languages that there are: one for each file of `Templates/languages`, `de.json` for German.
struct Languages: Sendable {
  /// What everything is written in first: it needs no translation, and is for whoever reads none of the others.
  static let first = "en"
  /// The setting of who leaves the choice to the browser.
  static let system = "system"

  /// English first, then the others by their tags.
  let all: [Language]

  /// The languages of `Templates/languages`. Throws `WebSetupError`.
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

  /// The language with a tag.
  subscript(tag: String) -> Language? { all.first { $0.tag == tag } }

  /// The one to show: what the person has chosen, else the best of what the browser asks for, else the first.
  func language(chosen: String? = nil, for head: RequestHead) -> Language {
    let tag = chosen.flatMap { self[$0]?.tag } ?? AcceptLanguage(head).best(of: all.map(\.tag))
    return tag.flatMap { self[$0] } ?? all[0]
  }
}
