import Chat
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Pages and assets")
struct PageTests {
  private static let pages = [
    "/chats", "/chats/x", "/people", "/people?q=ada%20l", "/people/tom/followers", "/people/tom/following",
    "/orgs/github", "/news", "/settings", "/settings/privacy", "/search?q=ada%20l", "/rooms", "/rooms/new",
    "/chats/0197a3b2-0000-7000-8000-000000000000/info",
  ]

  @Test(
    "Visitors are sent to sign in, and then back to the same address, on this site only", .shows("control 14"))
  func redirects() async throws {
    try await TestHub.with { hub in
      for page in Self.pages {
        let answer = try await hub.memory.send(.get, page, fields: [.host: "evil.example"])
        #expect(answer.status == .seeOther && answer.fields.all(.cacheControl) == ["no-store"])
        let location = try #require(answer.fields[.location])
        #expect(location.hasPrefix("/sign-in?return_to=%2F") && !location.contains("evil"))
        let head = try TestClient.head(.get, location)
        #expect(head.query["return_to"] == page)
      }
      for path in ["//evil.example/chats", "/%5Cevil.example", "/%2F%2Fevil.example"] {
        let answer = try await hub.memory.send(.get, path)
        #expect(answer.fields[.location] == nil && answer.status.code >= 400, "\(path)")
      }
      #expect(try await hub.memory.send(.get, "/").fields[.location] == "/sign-in")
      let ada = try await hub.signUp("Ada")
      for path in ["/", "/sign-in?return_to=//evil.example", "/sign-up"] {
        let answer = try await hub.memory.send(.get, path, fields: [.cookie: ada.cookie])
        #expect(answer.status == .seeOther && answer.fields.all(.location) == ["/chats"])
      }
      _ = try await hub.memory.send(.delete, "/api/v1/session", fields: [.cookie: ada.cookie])
      let answer = try await hub.memory.send(.get, "/news", fields: [.cookie: ada.cookie])
      #expect(answer.fields[.location] == "/sign-in?ended=yes&return_to=%2Fnews")
    }
  }

