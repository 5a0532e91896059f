import Chat
import Crypto
import FoundationEssentials
import HTTP
import HTTPServer
import Mustache

/// The one HTML page of the app, rendered once for each kind of address and language: scripts fill it in the browser.
///
/// In another language than English, an import map leads each import of texts to its translation: no module knows of
/// languages, and nothing more is fetched (docs/decisions/0013-languages.md).
struct Shell: Sendable {
  /// What a page starts with, besides what it loads when it is gone to.
  enum Start: Sendable {
    /// Sign-in and sign-up: a small script of their own.
    case signedOut
    /// Any page of the app.
    case app
    /// An open chat: what shows it is fetched with the page, not after it.
    case conversation

    /// The script that the page runs.
    var script: String { self == .signedOut ? "js/signedOut.js" : "js/app.js" }

    /// Where the list of modules to fetch early begins.
    var entries: [String] {
      guard self == .conversation else { return [script] }
      return [script, "js/conversation.js"]
    }

    /// The style sheets that are there with the first paint.
    var sheets: [String] { self == .conversation ? [Assets.styleSheet, Assets.chatStyleSheet] : [Assets.styleSheet] }
  }

  /// A rendered page, and the policy that fits it.
  struct Page: Sendable {
    let html: [UInt8]
    let policy: String
  }

  /// The names of the pages' titles in `Templates/languages`.
  static let titles = [
    "chats", "people", "news", "settings", "rooms", "group", "search", "sign_in", "sign_up", "invitation",
  ]

  /// What the template is filled with; the names are the template's.
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
  /// What pages are rendered in.
  let languages: Languages

  /// A shell from `app.mustache`; throws `WebSetupError`.
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

  /// The page for one kind of address, in one language. `title` is one of `titles`.
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
      signed_in: start != .signedOut, registration: configuration.registration.rawValue,
      github: configuration.github, github_sign_in: configuration.offersGitHubSignIn)
    let hash = map.map { "sha256-" + Data(SHA256.hash(data: Data($0.utf8))).base64EncodedString() }
    return Page(html: Array(template.render(context).utf8), policy: SecurityHeaders.pagePolicy(importMap: hash))
  }

  /// An import map (HTML, "Import maps") from each module of texts to its translation. Neither addresses nor paths hold
  /// what JSON or HTML would escape (`Assets.translations`).
  private func importMap(_ translations: [String: String]) -> String {
    let imports = translations.sorted { $0.key < $1.key }.map { path, translation in
      "\"\(assets.address(of: path))\":\"\(assets.address(of: translation))\""
    }
    return "{\"imports\":{\(imports.joined(separator: ","))}}"
  }
}
