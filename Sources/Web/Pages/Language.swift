/// A language of the user interface: the texts that the server itself renders, and what the browser needs to know about
/// it. The app's own texts are scripts (`Assets.translations`).
struct Language: Sendable {
  /// The language's tag in lower case (BCP 47), `de`.
  let tag: String
  /// Its name in the language itself.
  let name: String
  /// The text direction: `ltr` or `rtl`.
  let direction: String
  /// The description for search engines and previews.
  let description: String
  /// The text shown without scripts: what is wrong, and what to do.
  let noScript: (what: String, how: String)
  /// The titles of pages by short names (`chats`), shown until the app sets a better one.
  let titles: [String: String]
  /// Title and sentence of each problem that can appear as a page, by the problem's name.
  let problems: [String: (title: String, detail: String)]
  /// The link text that leads away from such a page.
  let toChats: String

  /// Parses a language's file. Nil if anything is missing or invalid.
  init?(tag: String, json: JSONValue) {
    func text(_ names: String...) -> String? {
      var value = json
      for name in names {
        guard case .object(let members) = value, let member = members[name] else { return nil }
        value = member
      }
      if case .text(let text) = value { return text }
      return nil
    }
    guard case .object(let members) = json, case .object(let titles) = members["titles"],
      case .object(let problems) = members["problems"], let name = text("name"), let direction = text("direction"),
      ["ltr", "rtl"].contains(direction), let description = text("description"), let what = text("noscript", "what"),
      let how = text("noscript", "how"), let toChats = text("to_chats")
    else { return nil }
    self.tag = tag
    self.name = name
    self.direction = direction
    self.description = description
    noScript = (what, how)
    self.toChats = toChats
    self.titles = titles.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
    var told: [String: (title: String, detail: String)] = [:]
    for name in problems.keys {
      guard let title = text("problems", name, "title"), let detail = text("problems", name, "detail") else {
        return nil
      }
      told[name] = (title, detail)
    }
    // Completeness is checked at start-up, so that nobody encounters a page without a title or a problem without texts.
    guard Set(Shell.titles).isSubset(of: self.titles.keys),
      Set(Problem.Name.allCases.map(\.rawValue)).isSubset(of: told.keys)
    else { return nil }
    self.problems = told
  }
}