  @Test("Pages have a strict policy and nothing inline; everything they refer to is immutable", .shows("control 3"))
  func shell() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let requests = Self.pages.map { ($0, ada.cookie) } + [("/sign-in", "a=b"), ("/sign-up", "a=b")]
      for (path, cookie) in requests {
        let page = try await hub.memory.send(.get, path, fields: [.cookie: cookie])
        #expect(page.status == .ok && page.fields[.contentType] == "text/html; charset=utf-8")
        let policy = try #require(page.fields["content-security-policy"])
        #expect(policy.contains("script-src 'self';") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!page.text.contains(" style=") && !page.text.contains("<style"))
        for script in page.text.components(separatedBy: "<script").dropFirst() {
          #expect(script.prefix { $0 != ">" }.contains(" src=\"") && script.contains("\"></script>"))
        }
        #expect(page.text.contains(cookie == "a=b" ? "data-signed-in=\"no\"" : "data-signed-in=\"yes\""))
        #expect(page.text.contains("data-limits=\"message=10000,draft=10000,query=200,person_name=50,"))
        #expect(page.text.contains("data-github=\"demo\"") && page.text.contains("data-registration=\"open\""))
        let tag = try #require(page.fields[.etag])
        let again = try await hub.memory.send(.get, path, fields: [.cookie: cookie, .ifNoneMatch: tag])
        #expect(again.status == .notModified)
      }
      let page = try await hub.memory.send(.get, "/chats", fields: [.cookie: ada.cookie])
      let addresses = page.text.components(separatedBy: "\"").filter { $0.hasPrefix("/assets/") }
      #expect(addresses.count > 3)
      for address in addresses {
        let asset = try await hub.memory.send(.get, address)
        #expect(asset.status == .ok && !asset.body.isEmpty, "\(address)")
      }
    }
  }

  @Test("An invitation's page is open to everybody and does not reveal the token", .shows("R1"))
  func invitationPage() async throws {
    try await TestHub.with { hub in
      let door = try await hub.memory.send(.get, "/invite/no-such-token")
      #expect(door.status == .ok && door.text.contains("data-signed-in=\"no\""))
      #expect(door.text.contains("js/signedOut.js") && !door.text.contains("no-such-token"))
      let ada = try await hub.signUp("Ada")
      let page = try await hub.memory.send(.get, "/invite/no-such-token", fields: [.cookie: ada.cookie])
      #expect(page.status == .ok && page.text.contains("data-signed-in=\"yes\""))
      #expect(page.fields.all(.vary).contains { $0.contains("Cookie") })
      #expect(try await hub.memory.send(.get, "/invite/a/b").status == .notFound)
    }
  }

  @Test("Assets are immutable under the current version, and revalidated elsewhere")
  func assets() async throws {
    try await TestHub.with { hub in
      let page = try await hub.memory.send(.get, "/sign-in")
      let sheet = try #require(page.text.components(separatedBy: "\"").first { $0.hasSuffix("/app.css") })
      let present = try await hub.memory.send(.get, sheet)
      #expect(present.fields[.cacheControl] == "public, max-age=31536000, immutable")
      #expect(present.fields[.contentType] == "text/css; charset=utf-8")
      let old = try await hub.memory.send(.get, "/assets/0123456789abcdef/app.css")
      let plain = try await hub.memory.send(.get, "/assets/app.css")
      for answer in [old, plain] {
        #expect(answer.fields[.cacheControl] == "no-cache" && answer.body == present.body)
      }
      let tag = try #require(plain.fields[.etag])
      let again = try await hub.memory.send(.get, "/assets/app.css", fields: [.ifNoneMatch: tag])
      #expect(again.status == .notModified)
      for path in ["none.js", "..%2FPackage.swift", "0123456789abcdef/none.js", "0123456789abcdzz/app.css", "js"] {
        #expect(try await hub.memory.send(.get, "/assets/" + path).status.code >= 400, "\(path)")
      }
    }
  }

  @Test("Folders that cannot be served are reported by name")
  func broken() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hubbub-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let css = folder.appendingPathComponent("css")
    func failure(_ body: () throws -> Void) -> String? {
      do { try body() } catch { return (error as? WebSetupError)?.description }
      return nil
    }
    #expect(failure { _ = try Assets(folder: folder.path) }?.contains(folder.path) == true)
    try FileManager.default.createDirectory(at: css, withIntermediateDirectories: true)
    #expect(failure { _ = try Assets(folder: folder.path) }?.contains("order.txt") == true)
    try Data("a.css\n\n".utf8).write(to: css.appendingPathComponent("order.txt"))
    #expect(failure { _ = try Assets(folder: folder.path) }?.contains("a.css") == true)
    try Data("a{}".utf8).write(to: css.appendingPathComponent("a.css"))
    #expect(failure { _ = try Assets(folder: folder.path) }?.contains("css/chat/order.txt") == true)
    let chat = css.appendingPathComponent("chat")
    try FileManager.default.createDirectory(at: chat, withIntermediateDirectories: true)
    try Data("b.css\n".utf8).write(to: chat.appendingPathComponent("order.txt"))
    try Data("b{}".utf8).write(to: chat.appendingPathComponent("b.css"))
    for name in ["b.png", "c.webp", "d.ico", "e.woff2", "f.json", "g.svg", "h.webmanifest", "i.bin", ".hidden"] {
      try Data("x".utf8).write(to: folder.appendingPathComponent(name))
    }
    let assets = try Assets(folder: folder.path)
    let types = try ["b.png", "c.webp", "d.ico", "e.woff2", "f.json", "g.svg", "h.webmanifest", "i.bin"].map { name in
      let request = Request(head: try TestClient.head(.get, "/assets/" + name))
      return try assets.response(to: request, path: name).fields[.contentType]
    }
    #expect(
      types == [
        "image/png", "image/webp", "image/x-icon", "font/woff2", "application/json", "image/svg+xml",
        "application/manifest+json", "application/octet-stream",
      ])
    let hidden = Request(head: try TestClient.head(.get, "/"))
    #expect(throws: Problem.self) { try assets.response(to: hidden, path: ".hidden") }
    let languages = try Languages(folder: TestHub.root + "/Templates")
    var configuration = WebConfiguration(templatesFolder: folder.path)
    #expect(
      failure { _ = try Shell(configuration: configuration, assets: assets, languages: languages) }?.contains(
        "app.mustache") == true)
    try Data("{{#open}}".utf8).write(to: folder.appendingPathComponent("app.mustache"))
    configuration.publicBase = "HTTPS://Chat.Example.org//"
    #expect(
      failure { _ = try Shell(configuration: configuration, assets: assets, languages: languages) }?.contains("wrong")
        == true)
    #expect(configuration.isSecure && configuration.publicOrigin == "https://chat.example.org")
  }

  @Test("The API description lists exactly the routes that are served", .shows("P1"))
  func openAPI() async throws {
    try await TestHub.with { hub in
      let answer = try await hub.memory.send(.get, "/api/openapi.json")
      #expect(answer.status == .ok && answer.fields[.contentType] == "application/json")
      let document = try answer.json()
      #expect(document["openapi"]?.text == "3.1.0")
      let served = hub.application.router.routes().filter { $0.pattern.hasPrefix("/api/v1/") }
      for route in served {
        let operation = document["paths"]?[OpenAPI.template(route.pattern)]?[route.method.name.lowercased()]
        #expect(operation?["summary"]?.text?.isEmpty == false, "\(route.method) \(route.pattern)")
        #expect(operation?["responses"]?["default"] != nil)
      }
      let rooms = document["paths"]?["/api/v1/rooms"]
      #expect(rooms?["get"]?["parameters"]?[0]?["name"]?.text == "cursor")
      #expect(
        rooms?["post"]?["responses"]?["201"]?["content"]?["application/json"]?["schema"]?["$ref"]?.text
          == "#/components/schemas/room")
      #expect(document["components"]?["schemas"]?["room"] != nil)
      #expect(document["paths"]?["/api/v1/rooms/{room}"]?["parameters"]?[0]?["name"]?.text == "room")
    }
  }

  @Test("docs/api.md lists each route that is served", .shows("P1"))
  func document() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let document = try String(contentsOf: root.appending(path: "docs/api.md"), encoding: .utf8)
      .replacing(/{\w+}/, with: "{}")
    try await TestHub.with { hub in
      for route in hub.application.router.routes() where route.pattern.hasPrefix("/api/v1/") {
        let path = OpenAPI.template(route.pattern).dropFirst("/api/v1".count).replacing(/{\w+}/, with: "{}")
        #expect(["`", "?", " "].contains { document.contains(path + $0) }, "\(path)")
      }
    }
  }

  @Test("The modules of the first page are found through static imports of all forms, each once")
  func modules() {
    let sources = [
      "js/app.js": """
      import { a } from './a.js';
      import {
        b,
      } from "./b/b.js";
      import './c.js';
      export { x };
      export * from './a.js';
      const later = () => import('./late.js');
      import pkg from 'package';
      import './missing.js';
      """,
      "js/a.js": "import '../d.js'\n", "js/b/b.js": "export { d } from '../../d.js';\nimport '../../../out.js';",
      "js/c.js": "const s = \"import './no.js'\";", "d.js": "import './js/app.js';", "js/late.js": "",
    ]
    #expect(
      ModuleGraph.modules(from: "js/app.js") { sources[$0].map { Array($0.utf8) } } == [
        "js/app.js", "js/a.js", "js/b/b.js", "js/c.js", "d.js",
      ])
  }
}
