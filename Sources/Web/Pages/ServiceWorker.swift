import Base
import Chat
import EventLoop
import HTTP
import HTTPServer

/// The service worker's script: a few lines with the current version of the browser's files that load the scripts of
/// `Public/worker`. So the script changes with any file, which is how browsers notice an update.
///
/// A classic script, because Firefox ESR does not support modules as service workers.
struct ServiceWorker: Sendable {
  /// The scripts it loads, in order.
  static let scripts = ["worker/offline.js", "worker/push.js"]

  /// The worker's content security policy: run scripts and fetch from this origin, nothing else. A worker does not
  /// inherit the policy of the page that registers it.
  static let policy = "default-src 'none'; script-src 'self'; connect-src 'self'"

  private struct Rendered {
    let version: String
    let script: [UInt8]
  }

  private let assets: Assets
  private let rendered = Lock<Rendered?>(nil)

  init(assets: Assets) { self.assets = assets }

  /// The script for the current files.
  func script() -> [UInt8] {
    let base = assets.base
    if let known = rendered.withLock({ $0 }), known.version == base { return known.script }
    let script = render(base: base)
    rendered.withLock { $0 = Rendered(version: base, script: script) }
    return script
  }

  private func render(base: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("version", String(base.split(separator: "/").last ?? ""))
      json.member("base", base)
      json.name("files")
      json.array { json in
        for path in assets.paths where ServiceWorker.isKept(path) { json.value(path) }
      }
    }
    var names = JSONWriter()
    names.array { json in
      for script in ServiceWorker.scripts { json.value(base + script) }
    }
    return Array("self.hubbub = ".utf8) + json.bytes + Array(";\nimportScripts(...".utf8) + names.bytes
      + Array(");\n".utf8)
  }

  /// Whether offline pages may need the file: all except the parts of bundled style sheets, the workers' own scripts,
  /// and files that only the system requests.
  static func isKept(_ path: String) -> Bool {
    if path.hasPrefix("css/") { return path.hasPrefix("css/later/") }
    return !path.hasPrefix("worker/") && !path.hasPrefix("icons/icon-") && !path.hasSuffix(".webmanifest")
  }
}
