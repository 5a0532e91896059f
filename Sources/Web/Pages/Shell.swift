import Chat
import Crypto
import FoundationEssentials
import HTTP
import HTTPServer
import Mustache

/// The app's single HTML page, rendered once for each kind of address and language; scripts fill it in the browser.
///
/// For languages other than English, an import map redirects each import of texts to its translation, so modules need
/// not know of languages and nothing more is fetched (docs/decisions/0013-languages.md).
struct Shell: Sendable {
  /// What a page loads initially, in addition to what it loads later.
  enum Start: Sendable {
    /// Sign-in and sign-up: a separate small script.
    case signedOut
    /// Any page of the app.
    case app
    /// An open chat: the modules that show it are fetched together with the page.
    case conversation

    /// The page's script.
    var script: String { self == .signedOut ? "js/signedOut.js" : "js/app.js" }

    /// The roots of the list of modules to preload.
    var entries: [String] {
      guard self == .conversation else { return [script] }
      return [script, "js/pages/chatPage.js"]
    }

    /// The style sheets needed for the first paint.
    var sheets: [String] {
      switch self {
      case .signedOut: [Assets.styleSheet, Assets.signInStyleSheet]
      case .app: [Assets.styleSheet]
      case .conversation: [Assets.styleSheet, Assets.chatStyleSheet]
      }
    }
  }

  /// A rendered page and its content security policy.
  struct Page: Sendable {
    let html: [UInt8]
    let policy: String
  }

  /// The keys of the page titles in `Templates/languages`.
  static let titles = [
    "chats", "people", "news", "settings", "rooms", "group", "search", "sign_in", "sign_up", "invitation",
  ]

  /// The limits that the browser checks before sending (`Public/js/models/limits.js`).
  private static let limits = [
    ("message", MessageRules.longestText), ("draft", MessageRules.longestText),
    ("query", SearchQueryParser.longestText), ("person_name", AccountRules.longestName),
    ("short_password", AccountRules.shortestPassword), ("password", AccountRules.longestPassword),
    ("room_name", GroupRules.longestName), ("topic", GroupRules.longestTopic), ("members", GroupRules.mostMembers),
  ].map { "\($0)=\($1)" }.joined(separator: ",")

  /// The template's values, under the template's names.
  private struct Context {
    var language: String
    var direction: String
    var chosen_from: String
    var description: String
    var no_script_what: String
    var no_script_how: String
    var import_map: String?
    var title: String
    var styles: [Link]
    var script: String
    var modules: [Link]
    var signed_in: Bool
    var limits: String
    var registration: String
    var github: String
    var github_sign_in: Bool
  }

  private struct Link {
    var href: String
  }

  private let template: MustacheTemplate
  private let assets: Assets
  private let configuration: WebConfiguration
  /// The languages to render in.
  let languages: Languages

  /// Loads the template `app.mustache`; throws `WebSetupError`.
  init(configuration: WebConfiguration, assets: Assets, languages: Languages) throws {
    let path = configuration.templatesFolder + "/app.mustache"
    guard let source = FileManager.default.contents(atPath: path) else {
      throw WebSetupError(description: "The template \(path) cannot be read.")
    }
    do {
      template = try MustacheTemplate(string: String(decoding: source, as: UTF8.self))
    } catch {
      throw WebSetupError(description: "The template \(path) is wrong: \(error)")
    }
    self.assets = assets
    self.configuration = configuration
    self.languages = languages
  }

  /// The page for one kind of address in one language. `title` is one of `titles`.
  func render(title: String, start: Start, language: Language) -> Page {
    let translations = language.tag == Languages.first ? [:] : assets.translations(into: language.tag)
    let map = translations.isEmpty ? nil : importMap(translations)
    let modules = assets.modules(from: start.entries).map { translations[$0] ?? $0 }
    let context = Context(
      language: language.tag, direction: language.direction,
      chosen_from: languages.all.map { "\($0.tag)=\($0.name)" }.joined(separator: ","),
      description: language.description, no_script_what: language.noScript.what, no_script_how: language.noScript.how,
      import_map: map, title: (language.titles[title] ?? title) + " · Hubbub",
      styles: start.sheets.map { Link(href: assets.address(of: $0)) },
      script: assets.address(of: start.script), modules: modules.map { Link(href: assets.address(of: $0)) },
      signed_in: start != .signedOut, limits: Self.limits, registration: configuration.registration.rawValue,
      github: configuration.github, github_sign_in: configuration.offersGitHubSignIn)
    let hash = map.map { "sha256-" + Data(SHA256.hash(data: Data($0.utf8))).base64EncodedString() }
    return Page(html: Array(template.render(context).utf8), policy: SecurityHeaders.pagePolicy(importMap: hash))
  }

  /// An import map (HTML, "Import maps") from each text module to its translation. Neither addresses nor paths contain
  /// characters that JSON or HTML would escape (`Assets.translations`).
  private func importMap(_ translations: [String: String]) -> String {
    let imports = translations.sorted { $0.key < $1.key }.map { path, translation in
      "\"\(assets.address(of: path))\":\"\(assets.address(of: translation))\""
    }
    return "{\"imports\":{\(imports.joined(separator: ","))}}"
  }
}
