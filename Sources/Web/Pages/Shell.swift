import Chat
import FoundationEssentials
import HTTP
import HTTPServer
import Mustache

/// The one HTML page of the app, rendered once for each kind of address: scripts fill it in the browser.
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

  /// What the template is filled with; the names are the template's.
  private struct Context {
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

  /// A shell from `app.mustache`; throws `WebSetupError`.
  init(configuration: WebConfiguration, assets: Assets) throws {
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
  }

  /// The page for one kind of address.
  func render(title: String, start: Start) -> [UInt8] {
    let context = Context(
      title: title, styles: start.sheets.map { Link(href: assets.address(of: $0)) },
      script: assets.address(of: start.script),
      modules: assets.modules(from: start.entries).map { Link(href: assets.address(of: $0)) },
      signed_in: start != .signedOut, registration: configuration.registration.rawValue,
      github: configuration.github, github_sign_in: configuration.offersGitHubSignIn)
    return Array(template.render(context).utf8)
  }
}
