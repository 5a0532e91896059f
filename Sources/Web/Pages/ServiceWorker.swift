import Chat
import EventLoop
import HTTP
import HTTPServer

/// The service worker's script: a few lines that say which version of the browser's files is the present one and load
/// the scripts of `Public/worker`. So the script changes with any file, which is how browsers notice an update.
///
/// A classic script, since Firefox ESR runs no module as a service worker.
struct ServiceWorker: Sendable {
  /// What it loads, in this order.
  static let scripts = ["worker/offline.js", "worker/push.js"]

  /// What the worker may do (CSP): run scripts and fetch from here, nothing else. A worker does not inherit the policy
  /// of the page that registers it.
  static let policy = "default-src 'none'; script-src 'self'; connect-src 'self'"

  private struct Rendered {
    let version: String
    let script: [UInt8]
  }

  private let assets: Assets
  private let rendered = Lock<Rendered?>(nil)

  /// A worker for these files.
  init(assets: Assets) { self.assets = assets }

  /// The script for the present files.
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

  /// Whether pages may need the file without a network: all but the parts of style sheets that are served as one, the
  /// workers' own scripts, and what only the system asks for.
  static func isKept(_ path: String) -> Bool {
    if path.hasPrefix("css/") { return path.hasPrefix("css/later/") }
    return !path.hasPrefix("worker/") && !path.hasPrefix("icons/icon-") && !path.hasSuffix(".webmanifest")
  }
}
