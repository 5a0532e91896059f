/// One language that people can read Hubbub in: what the server itself writes in it, and what the browser needs to know
/// of it. The app's own texts in it are scripts (`Assets.translations`).
struct Language: Sendable {
  /// The language's tag in lower case (BCP 47), `de`.
  let tag: String
  /// What its speakers call it.
  let name: String
  /// `ltr` or `rtl`: which way its lines run.
  let direction: String
  /// What search engines and previews show.
  let description: String
  /// What stands where scripts are off: what is so, and what to do.
  let noScript: (what: String, how: String)
  /// The titles of pages by their English names' short forms (`chats`), until the app gives a better one.
  let titles: [String: String]
  /// Title and sentence of a problem that people see as a page, by the problem's name.
  let problems: [String: (title: String, detail: String)]
  /// The way out of such a page.
  let toChats: String

  /// A language from its file. Nil where something is missing, or is not what it should be.
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
    // A page without a title, or a problem without words, must not be found out by whoever meets it.
    guard Set(Shell.titles).isSubset(of: self.titles.keys),
      Set(Problem.Name.allCases.map(\.rawValue)).isSubset(of: told.keys)
    else { return nil }
    self.problems = told
  }
}
